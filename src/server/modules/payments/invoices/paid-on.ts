import { type SqlBool, sql } from 'kysely'
import { dayInMadrid } from '#domain/days.ts'
import type { Period } from '#domain/period.ts'

/** When an order was paid, as its row and that of its invoice say it. */
interface PaidRow {
  readonly settled_at: number | null
  /** The day at the bank, `YYYY-MM-DD`; null where it was paid at the provider. */
  readonly paid_on: string | null
}

/** The end of the days that have four digits for their year. */
const LAST = Date.UTC(9999, 11, 31)

/**
 * The instant that the tax office counts: of an invoice the day at the bank, whenever the treasurer said so.
 * @returns epoch ms UTC, of an invoice the beginning of that day
 */
export const paidAtOf = ({ settled_at: settledAt, paid_on: day }: PaidRow): number =>
  day === null ? (settledAt ?? 0) : Date.parse(day)

/** The day at the bank of rows of `orders` with those of `invoices`; null for what was opened at the provider, whatever row is written. */
export const PAID_ON = sql<
  string | null
>`case when orders.checkout_session_digest is null then invoices.paid_on end`

/** Was an order paid within a period, by the same count? As SQL, of the same rows. */
export const paidWithin = ({ from, to }: Period) => sql<SqlBool>`case when ${PAID_ON} is null
  then orders.settled_at >= ${from} and orders.settled_at < ${to}
  else invoices.paid_on >= ${dayInMadrid(from)} and invoices.paid_on < ${dayInMadrid(Math.min(to, LAST))} end`
