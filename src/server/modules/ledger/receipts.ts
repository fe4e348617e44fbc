import { yearInMadrid } from '#domain/days.ts'
import { lettersOf } from '#domain/payment/document-number.ts'
import { type ReceiptSeries, receiptNumber } from '#domain/payment/receipts.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import { sumOf } from '#server/platform/db/sum-of.ts'

interface NewReceipt {
  readonly series: ReceiptSeries
  readonly orderId: string
  /** Minor units of the order's currency. */
  readonly amount: number
  /** Epoch ms UTC. */
  readonly at: number
}

/**
 * Draws the next number of a series, in the transaction of what it is for: both are kept, or neither, so that there is
 * no gap. Whoever draws at the same time waits until this transaction ends. The letters of the order stand behind it: a
 * restore from a backup draws numbers again.
 */
async function drawNumber(trx: Writer, { series, orderId, amount, at }: NewReceipt): Promise<void> {
  const year = yearInMadrid(at)
  const { last: number } = await trx
    .insertInto('receipt_series')
    .values({ series, year, last: 1 })
    .onConflict(conflict =>
      conflict.columns(['series', 'year']).doUpdateSet(eb => ({ last: eb('receipt_series.last', '+', 1) })),
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('receipt_numbers')
    .values({ series, year, number, letters: lettersOf(orderId), order_id: orderId, amount, drawn_at: at })
    .execute()
}

/** Gives the number of its receipt to an order that was just paid. */
export function numberSale(trx: Writer, sale: Omit<NewReceipt, 'series'>): Promise<void> {
  return drawNumber(trx, { series: 'sale', ...sale })
}

/** The number of an order's receipt, as it stands on paper; undefined while the order is not paid. */
export async function saleNumberOf(db: Reader, orderId: string): Promise<string | undefined> {
  const drawn = await db
    .selectFrom('receipt_numbers')
    .select(['series', 'year', 'number', 'letters'])
    .where('order_id', '=', orderId)
    .where('series', '=', 'sale')
    .executeTakeFirst()
  return drawn && receiptNumber(drawn)
}

/**
 * Gives a number to what went back of an order since the last one: less than 0 where a refund came back itself. The same
 * sum again draws nothing. Whoever calls it has locked the order's card.
 * @param back all that went back so far, minor units
 */
export async function numberRefund(
  trx: Writer,
  { orderId, back, at }: { readonly orderId: string; readonly back: number; readonly at: number },
): Promise<void> {
  const { known } = await trx
    .selectFrom('receipt_numbers')
    .select(sumOf('amount').as('known'))
    .where('order_id', '=', orderId)
    .where('series', '=', 'refund')
    .executeTakeFirstOrThrow()
  if (back !== known) await drawNumber(trx, { series: 'refund', orderId, amount: back - known, at })
}
