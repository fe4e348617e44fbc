import { type CardTerm, DEFAULT_TERM } from '#domain/card/term.ts'

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

/** What an order or a card keeps of its term. */
export const termOf = ({ term_months: months, reminder_days: days }: KeptTerm): CardTerm => ({
  months: months ?? DEFAULT_TERM.months,
  reminderDays: days === null ? DEFAULT_TERM.reminderDays : (JSON.parse(days) as readonly number[]),
})
