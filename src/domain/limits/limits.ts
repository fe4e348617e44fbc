import { MINUTE_MS } from '../durations.ts'

/** So many uses at once by one visitor; they come back evenly over the time. */
export interface Limit {
  readonly uses: number
  readonly perMs: number
  /** What all visitors together may use in that time. Beyond it they wait their turn; the operator gets an alarm. */
  readonly together?: number
}

const TEN_MINUTES = 10 * MINUTE_MS

/** What is limited for all visitors together as well as for each. */
const SHARED = {
  // Together six a second: with the card and the event of each, that is what the provider takes (20 calls a second).
  // Beyond it there is the waiting room (`waiting-room.ts`).
  gateway: { uses: 60, perMs: TEN_MINUTES, together: 3600 },
  // One mailbox gets one card. A whole class behind one address may claim its cards.
  'free-claim': { uses: 40, perMs: TEN_MINUTES, together: 400 },
  newsletter: { uses: 30, perMs: TEN_MINUTES, together: 400 },
  'lost-link': { uses: 20, perMs: TEN_MINUTES, together: 600 },
  // Whoever asks whether a gift is real, for a right word too. A class behind one address may ask.
  'check-word': { uses: 40, perMs: TEN_MINUTES, together: 600 },
  // Whoever has a gift mailed to somebody, and whoever wants no such mail: neither waits for the other.
  'send-for-me': { uses: 40, perMs: TEN_MINUTES, together: 600 },
  'not-for-me': { uses: 40, perMs: TEN_MINUTES, together: 600 },
  // A statement takes two forms; a withdrawal behind a link takes one.
  withdrawal: { uses: 40, perMs: TEN_MINUTES, together: 1200 },
  certificate: { uses: 40, perMs: TEN_MINUTES, together: 1200 },
  'many-cards': { uses: 60, perMs: TEN_MINUTES, together: 1200 },
  received: { uses: 40, perMs: TEN_MINUTES, together: 1200 },
  // By the partner, not the address. All partners together open one payment a second: visitors keep most of the provider's pace.
  'partner-order': { uses: 300, perMs: TEN_MINUTES, together: 600 },
} as const satisfies Readonly<Record<string, Required<Limit>>>

/** What is limited for each visitor alone. */
const OWN = {
  // Whoever waits for a payment asks again from time to time; a school behind one address does so too.
  waiting: { uses: 1200, perMs: TEN_MINUTES },
  success: { uses: 600, perMs: TEN_MINUTES },
  'send-email': { uses: 60, perMs: TEN_MINUTES },
  'analytics-session': { uses: 300, perMs: TEN_MINUTES },
  // Scrolling alone sends five events a second. A large event counts as several (`costOfEvent`).
  'analytics-event': { uses: 6000, perMs: TEN_MINUTES },
  'card-read': { uses: 1200, perMs: TEN_MINUTES },
  // The pages of a gift that is mailed, with right keys and wrong ones.
  'sending-read': { uses: 120, perMs: TEN_MINUTES },
  'card-miss': { uses: 30, perMs: TEN_MINUTES },
  redeem: { uses: 120, perMs: TEN_MINUTES },
  // One for each card, which can be changed; a class behind one address may wish.
  wish: { uses: 40, perMs: TEN_MINUTES },
  print: { uses: 30, perMs: TEN_MINUTES },
  // Answered from memory. Programs that others wrote ask too.
  'public-read': { uses: 600, perMs: TEN_MINUTES },
  // Each is made of a few files when it is asked for. Whoever checks all lines reads the files instead.
  'ledger-proof': { uses: 600, perMs: TEN_MINUTES },
  // Wrong tokens of the operator, in the form and in calls alike.
  'operator-login': { uses: 10, perMs: TEN_MINUTES },
  'partner-read': { uses: 1200, perMs: TEN_MINUTES },
  'operator-call': { uses: 600, perMs: TEN_MINUTES },
} as const satisfies Readonly<Record<string, Limit>>

export type SharedLimitName = keyof typeof SHARED
export type OwnLimitName = keyof typeof OWN
export type LimitName = SharedLimitName | OwnLimitName

export type Limits = Readonly<Record<LimitName, Limit>>

/**
 * All limits in one place, as they are where no setting says otherwise. A school behind one address must never reach
 * them; a script that tests payment cards or guesses keys does.
 */
export const LIMITS: Limits = { ...SHARED, ...OWN }

/** Is it limited for all visitors together? */
export const isShared = (name: LimitName): name is SharedLimitName => Object.hasOwn(SHARED, name)

const WORD = /^([a-z-]+)=([1-9]\d{0,6})(?:\/([1-9]\d{0,8}))?$/

/**
 * Reads what an operator has set: `gateway=60/12000, redeem=240`, each the uses of one visitor in ten minutes and, after
 * the slash, of all together.
 * @returns the limits with these in place of theirs; undefined where something is no limit, or has no limit of all
 */
export function readLimits(text: string): Limits | undefined {
  const limits: Record<LimitName, Limit> = { ...LIMITS }
  for (const word of text.split(',').map(each => each.trim())) {
    const [, name = '', uses, together] = WORD.exec(word) ?? []
    if (!isLimit(name)) return undefined
    if (together !== undefined && !isShared(name)) return undefined
    limits[name] = {
      ...limits[name],
      uses: Number(uses),
      ...(together !== undefined && { together: Number(together) }),
    }
  }
  return limits
}

const isLimit = (name: string): name is LimitName => Object.hasOwn(LIMITS, name)
