import { DAY_MS } from '../durations.ts'

/**
 * What becomes of an organisation's bank account: somebody proposes it, it is confirmed and paid to, another takes its
 * place or it is withdrawn. The database's CHECK says the same, and a test compares the two.
 */
export const PAYEE_STATES = ['proposed', 'current', 'ended'] as const

export type PayeeState = (typeof PAYEE_STATES)[number]

/** How somebody at an organisation can be asked whether an account is theirs. Never by mail: mail brought the account. */
export const SECOND_CHANNELS = ['phone', 'video', 'letter', 'in-person'] as const

export type SecondChannel = (typeof SECOND_CHANNELS)[number]

/** Is this a way to confirm an account other than mail? */
export function isSecondChannel(word: string): word is SecondChannel {
  return (SECOND_CHANNELS as readonly string[]).includes(word)
}

/** An account that replaces another waits so long after the old contact was told of it. */
export const PAYEE_WAIT_MS = DAY_MS

export interface PayeeChange {
  /** Does it take the place of an account that is paid to now? */
  readonly isReplacement: boolean
  /** When the old contact was written to, or nobody could be; null while the mail is on its way. Epoch ms UTC. */
  readonly toldAt: number | null
}

/** From when on it can be confirmed, epoch ms UTC; undefined while that is not known. */
export function confirmableFrom({ isReplacement, toldAt }: PayeeChange): number | undefined {
  if (!isReplacement) return 0
  return toldAt === null ? undefined : toldAt + PAYEE_WAIT_MS
}

/** The end of an account number, by which its owner knows it and nobody else can use it: `…1332`. */
export function endOfNumber(number: string): string {
  return `…${number.slice(-4)}`
}
