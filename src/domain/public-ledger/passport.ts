import type { Sha256 } from './bytes.ts'
import { type Amounts, blindOf, type Cause, commitmentOf, type Leaf } from './leaf.ts'

/** By which key somebody asks where the money of a card is. A preview by the private key counts as the public one. */
export type PassportKey = 'public' | 'private' | 'receipt'

/**
 * The lines that a key opens. A giver holds the public and the private key: neither ever opens what a recipient chose. An
 * unused card was given away by nobody's choice.
 */
const OPENS: Readonly<Record<PassportKey, readonly Cause[]>> = {
  public: ['sale', 'claim'],
  private: ['sale', 'claim', 'auto'],
  receipt: ['given'],
}

/** May the holder of this key be handed the nonce of a line about this? */
export const opensLine = (key: PassportKey, cause: Cause): boolean => OPENS[key].includes(cause)

/** A line, and what shows that it is of one card. */
export interface OwnLine {
  /** From 1. */
  readonly number: number
  readonly cause: Cause
  /** Hex; null for a line that many have a part in, a payout. */
  readonly nonce: string | null
  /** The card's own; of a line that is a sum they are less than its amounts. */
  readonly amounts: Amounts
}

/** Is this line of whoever holds that nonce, with those amounts? Without a nonce only what it is about is compared. */
export function isOwn(
  sha256: Sha256,
  leaf: Leaf,
  { cause, nonce, amounts }: Omit<OwnLine, 'number'>,
): boolean {
  if (leaf.cause !== cause) return false
  if (nonce === null) return true
  if (typeof leaf.proof !== 'string') return leaf.proof.includes(commitmentOf(sha256, nonce, cause, amounts))
  return (
    leaf.proof === blindOf(sha256, nonce, cause) && JSON.stringify(leaf.amounts) === JSON.stringify(amounts)
  )
}

/** `YYYY-MM`, UTC. */
export const monthOfUse = (at: number): string => new Date(at).toISOString().slice(0, 7)

/**
 * Is the month of a card's use told to whoever holds this key? By the public key once the month is over: whoever looked
 * each day would learn the day.
 */
export const tellsUse = (key: PassportKey, usedAt: number, now: number): boolean =>
  key !== 'public' || monthOfUse(usedAt) < monthOfUse(now)

/** A run of payouts, in the currency of a card. */
export interface PaidRun {
  readonly id: string
  /** Is none of its payouts on its way any more? */
  readonly isOver: boolean
  /** How many organisations the bank has paid in it. */
  readonly organisations: number
  /** When the last of them was noted as paid, epoch ms UTC. */
  readonly at: number
}

/** A run that paid fewer organisations would come near to naming the one. */
export const FEWEST_ORGANISATIONS = 3

/**
 * The run that paid out a card, as far as its giver may know it: everything of the card went in this one run, the whole of
 * it is over, and it paid so many organisations that it tells none of them.
 * @param parts the run of each part of the card; undefined where a part is in none
 */
export function runForGiver(parts: readonly (PaidRun | undefined)[]): PaidRun | undefined {
  const [run] = parts
  if (run === undefined || parts.some(part => part?.id !== run.id)) return undefined
  return run.isOver && run.organisations >= FEWEST_ORGANISATIONS ? run : undefined
}
