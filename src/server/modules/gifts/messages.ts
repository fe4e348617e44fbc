import type { GiverMessage } from '#server/modules/gifts/interface.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'

/** What the giver of an order writes to whoever gets its gift; null without anything, and for a gift of no order. */
export async function messageOf(db: Reader, orderId: string | null): Promise<string | null> {
  if (orderId === null) return null
  const row = await db
    .selectFrom('gift_messages')
    .select('words')
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  return row?.words ?? null
}

/** The same as whoever opens the card sees it. */
export async function giverMessage(
  db: Reader,
  { id: cardId, order_id: orderId }: { readonly id: string; readonly order_id: string | null },
): Promise<GiverMessage | null> {
  const words = await messageOf(db, orderId)
  return words === null ? null : { words, cardId }
}

/** Keeps it, in the transaction that makes the order. */
export async function keepMessage(trx: Writer, orderId: string, words: string, now: number): Promise<void> {
  await trx.insertInto('gift_messages').values({ order_id: orderId, words, created_at: now }).execute()
}

/** Takes the messages off these orders: screens, paper and letters that are made from now on go without. @returns how many */
export async function forgetMessages(trx: Writer, orderIds: readonly string[]): Promise<number> {
  if (orderIds.length === 0) return 0
  const gone = await trx
    .deleteFrom('gift_messages')
    .where('order_id', 'in', orderIds)
    .returning('order_id')
    .execute()
  return gone.length
}
