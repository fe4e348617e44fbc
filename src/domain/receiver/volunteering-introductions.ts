import { TIMINGS } from '../timings.ts'
import type { StoryStep } from './introductions.ts'

/** The story that a volunteering card tells, one thought per screen; `introduction` is the first (product.md#story). */
export const VOLUNTEERING_SCREENS = [
  'introduction',
  'introduction-2',
  'introduction-3',
  'introduction-4',
  'introduction-5',
  'introduction-6',
  'introduction-7',
  'introduction-8',
  'introduction-9',
  'introduction-10',
] as const

export type VolunteeringScreen = (typeof VOLUNTEERING_SCREENS)[number]

/** Is this the name of a screen of an invitation? */
export function isVolunteeringScreen(value: unknown): value is VolunteeringScreen {
  return (VOLUNTEERING_SCREENS as readonly unknown[]).includes(value)
}

/** The last screen: the mission, and what the recipient says to it. */
export const MISSION_SCREEN: VolunteeringScreen = 'introduction-10'

export interface VolunteeringIntroduction {
  /** undefined after the last. */
  readonly next: VolunteeringScreen | undefined
  /** A tap counts, and the text shows, from here: ms after the screen has come. */
  readonly waitMs: number
  readonly textAfterMs: number
  /** Locale key of the sentence; with `-named` behind it where the sender's name is known. */
  readonly titleKey: string
  readonly shows?: 'sender' | 'memorial' | 'mission'
}

const SHOWS: Readonly<Partial<Record<VolunteeringScreen, VolunteeringIntroduction['shows']>>> = {
  introduction: 'sender',
  'introduction-8': 'memorial',
  'introduction-10': 'mission',
}

/** In order, 2 s each: 1 greets by the sender's name, 8 is the memorial, 10 the mission. */
export const VOLUNTEERING_INTRODUCTIONS = Object.fromEntries(
  VOLUNTEERING_SCREENS.map((screen, index): [string, VolunteeringIntroduction] => {
    const shows = SHOWS[screen]
    return [
      screen,
      {
        next: VOLUNTEERING_SCREENS[index + 1],
        waitMs: TIMINGS.introductionWait,
        textAfterMs: TIMINGS.introductionTextAfter,
        titleKey: `volunteering-${screen}-title`,
        ...(shows && { shows }),
      },
    ]
  }),
) as Readonly<Record<VolunteeringScreen, VolunteeringIntroduction>>

/** The place of a screen in the story of an invitation: its number, and how many screens there are. */
export const volunteeringStep = (screen: VolunteeringScreen): StoryStep => ({
  at: VOLUNTEERING_SCREENS.indexOf(screen) + 1,
  of: VOLUNTEERING_SCREENS.length,
})
