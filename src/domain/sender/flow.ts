import type { GiftKind } from './gift-kinds.ts'

/** The screens that the long way and the volunteering way begin with; `intro` is the splash. */
const BEGINNING = ['intro', 'choose-theme', 'choose'] as const

const DONATION = [
  'gift-card-design-donation',
  'how-it-works-donation',
  'ngo-list',
  'donation-sender-name',
  'packages-donation',
  'donation-packages-support-amount',
  'donation-prepayment',
] as const

const VOLUNTEERING = [
  'gift-card-design-volunteering',
  'how-it-works-volunteering',
  'memorial',
  'mission',
  'volunteering-sender-name',
  'packages-volunteering',
  'volunteering-packages-support-amount',
  'volunteering-prepayment',
] as const

/** The sender's screens, by their word in the path, in the order of the whole. */
export const SENDER_SCREENS = [...BEGINNING, ...DONATION, ...VOLUNTEERING] as const

export type SenderScreen = (typeof SENDER_SCREENS)[number]

/** `short` for visitors in short-slides mode, who go straight to the packages (product.md#senders-flow). */
export type DonationWay = 'long' | 'short'

/** A volunteering card has a way of its own, which branches off where the kind of gift is chosen. */
export type Way = DonationWay | 'volunteering'

/** Which screens each way takes, in order; the payment provider's page follows the last. */
export const SENDER_WAYS: Readonly<Record<Way, readonly SenderScreen[]>> = {
  long: [...BEGINNING, ...DONATION],
  short: [
    'intro',
    'packages-donation',
    'donation-sender-name',
    'donation-packages-support-amount',
    'donation-prepayment',
  ],
  volunteering: [...BEGINNING, ...VOLUNTEERING],
}

/** The way that a screen belongs to, where it belongs to one alone: the one that is taken by being there. */
export function wayOfScreen(screen: SenderScreen): 'volunteering' | undefined {
  const ways = Object.keys(SENDER_WAYS).filter(way => SENDER_WAYS[way as Way].includes(screen))
  return ways.length === 1 && ways[0] === 'volunteering' ? 'volunteering' : undefined
}

/** What the visitor has chosen so far, as remembered by the browser. */
export interface SenderChoices {
  readonly themeId?: unknown
  readonly packageId?: unknown
  readonly sender?: unknown
  readonly supportAmount?: unknown
  readonly mission?: unknown
  readonly volunteeringSender?: unknown
  readonly volunteeringSupport?: unknown
}

interface Step {
  /** The choice made there; absent where there is only something to confirm. */
  readonly choice?: keyof SenderChoices
  /** No later screen can do without the choice. A theme has a default, so it is never missing. */
  readonly required?: true
}

/** The last screen before the payment of each kind of gift: all that was chosen stands there and can be changed. */
export const SUMMARIES = {
  donation: 'donation-prepayment',
  volunteering: 'volunteering-prepayment',
} as const satisfies Readonly<Record<GiftKind, SenderScreen>>

/**
 * The screens that ask something of the visitor: these count as steps. Ways that begin alike have as many of them, since
 * nobody knows there yet which way it will be.
 */
const STEPS: Readonly<Partial<Record<SenderScreen, Step>>> = {
  'choose-theme': { choice: 'themeId' },
  choose: {},
  'donation-sender-name': { choice: 'sender', required: true },
  'packages-donation': { choice: 'packageId', required: true },
  'donation-packages-support-amount': { choice: 'supportAmount', required: true },
  'donation-prepayment': {},
  mission: { choice: 'mission', required: true },
  'volunteering-sender-name': { choice: 'volunteeringSender', required: true },
  'volunteering-packages-support-amount': { choice: 'volunteeringSupport', required: true },
  'volunteering-prepayment': {},
}

/**
 * The screen after this one, `provider` after the last. A screen that is not on the way (a deep link, a link to
 * ngo-list from the packages) leads to the first screen of the way that the long order puts after it.
 */
export function nextScreen(screen: SenderScreen, way: Way): SenderScreen | 'provider' {
  const screens = SENDER_WAYS[way]
  const here = screens.indexOf(screen)
  if (here >= 0) return screens[here + 1] ?? 'provider'
  const later = SENDER_SCREENS.slice(SENDER_SCREENS.indexOf(screen) + 1)
  return screens.find(candidate => later.includes(candidate)) ?? 'provider'
}

/**
 * The screen after one that was opened from the summary, to change what is chosen there: the summary again, or first
 * what the change left open.
 * @param missing the first screen on the way to the summary whose choice is missing
 */
export function screenAfterChange(kind: GiftKind, missing: SenderScreen | undefined): SenderScreen {
  return missing ?? SUMMARIES[kind]
}

/**
 * The screen to go back to, undefined where there is none. The splash is never returned to, since it leads on by
 * itself. From a screen that is not part of the way, back leads to the screen where the way goes on.
 */
export function previousScreen(screen: SenderScreen, way: Way): SenderScreen | undefined {
  const screens = SENDER_WAYS[way]
  const here = screens.indexOf(screen)
  const before = here < 0 ? nextScreen(screen, way) : screens[here - 1]
  return before === 'intro' || before === 'provider' ? undefined : before
}

/**
 * The first earlier screen whose choice this one cannot do without and that is still missing (undefined or
 * null), or undefined when the visitor may stay (product.md#addresses).
 */
export function firstMissingStep(
  screen: SenderScreen,
  choices: SenderChoices,
  way: Way = 'short',
): SenderScreen | undefined {
  const screens = SENDER_WAYS[way]
  return screens.slice(0, Math.max(0, screens.indexOf(screen))).find(earlier => {
    const step = STEPS[earlier]
    return step?.required && step.choice && (choices[step.choice] ?? null) === null
  })
}

/** A screen's step, counted from 1, and the number of steps; undefined for screens that only tell something. */
export function stepOf(screen: SenderScreen, way: Way): { step: number; total: number } | undefined {
  const steps = SENDER_WAYS[way].filter(candidate => STEPS[candidate])
  const index = steps.indexOf(screen)
  return index < 0 ? undefined : { step: index + 1, total: steps.length }
}
