import { placeOfCard } from '../card/batch.ts'

/** The cards of an order of many that a press withdraws from: all that are left, or those in these places. */
export type Chosen = 'all' | readonly number[]

/** What a buyer has ticked on the form of an order of many. */
export interface WrittenChoice {
  /** '' for neither. */
  readonly which: 'all' | 'some' | ''
  /** The numbers that were ticked, from 1 on. */
  readonly numbers: readonly number[]
}

/** The value of the field `at` in the form that is looked at before it is confirmed. */
export const REVIEW = 'review'

export const NO_CHOICE: WrittenChoice = { which: '', numbers: [] }

/** Reads it. @param which the value of the field that says it @param cards every value of the fields of cards */
export function readChoice(which: string | null, cards: readonly string[]): WrittenChoice {
  const numbers = cards.filter(text => /^[1-9]\d{0,2}$/.test(text)).map(Number)
  return { which: which === 'all' || which === 'some' ? which : '', numbers: [...new Set(numbers)] }
}

/** What was chosen; undefined where nothing was. Ticks alone say that it is those, and everything is more than any ticks. */
export function chosenOf({ which, numbers }: WrittenChoice): Chosen | undefined {
  if (which === 'all') return 'all'
  return numbers.length > 0 ? numbers.map(placeOfCard) : undefined
}
