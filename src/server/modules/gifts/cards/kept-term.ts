import { areReminderDays, type CardTerm, DEFAULT_TERM, isTermMonths } from '#domain/card/term.ts'

/** The columns of an order and of a card that hold its term; null in rows from before it could be another one. */
export interface KeptTerm {
  readonly term_months: number | null
  readonly reminder_days: string | null
}

/** A term as an order and a card keep it. */
export const keptTerm = ({ months, reminderDays }: CardTerm): KeptTerm => ({
  term_months: months,
  reminder_days: JSON.stringify(reminderDays),
})

/**
 * What an order or a card keeps of its term. A value that no operator could have set was written by another hand. It
 * reads as the product's own term, so that it stops neither the reminders of other cards nor the check of the seals.
 */
export const termOf = ({ term_months: months, reminder_days: days }: KeptTerm): CardTerm => ({
  months: months !== null && isTermMonths(months) ? months : DEFAULT_TERM.months,
  reminderDays: readDays(days) ?? DEFAULT_TERM.reminderDays,
})

function readDays(text: string | null): readonly number[] | undefined {
  if (text === null) return undefined
  try {
    const days: unknown = JSON.parse(text)
    return Array.isArray(days) && areReminderDays(days) ? days : undefined
  } catch {
    return undefined
  }
}
