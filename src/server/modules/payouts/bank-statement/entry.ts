/** Why a bank's statement was not read; the message says the way out. */
export class StatementRefused extends Error {
  override readonly name = 'StatementRefused'
}

/** One transfer on a bank's statement. */
export interface BankEntry {
  /** The bank's own, by which the same entry is known in another file. */
  readonly reference: string
  /**
   * What was taken for its reference before placeholders were known as such, since payouts that were noted then keep it;
   * null where that is the same.
   */
  readonly earlierReference: string | null
  /**
   * The same for the same transfer, and another for another one: two transfers that the bank booked together share the
   * reference.
   */
  readonly transfer: string
  /** What the payer gave to the transfer; null where the bank does not say. */
  readonly endToEndId: string | null
  /** What the payer gave to all transfers that were booked as one; null where they are listed, or there was one. */
  readonly batchId: string | null
  /** Minor units; null where the file does not say how much this transfer of several was. */
  readonly amount: number | null
  readonly currency: string
  /** Does the money leave the account? */
  readonly isOut: boolean
  /** Was it rejected or sent back? */
  readonly isReturn: boolean
  readonly isBooked: boolean
  /** Its booking day, as `2026-03-12`; null where the file does not say. */
  readonly bookedOn: string | null
  /** Where it went, in capitals without spaces; null where the file does not say. */
  readonly iban: string | null
}

const LONGEST_REFERENCE = 140

/** What banks write where they have no reference: the next transfer has the same. */
const PLACEHOLDER = /^(NON?REF|NOT ?PROVIDED|N[/.]?A\.?|[-0./ ]+)$/i

/** A reference as it is kept; '' where there is none, or a placeholder for one. */
export function referenceOf(text: string): string {
  const line = lineOf(text)
  return PLACEHOLDER.test(line) ? '' : line
}

/** A text of the bank as it is kept: one line of plain letters. */
export function lineOf(text: string): string {
  return text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_REFERENCE)
}

/** An amount with a point or a comma before at most two decimals (more may be zeros), in minor units; null for anything else. */
export function minorOf(text: string): number | null {
  const [, units, cents = ''] = /^(\d{1,12})(?:[.,](\d{1,8}))?$/.exec(text) ?? []
  if (units === undefined || /[1-9]/.test(cents.slice(2))) return null
  return Number(units) * 100 + Number(cents.slice(0, 2).padEnd(2, '0'))
}

/** An account number without spaces and dashes, in upper case; null where there is none. */
export const ibanOf = (text: string | undefined): string | null =>
  text?.replace(/[\s-]/g, '').toUpperCase() || null
