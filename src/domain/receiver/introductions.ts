import { TIMINGS } from '../timings.ts'

/** The story that a donation card tells, one thought per screen. */
export const INTRODUCTION_SCREENS = [
  'introduction-1',
  'introduction-2',
  'introduction-3',
  'introduction-4',
  'introduction-5',
  'introduction-6',
  'introduction-7',
  'introduction-8',
  'introduction-9',
] as const

export type IntroductionScreen = (typeof INTRODUCTION_SCREENS)[number]

/** Every screen of a donation card, by its word in the path (product.md#story). */
export const RECEIVER_SCREENS = [
  'doesnt-exist',
  'introduction',
  ...INTRODUCTION_SCREENS,
  'message',
  'select-ngo',
  'draw',
  'wish',
  'own-money',
  'thanks',
  'consumed',
] as const

export type ReceiverScreen = (typeof RECEIVER_SCREENS)[number]

/** Where a recipient adds own money; a card that was used has it too. */
export const OWN_MONEY_SCREEN = 'own-money' satisfies ReceiverScreen

/** Is this the name of a screen of a recipient of a card? */
export function isReceiverScreen(value: unknown): value is ReceiverScreen {
  return (RECEIVER_SCREENS as readonly unknown[]).includes(value)
}

/** Is this the name of a screen of the story of a card? */
export function isIntroductionScreen(value: unknown): value is IntroductionScreen {
  return (INTRODUCTION_SCREENS as readonly unknown[]).includes(value)
}

/** The screen that `introduction` opens with. */
export const FIRST_INTRODUCTION: IntroductionScreen = 'introduction-1'

export interface Introduction {
  readonly next: IntroductionScreen | 'select-ngo'
  /** A tap counts from here, in ms after the screen has come. The try card does not wait. */
  readonly waitMs: number
  /** The text shows from here, in ms after the screen has come. */
  readonly textAfterMs: number
  /** Locale key of the sentence. */
  readonly titleKey: string
  /** The envelope stands above the sentence, and opens before it. */
  readonly showsEnvelope?: boolean
  /** The card's credit stands in the sentence, without cents. */
  readonly showsCredit?: boolean
  /** The card's credit stands above the sentence, large. */
  readonly showsAmount?: boolean
  /** The screen says until when the card can be given. */
  readonly saysUntil?: boolean
  /** In preview mode the screen says that this is a preview. */
  readonly showsPreviewNotice?: boolean
  /** The screen offers to go to the gift at once. */
  readonly offersGift?: boolean
}

const usual = { waitMs: TIMINGS.introductionWait, textAfterMs: TIMINGS.introductionTextAfter }

/**
 * 1 → 2 → 4 → 5 → 6 → 7 → select-ngo is the story; 3, 8 and 9 are variants reached by their address
 * (product.md#story).
 */
export const DONATION_INTRODUCTIONS: Readonly<Record<IntroductionScreen, Introduction>> = {
  'introduction-1': {
    ...usual,
    next: 'introduction-2',
    waitMs: TIMINGS.introductionFirstWait,
    titleKey: 'introduction-1-title',
    showsEnvelope: true,
    showsPreviewNotice: true,
    offersGift: true,
  },
  'introduction-2': { ...usual, next: 'introduction-4', titleKey: 'introduction-2-title' },
  'introduction-3': { ...usual, next: 'introduction-4', titleKey: 'introduction-3-title' },
  'introduction-4': {
    ...usual,
    next: 'introduction-5',
    titleKey: 'introduction-4-title',
    showsAmount: true,
  },
  'introduction-5': {
    ...usual,
    next: 'introduction-6',
    waitMs: TIMINGS.introductionLongWait,
    titleKey: 'introduction-5-title',
  },
  'introduction-6': { ...usual, next: 'introduction-7', titleKey: 'introduction-6-title' },
  'introduction-7': {
    ...usual,
    next: 'select-ngo',
    titleKey: 'introduction-7-title',
    saysUntil: true,
  },
  'introduction-8': {
    ...usual,
    next: 'introduction-9',
    titleKey: 'introduction-8-title',
    showsCredit: true,
  },
  'introduction-9': {
    ...usual,
    next: 'select-ngo',
    textAfterMs: TIMINGS.introductionLateTextAfter,
    titleKey: 'introduction-9-title',
    saysUntil: true,
  },
}

/** The place of a screen in its story: its number, and how many screens there are. */
export interface StoryStep {
  readonly at: number
  readonly of: number
}

/** Screens from this one to the last before the list. */
function screensLeft(screen: IntroductionScreen): number {
  const { next } = DONATION_INTRODUCTIONS[screen]
  return next === 'select-ngo' ? 1 : 1 + screensLeft(next)
}

/**
 * The giver's own words, on a screen behind the greeting: of a gift, and of an invitation. A gift without any goes on
 * without it.
 */
export const MESSAGE_SCREEN = 'message'

/** The place behind the first screen, with one more screen than the story of this length has by itself. */
export const stepOfMessage = ({ of }: StoryStep): StoryStep => ({ at: 2, of: of + 1 })

/** The place of a screen in a story that has the giver's own words behind its first screen. */
export const stepAround = ({ at, of }: StoryStep): StoryStep => ({ at: at === 1 ? 1 : at + 1, of: of + 1 })

/** A variant counts as the screen of the story that is as far from the list. */
export function storyStep(screen: IntroductionScreen): StoryStep {
  const of = screensLeft(FIRST_INTRODUCTION)
  return { at: of - screensLeft(screen) + 1, of }
}
