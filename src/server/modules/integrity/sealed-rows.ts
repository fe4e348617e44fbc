import { orderStatesOf } from '#domain/payment/order-states.ts'
import {
  CARD_SEALED,
  INVITATION_SEALED,
  ORDER_SEALED,
  type SealedAllocation,
} from '#server/modules/ledger/seals.ts'
import type { Reader } from '#server/platform/db/database.ts'

// The rows that have seals, a page at a time: those after an id, '' to begin, in its order.

export const orderPage = (db: Reader, after: string, limit: number) =>
  db
    .selectFrom('orders')
    .select(ORDER_SEALED)
    .where('id', '>', after)
    .where('status', 'in', orderStatesOf('sold'))
    .orderBy('id')
    .limit(limit)
    .execute()

export const cardPage = (db: Reader, after: string, limit: number) =>
  db.selectFrom('cards').select(CARD_SEALED).where('id', '>', after).orderBy('id').limit(limit).execute()

export const invitationPage = (db: Reader, after: string, limit: number) =>
  db
    .selectFrom('volunteering_cards')
    .select(INVITATION_SEALED)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

export const reversalPage = (db: Reader, after: string, limit: number) =>
  db
    .selectFrom('reversals')
    .selectAll()
    .where('order_id', '>', after)
    .orderBy('order_id')
    .limit(limit)
    .execute()

/** Redemptions with what they gave. */
export async function redemptionPage(db: Reader, after: string, limit: number) {
  const rows = await db
    .selectFrom('redemptions')
    .select(['card_id', 'cause', 'request_digest', 'receipt_digest', 'created_at', 'seal'])
    .where('card_id', '>', after)
    .orderBy('card_id')
    .limit(limit)
    .execute()
  const [first, last] = [rows[0], rows.at(-1)]
  if (first === undefined || last === undefined) return []
  const given = await db
    .selectFrom('allocations')
    .select(['card_id', 'ngo_id', 'position', 'points', 'amount', 'currency'])
    .where('card_id', '>=', first.card_id)
    .where('card_id', '<=', last.card_id)
    .execute()
  const byCard = Map.groupBy(given, ({ card_id }) => card_id)
  return rows.map(row => {
    const allocations: readonly SealedAllocation[] = byCard.get(row.card_id) ?? []
    return { ...row, allocations: allocations.toSorted((a, b) => a.position - b.position) }
  })
}
