import { type RawBuilder, sql } from 'kysely'
import { yearInMadrid } from '#domain/days.ts'
import { midnightInMadrid } from '#domain/madrid.ts'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/**
 * Numbers of receipts, in a series for each year without a gap: the last number of a series is a row that each new one
 * locks, in the transaction that makes it necessary. Orders and refunds from before get theirs in the order of time.
 */
export async function createReceiptNumbers({
  trx,
  integer,
  table,
  appendOnly,
}: MigrationTools): Promise<void> {
  await table('receipt_series')
    .addColumn('series', 'text', c => c.notNull().check(sql`series in ('sale', 'refund')`))
    .addColumn('year', integer, c => c.notNull())
    .addColumn('last', integer, c => c.notNull().check(sql`last > 0`))
    .addPrimaryKeyConstraint('receipt_series_pk', ['series', 'year'])
    .execute()
  await table('receipt_numbers')
    .addColumn('series', 'text', c => c.notNull().check(sql`series in ('sale', 'refund')`))
    .addColumn('year', integer, c => c.notNull())
    .addColumn('number', integer, c => c.notNull().check(sql`number > 0`))
    .addColumn('order_id', 'text', c => c.notNull().references('orders.id'))
    .addColumn('amount', integer, c => c.notNull())
    .addColumn('drawn_at', integer, c => c.notNull())
    .addPrimaryKeyConstraint('receipt_numbers_pk', ['series', 'year', 'number'])
    .execute()
  await number(trx, {
    series: 'sale',
    rows: sql`select id, total_amount as amount, coalesce(settled_at, created_at) as at
      from orders where status = 'paid'`,
  })
  const back = sql`case when refunded + lost > total_amount then total_amount else refunded + lost end`
  await number(trx, {
    series: 'refund',
    rows: sql`select id, ${back} as amount, updated_at as at
      from reversals join orders on orders.id = reversals.order_id where refunded + lost > 0`,
  })
  await sql`insert into receipt_series (series, year, last)
    select series, year, max(number) from receipt_numbers group by series, year`.execute(trx)
  // An order is bought once. Its refunds can be any number.
  await sql`create unique index receipt_numbers_sale on receipt_numbers (order_id) where series = 'sale'`.execute(
    trx,
  )
  await sql`create index receipt_numbers_refunds on receipt_numbers (order_id) where series = 'refund'`.execute(
    trx,
  )
  await appendOnly('receipt_numbers')
}

interface Earlier {
  readonly series: 'sale' | 'refund'
  /** `id` of an order, `amount` and `at`, epoch ms UTC. */
  readonly rows: RawBuilder<unknown>
}

async function number(trx: MigrationTools['trx'], { series, rows }: Earlier): Promise<void> {
  const found = await sql<{ first: number | null; last: number | null }>`
    select min(at) as first, max(at) as last from (${rows}) as earlier`.execute(trx)
  const { first = null, last = null } = found.rows[0] ?? {}
  if (first === null || last === null) return
  for (let year = yearInMadrid(Number(first)); year <= yearInMadrid(Number(last)); year++) {
    const begin = (each: number) => sql.lit(midnightInMadrid(Date.UTC(each, 0, 1)))
    await sql`insert into receipt_numbers (series, year, number, order_id, amount, drawn_at)
      select ${sql.lit(series)}, ${sql.lit(year)}, row_number() over (order by at, id), id, amount, at
      from (${rows}) as earlier where at >= ${begin(year)} and at < ${begin(year + 1)}`.execute(trx)
  }
}
