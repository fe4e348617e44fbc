import type { GiverMessage } from '#server/modules/gifts/interface.ts'
import { blankRows, forgetRows, type PlaceInOrder } from '#server/modules/gifts/order-rows.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import { prepared } from '#server/platform/db/prepared.ts'

/**
 * What the giver writes to whoever gets this gift: to that one of many, else to all of the order. Null without anything, and
 * for a gift of no order.
 */
export async function messageOf(db: Reader, card: PlaceInOrder): Promise<string | null> {
  const { order_id: orderId } = card
  if (orderId === null) return null
  const [said] = await wordsOf(db, { orderId, position: card.position ?? 0 })
  // Its own are empty where they were blanked.
  return said?.own === '' ? null : (said?.own ?? said?.ofOrder ?? null)
}

/** What the giver writes to whoever gets a gift of this order, and has no words of its own. Null without anything. */
export async function messageOfOrder(db: Reader, orderId: string): Promise<string | null> {
  const [said] = await wordsOf(db, { orderId, position: 0 })
  return said?.ofOrder ?? null
}

/** Every page of a recipient asks it. */
const wordsOf = prepared(['orderId', 'position'], (db, { orderId, position }) =>
  db
    .selectFrom('orders')
    .leftJoin('gift_messages as message', 'message.order_id', 'orders.id')
    .leftJoin('batch_rows as row', join =>
      join.onRef('row.order_id', '=', 'orders.id').on('row.position', '=', position),
    )
    .select(['message.words as ofOrder', 'row.words as own'])
    .where('orders.id', '=', orderId),
)

/** The same as whoever opens the card sees it. */
export async function giverMessage(
  db: Reader,
  card: PlaceInOrder & { readonly id: string },
): Promise<GiverMessage | null> {
  const words = await messageOf(db, card)
  return words === null ? null : { words, cardId: card.id }
}

/** Keeps it, in the transaction that makes the order. */
export async function keepMessage(trx: Writer, orderId: string, words: string, now: number): Promise<void> {
  await trx.insertInto('gift_messages').values({ order_id: orderId, words, created_at: now }).execute()
}

/**
 * Has what this gift says shown to nobody any more: its own words, else those of its order, which all of its gifts say.
 * @returns whose words they were; undefined where it says nothing
 */
export async function blankWords(trx: Writer, card: PlaceInOrder): Promise<'card' | 'order' | undefined> {
  if (card.order_id === null || (await messageOf(trx, card)) === null) return undefined
  if ((await blankRows(trx, card.order_id, card.position ?? 0)) > 0) return 'card'
  await forgetMessages(trx, [card.order_id])
  return 'order'
}

/** Has whatever the gifts of an order say shown to nobody any more. @returns whether they said anything */
export async function blankWordsOfOrder(trx: Writer, orderId: string): Promise<boolean> {
  const blanked = await blankRows(trx, orderId)
  return (await forgetMessages(trx, [orderId])) + blanked > 0
}

/** Takes whatever the givers of these orders wrote, names of recipients too. @returns how many texts and rows */
export async function forgetWritten(trx: Writer, orderIds: readonly string[]): Promise<number> {
  return (await forgetMessages(trx, orderIds)) + (await forgetRows(trx, orderIds))
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
