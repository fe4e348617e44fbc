import type { Currency } from '#domain/money/currency.ts'
import { type ReceiptSeries, receiptNumber } from '#domain/payment/receipts.ts'
import type { Reader } from '#server/platform/db/database.ts'

/** A receipt, as an accountant lists it. */
export interface ListedReceipt {
  readonly series: ReceiptSeries
  /** As it stands on paper. */
  readonly number: string
  /** When it was drawn, epoch ms UTC. */
  readonly at: number
  readonly orderId: string
  /** Minor units: what was paid, or what went back. */
  readonly amount: number
  readonly currency: Currency
  /** Of a refund, the number of what was bought. */
  readonly of: string | null
}

/** The numbers that were drawn within a time, by series, in their order. Times are epoch ms UTC. */
export async function listReceipts(
  db: Reader,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly ListedReceipt[]> {
  const rows = await db
    .selectFrom('receipt_numbers as drawn')
    .innerJoin('orders', 'orders.id', 'drawn.order_id')
    .leftJoin('receipt_numbers as bought', join =>
      join.onRef('bought.order_id', '=', 'drawn.order_id').on('bought.series', '=', 'sale'),
    )
    .select([
      'drawn.series',
      'drawn.year',
      'drawn.number',
      'drawn.letters',
      'drawn.order_id',
      'drawn.amount',
      'drawn.drawn_at',
    ])
    .select([
      'orders.currency',
      'bought.year as of_year',
      'bought.number as of_number',
      'bought.letters as of_letters',
    ])
    .where('drawn.drawn_at', '>=', from)
    .where('drawn.drawn_at', '<', to)
    .orderBy('drawn.series', 'desc')
    .orderBy('drawn.year')
    .orderBy('drawn.number')
    .execute()
  return rows.map(row => ({
    series: row.series,
    number: receiptNumber(row),
    at: row.drawn_at,
    orderId: row.order_id,
    amount: row.amount,
    currency: row.currency,
    of:
      row.series === 'sale' || row.of_year === null || row.of_number === null
        ? null
        : receiptNumber({
            series: 'sale',
            year: row.of_year,
            number: row.of_number,
            letters: row.of_letters ?? '',
          }),
  }))
}
