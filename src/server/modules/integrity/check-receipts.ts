import { sql } from 'kysely'
import { orderStatesOf } from '#domain/payment/order-states.ts'
import { type ReceiptSeries, receiptNumber } from '#domain/payment/receipts.ts'
import { type Finding, MOST } from '#server/modules/integrity/findings.ts'
import type { Reader } from '#server/platform/db/database.ts'

/** The numbers of each series and year run from 1 to the last one, each once; the last one is what the series says. */
export async function receiptNumbersAmiss(db: Reader): Promise<readonly Finding[]> {
  const steps = await db
    .selectFrom(eb =>
      eb
        .selectFrom('receipt_numbers')
        .select(['series', 'year', 'number'])
        .select(BEFORE.as('before'))
        .as('each_one'),
    )
    .selectAll()
    .where('number', '<>', sql<number>`before + 1`)
    .orderBy('series')
    .orderBy('year')
    .orderBy('number')
    .limit(MOST)
    .execute()
  const drawn = await db
    .selectFrom('receipt_numbers')
    .select(['series', 'year'])
    .select(eb => eb.fn.max('number').as('last'))
    .groupBy(['series', 'year'])
    .execute()
  const kept = await db.selectFrom('receipt_series').selectAll().execute()
  const ends = [...drawn, ...kept].map(({ series, year }) => {
    const of = (rows: readonly { series: ReceiptSeries; year: number; last: number }[]) =>
      Number(rows.find(row => row.series === series && row.year === year)?.last ?? 0)
    return { series, year, drawn: of(drawn), last: of(kept) }
  })
  return [
    ...steps.map(({ series, year, number, before }) => {
      const [step, last] = [Number(number), Number(before)]
      // The first number that is missing, or the one that there is twice.
      return step > last
        ? { rule: 'receipt-gap' as const, subject: numberInSeries({ series, year, number: last + 1 }) }
        : { rule: 'receipt-double' as const, subject: numberInSeries({ series, year, number: step }) }
    }),
    ...[...new Map(ends.map(each => [numberInSeries({ ...each, number: 0 }), each])).values()]
      .filter(each => each.drawn !== each.last)
      .map(({ series, year, drawn: found, last: expected }) => ({
        rule: 'receipt-gap' as const,
        subject: numberInSeries({ series, year, number: Math.max(found, expected) }),
        expected,
        found,
      })),
  ]
}

/** A number of which no order is known, or more than one: without letters. */
const numberInSeries = (drawn: {
  readonly series: ReceiptSeries
  readonly year: number
  readonly number: number
}): string => receiptNumber({ ...drawn, letters: '' })

/** The number before each one of its series and year; 0 before the first. */
const BEFORE = sql<number>`lag(number, 1, ${sql.lit(0)}) over (partition by series, year order by number)`

/** What was paid has one number with its amount; what was not paid has none. */
export async function salesNumberedWrong(db: Reader): Promise<readonly Finding[]> {
  const rows = await db
    .selectFrom('orders')
    .leftJoin(
      eb =>
        eb
          .selectFrom('receipt_numbers')
          .select('order_id')
          .select([sql<number>`count(*)`.as('numbers'), sql<number>`max(amount)`.as('amount')])
          .where('series', '=', 'sale')
          .groupBy('order_id')
          .as('drawn'),
      join => join.onRef('drawn.order_id', '=', 'orders.id'),
    )
    .select(['orders.id', 'orders.currency', 'orders.total_amount', 'drawn.numbers', 'drawn.amount'])
    .where(eb =>
      eb.or([
        eb.and([eb('orders.status', 'in', orderStatesOf('sold')), eb('drawn.numbers', 'is', null)]),
        eb.and([eb('orders.status', 'not in', orderStatesOf('sold')), eb('drawn.numbers', 'is not', null)]),
        eb('drawn.numbers', '>', 1),
        eb('drawn.amount', '<>', eb.ref('orders.total_amount')),
      ]),
    )
    .limit(MOST)
    .execute()
  return rows.map(({ id, currency, total_amount: expected, numbers, amount }) => {
    if (numbers === null) return { rule: 'receipt-missing', subject: id, expected, found: 0, currency }
    if (Number(numbers) > 1) return { rule: 'receipt-double', subject: id }
    return { rule: 'receipt-differs', subject: id, expected, found: Number(amount), currency }
  })
}

/** The refunds of an order that have numbers come to what went back of it. */
export async function refundsNumberedWrong(db: Reader): Promise<readonly Finding[]> {
  const back = sql<number>`case when reversals.order_id is null then 0
    when refunded + lost > total_amount then total_amount else refunded + lost end`
  const numbered = sql<number>`coalesce(drawn.amount, 0)`
  const rows = await db
    .selectFrom('orders')
    .leftJoin('reversals', 'reversals.order_id', 'orders.id')
    .leftJoin(
      eb =>
        eb
          .selectFrom('receipt_numbers')
          .select('order_id')
          .select(sql<number>`cast(sum(amount) as bigint)`.as('amount'))
          .where('series', '=', 'refund')
          .groupBy('order_id')
          .as('drawn'),
      join => join.onRef('drawn.order_id', '=', 'orders.id'),
    )
    .select(['orders.id', 'orders.currency', back.as('expected'), numbered.as('found')])
    .where(back, '<>', numbered)
    .limit(MOST)
    .execute()
  return rows.map(({ id, currency, expected, found }) => ({
    rule: Number(found) < Number(expected) ? 'receipt-missing' : 'receipt-differs',
    subject: id,
    currency,
    expected: Number(expected),
    found: Number(found),
  }))
}
