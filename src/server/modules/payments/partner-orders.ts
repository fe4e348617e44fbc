import { type Money, money } from '#domain/money/money.ts'
import { type PartnerOrderState, partnerOrderState } from '#domain/partner/partner.ts'
import { Problem } from '#domain/problems.ts'
import type { Database, Reader, Writer } from '#server/platform/db/database.ts'

/** Of whose program an order is. */
export interface OfPartner {
  /** The partner's id. */
  readonly id: string
  /** The partner's own name for the order: at most 64 characters. */
  readonly reference: string | null
}

/** An order as its partner sees it: never a link, a key, a name, or what became of the gift. */
export interface PartnerOrder {
  readonly id: string
  readonly state: PartnerOrderState
  /** Everything that the buyer pays. */
  readonly total: Money
  readonly reference: string | null
}

/**
 * The press of a partner's program: no browser's key has a space, and no other partner has this id, so that nobody's key is
 * somebody else's.
 */
export const pressOfPartner = (partnerId: string, idempotencyKey: string): string =>
  `partner ${partnerId} ${idempotencyKey}`

/** Notes whose order it is, in the transaction that makes the order. */
export async function keepPartner(
  trx: Writer,
  orderId: string,
  { id, reference }: OfPartner,
  now: number,
): Promise<void> {
  await trx
    .insertInto('partner_orders')
    .values({ order_id: orderId, partner_id: id, reference, created_at: now })
    .execute()
}

/** Was it opened by a partner's program? */
export async function isOfPartner(db: Reader, orderId: string): Promise<boolean> {
  const row = await db
    .selectFrom('partner_orders')
    .select('order_id')
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  return row !== undefined
}

/** An order of this partner. @throws Problem payment-not-found for every other id, that of another partner's order too */
export async function readPartnerOrder(
  db: Database,
  partnerId: string,
  orderId: string,
): Promise<PartnerOrder> {
  const row = await db.read(reader =>
    reader
      .selectFrom('partner_orders')
      .innerJoin('orders', 'orders.id', 'partner_orders.order_id')
      .leftJoin('reversals', 'reversals.order_id', 'orders.id')
      .select([
        'orders.id',
        'orders.status',
        'orders.total_amount',
        'orders.currency',
        'partner_orders.reference',
        'reversals.refunded',
        'reversals.lost',
      ])
      .where('orders.id', '=', orderId)
      .where('partner_orders.partner_id', '=', partnerId)
      .executeTakeFirst(),
  )
  if (row === undefined) throw new Problem('payment-not-found')
  const { id, status, total_amount: total, currency, reference } = row
  const state = partnerOrderState({ status, total }, (row.refunded ?? 0) + (row.lost ?? 0))
  return { id, state, total: money(total, currency), reference }
}

/** Ids in one statement. */
const BATCH = 50

/**
 * Takes the references off some orders that partners made before an instant: they ask for no personal data, and some may hold
 * it. @param before epoch ms UTC @returns how many
 */
export async function forgetReferences(db: Database, before: number): Promise<number> {
  const cleared = await db.transaction(trx =>
    trx
      .updateTable('partner_orders')
      .set({ reference: null })
      .where('order_id', 'in', eb =>
        eb
          .selectFrom('partner_orders')
          .select('order_id')
          .where('reference', 'is not', null)
          .where('created_at', '<', before)
          .limit(BATCH),
      )
      .returning('order_id')
      .execute(),
  )
  return cleared.length
}
