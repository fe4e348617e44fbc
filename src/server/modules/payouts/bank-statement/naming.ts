import { decimal } from '#domain/money/money.ts'
import type { BankEntry } from './entry.ts'

/** What tells one transfer of a statement from another. */
export interface Traits extends Pick<BankEntry, 'bookedOn' | 'endToEndId' | 'amount' | 'currency'> {
  /** The bank's reference of the transfer, or of the whole entry; '' where it gives none. */
  readonly reference: string
  /** The reference of the entry, which the transfers in it share; '' where it gives none. */
  readonly ofEntry: string
}

/** Names the transfers of one entry, each once and in their order. @param place the number of the entry in its statement */
type NameEntry = (place: string) => (traits: Traits) => Pick<BankEntry, 'reference' | 'transfer'>

/**
 * Names the transfers of one statement, so that one has the same name in another statement and two never share one.
 * Without a reference of the bank it is the day and the amount, since statements repeat their ids, and an entry may have
 * another number in the next one; transfers that are alike in the same statement are numbered.
 */
export function namesOfStatement(): NameEntry {
  const inStatement = counting()
  return place => {
    const inEntry = counting()
    return ({ reference: given, ofEntry, bookedOn, endToEndId, amount, currency }) => {
      const sum = `${amount === null ? '' : decimal(amount)} ${currency}`.trim()
      const isByDay = given === '' && bookedOn !== null
      const name = isByDay ? `${bookedOn} ${sum}` : given || place
      // The same entry may stand twice in a statement that gives references: they tell that it is one.
      const count = (isByDay ? inStatement : inEntry)(`${name} ${sum} ${endToEndId?.toLowerCase() ?? ''}`)
      return {
        reference: isByDay && count > 1 ? `${name} #${count}` : name,
        transfer: [ofEntry, name, bookedOn ?? '', sum, `#${count}`].join(' ').trim(),
      }
    }
  }
}

/** How often the same was asked about, this time included. */
function counting(): (what: string) => number {
  const counts = new Map<string, number>()
  return what => {
    const count = (counts.get(what) ?? 0) + 1
    counts.set(what, count)
    return count
  }
}
