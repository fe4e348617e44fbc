import type { Insertable, Selectable } from 'kysely'
import type { GiftRow } from '#domain/card/gift-rows.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { queueFirstConfirmation } from '#server/modules/gifts/confirmation-jobs.ts'
import { addManyPage } from '#server/modules/gifts/many-pages.ts'
import { keepRows } from '#server/modules/gifts/order-rows.ts'
import { MAKE_CARDS } from '#server/modules/gifts/sold-cards.ts'
import { amountsOf } from '#server/modules/ledger/order-amounts.ts'
import { recordSale } from '#server/modules/ledger/record.ts'
import { ORDER_SEALED, sealOfOrder } from '#server/modules/ledger/seals.ts'
import type { Writer } from '#server/platform/db/database.ts'
import type { OrdersTable } from '#server/platform/db/schema.ts'
import { anOrder, CREATED_AT, keepTestTerms, testKeys } from './server.ts'

export interface SoldMany {
  readonly orderId: string
  /** Opens the order's page. */
  readonly manyKey: string
  /** By their places. */
  readonly cardIds: readonly string[]
}

/** Cards that somebody bought together, as a settlement leaves them, its mail too. */
export async function sellMany(
  trx: Writer,
  count: number,
  {
    keys = testKeys,
    email = 'buyer@example.org',
    rows = [],
    at = CREATED_AT,
    ...changes
  }: Partial<Insertable<OrdersTable>> & {
    readonly keys?: CardKeys
    readonly email?: string
    readonly rows?: readonly GiftRow[]
    /** Epoch ms UTC. */
    readonly at?: number
  } = {},
): Promise<SoldMany> {
  // A product's own database has other terms.
  await keepTestTerms(trx)
  const one = anOrder({ status: 'paid', created_at: at, settled_at: at, ...changes })
  const times = (amount: number) => amount * count
  await trx
    .insertInto('orders')
    .values({
      ...one,
      card_count: count,
      ngo_amount: times(one.ngo_amount),
      support_amount: times(one.support_amount),
      tax_amount: times(one.tax_amount),
      total_amount: times(one.total_amount),
    })
    .execute()
  const written = await trx
    .selectFrom('orders')
    .select(ORDER_SEALED)
    .where('id', '=', one.id)
    .executeTakeFirstOrThrow()
  const seal = sealOfOrder(keys, written)
  const order: Selectable<OrdersTable> = await trx
    .updateTable('orders')
    .set({ seal })
    .where('id', '=', one.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await keepRows(trx, order.id, rows)
  const cardIds = await MAKE_CARDS.donation(trx, keys, { order, email, createdAt: at })
  await recordSale(trx, { kind: 'donation', orderId: order.id, cardIds, ...amountsOf(order), at })
  await addManyPage(trx, keys, { orderId: order.id, now: at })
  await queueFirstConfirmation(trx, { kind: 'donation', orderId: order.id, cardId: cardIds[0]!, now: at })
  return { orderId: order.id, manyKey: keys.manyKey(order.id, keys.firstVersion), cardIds }
}
