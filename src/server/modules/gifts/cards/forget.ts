import { sql } from 'kysely'
import { orderStatesOf } from '#domain/payment/order-states.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import { forgetMessages, forgetWritten } from '#server/modules/gifts/messages.ts'
import { forgetRowsOfCards } from '#server/modules/gifts/order-rows.ts'
import { forgetSendings } from '#server/modules/gifts/sendings/forget.ts'
import { STORED_CARDS } from '#server/modules/gifts/stored-cards.ts'
import { forgetWishesOf } from '#server/modules/gifts/wishes.ts'
import type { Database, Writer } from '#server/platform/db/database.ts'

const BATCH = 50
/** Ids in one statement. */
const MOST_CLEARED = 100
/** In the words of their indexes: the embedded database takes one for nothing else. */
const OVER = sql<boolean>`cards.status in ('consumed', 'revoked')`
const CAME_TO_NOTHING = sql<boolean>`status in (${sql.join(orderStatesOf('over').map(state => sql.lit(state)))})`

/**
 * Takes the sender's name and the buyer's address off some cards that were used, or given back, before an instant,
 * and the name off their orders. Numbers stay (product.md#privacy). Cards are gone through in the order of their ids.
 * @param before epoch ms UTC
 * @param after the last id looked at, '' to begin
 * @returns the id to go on after; undefined when this was the last
 */
export async function forgetSome(
  db: Database,
  before: number,
  after: string,
): Promise<{ readonly after: string | undefined; readonly cleared: number }> {
  return db.transaction(async trx => {
    const seen = await trx
      .selectFrom('cards')
      .leftJoin('redemptions', 'redemptions.card_id', 'cards.id')
      .select(['cards.id', 'cards.order_id', 'cards.auto_donate_at', 'redemptions.created_at'])
      .where(OVER)
      .where(eb => eb.or([eb('cards.email', 'is not', null), eb('cards.sender_name', 'is not', null)]))
      .where('cards.id', '>', after)
      .orderBy('cards.id')
      .limit(BATCH)
      .execute()
    // A revoked card can come back as long as its year lasts.
    const over = seen.filter(({ created_at, auto_donate_at }) => (created_at ?? auto_donate_at) < before)
    await clearPersons(trx, 'donation', over, 'when-all-are-over')
    return { after: seen.length < BATCH ? undefined : seen.at(-1)?.id, cleared: over.length }
  })
}

/**
 * Takes everything that names a person off cards of a kind, and off their orders. From then on nobody can tell which lines of
 * the public ledger are theirs.
 * @param fromOrders an order of many cards says who gave them as long as one of them does, unless that person is erased
 */
export async function clearPersons(
  trx: Writer,
  kind: GiftKind,
  cards: readonly { readonly id: string; readonly order_id: string | null }[],
  fromOrders: 'at-once' | 'when-all-are-over' = 'at-once',
): Promise<void> {
  for (let n = 0; n < cards.length; n += MOST_CLEARED) {
    const some = cards.slice(n, n + MOST_CLEARED)
    const ids = some.map(({ id }) => id)
    await trx
      .updateTable(STORED_CARDS[kind].table as 'cards')
      .set({ email: null, sender_name: null })
      .where('id', 'in', ids)
      .execute()
    await trx.deleteFrom('ledger_nonces').where('card_id', 'in', ids).execute()
    await trx.updateTable('draw_cards').set({ nonce: null }).where('card_id', 'in', ids).execute()
    // A recipient wrote for the giver alone. The digest stays, since the card has had its answer.
    await trx.updateTable('gift_answers').set({ words: null }).where('card_id', 'in', ids).execute()
    await forgetSendings(trx, ids)
    if (kind === 'donation') {
      await forgetRowsOfCards(trx, ids)
      await forgetWishesOf(trx, ids)
    }
    const named = [...new Set(some.map(({ order_id }) => order_id).filter(id => id !== null))]
    const orders = fromOrders === 'at-once' ? named : await nobodyIn(trx, kind, named)
    if (orders.length === 0) continue
    // Of many cards one may have another address by now, and still says who gave it.
    await trx
      .updateTable(STORED_CARDS[kind].table as 'cards')
      .set({ sender_name: null })
      .where('order_id', 'in', orders)
      .where('sender_name', 'is not', null)
      .execute()
    await clearOrders(trx, orders)
  }
}

/** Takes everything that names a person off some orders. Their cards, if there are any, are cleared apart. */
export async function clearOrders(trx: Writer, orders: readonly string[]): Promise<void> {
  await trx.updateTable('orders').set({ sender_name: null }).where('id', 'in', orders).execute()
  await forgetWritten(trx, orders)
  // No personal data is asked for, and none may be kept where a partner wrote some all the same.
  await trx.updateTable('partner_orders').set({ reference: null }).where('order_id', 'in', orders).execute()
  await trx.deleteFrom('ledger_nonces').where('order_id', 'in', orders).execute()
  // The withdrawal, its order and its time stay, as the books need them.
  await trx
    .updateTable('withdrawals')
    .set({ name: null, email: null })
    .where('order_id', 'in', orders)
    .execute()
}

/** Those of some orders of which no card names a person any more. */
async function nobodyIn(trx: Writer, kind: GiftKind, orders: readonly string[]): Promise<readonly string[]> {
  if (orders.length === 0) return []
  const rows = await trx
    .selectFrom(STORED_CARDS[kind].table as 'cards')
    .select('order_id')
    .where('order_id', 'in', orders)
    .where(eb => eb.or([eb('email', 'is not', null), eb('sender_name', 'is not', null)]))
    .execute()
  const left = new Set(rows.map(({ order_id }) => order_id))
  return orders.filter(id => !left.has(id))
}

/** Takes the sender's name, and what they wrote, off orders that came to nothing before an instant. @returns how many */
export async function forgetUnpaid(db: Database, before: number): Promise<number> {
  const cleared = await db.transaction(async trx => {
    const unsent = await trx
      .selectFrom('gift_messages')
      .innerJoin('orders', 'orders.id', 'gift_messages.order_id')
      .select('orders.id')
      .where(CAME_TO_NOTHING)
      .where('orders.created_at', '<', before)
      .limit(BATCH)
      .execute()
    const unsaid = await trx
      .selectFrom('batch_rows')
      // The embedded database takes the tables in this order: most orders have no row.
      .crossJoin('orders')
      .select('orders.id')
      .distinct()
      .whereRef('orders.id', '=', 'batch_rows.order_id')
      .where(CAME_TO_NOTHING)
      .where('orders.created_at', '<', before)
      .limit(BATCH)
      .execute()
    await forgetWritten(
      trx,
      [...unsent, ...unsaid].map(({ id }) => id),
    )
    return trx
      .updateTable('orders')
      .set({ sender_name: null })
      .where('id', 'in', eb =>
        eb
          .selectFrom('orders')
          .select('id')
          .where(CAME_TO_NOTHING)
          .where('sender_name', 'is not', null)
          .where('created_at', '<', before)
          .limit(BATCH),
      )
      .returning(sql<number>`1`.as('one'))
      .execute()
  })
  return cleared.length
}

/**
 * Takes the messages off some gifts that were over before an instant, whatever else they say of a person: most messages go
 * with their card's address and name, but a card may have neither.
 * @param before epoch ms UTC: of a card's use, or of its last day where it was given back
 * @param invitedBefore epoch ms UTC: of the making of an invitation
 * @returns how many
 */
export async function forgetMessagesOfNobody(
  db: Database,
  before: number,
  invitedBefore: number,
): Promise<number> {
  return db.transaction(async trx => {
    const ofCards = await trx
      .selectFrom('gift_messages')
      // The embedded database takes these tables in this order: most gifts have no message.
      .crossJoin('cards')
      .leftJoin('redemptions', 'redemptions.card_id', 'cards.id')
      .select('gift_messages.order_id')
      .whereRef('cards.order_id', '=', 'gift_messages.order_id')
      .where(OVER)
      .where(eb => eb(eb.fn.coalesce('redemptions.created_at', 'cards.auto_donate_at'), '<', before))
      // Of many cards the last one has to be over, too.
      .where(
        sql<boolean>`not exists (select 1 from cards as other
          left join redemptions as used on used.card_id = other.id
          where other.order_id = gift_messages.order_id and (other.status not in ('consumed', 'revoked')
            or coalesce(used.created_at, other.auto_donate_at) >= ${before}))`,
      )
      .limit(BATCH)
      .execute()
    const ofInvitations = await trx
      .selectFrom('gift_messages')
      .crossJoin('volunteering_cards')
      .select('gift_messages.order_id')
      .whereRef('volunteering_cards.order_id', '=', 'gift_messages.order_id')
      .where('volunteering_cards.created_at', '<', invitedBefore)
      .limit(BATCH)
      .execute()
    return forgetMessages(
      trx,
      [...ofCards, ...ofInvitations].map(({ order_id }) => order_id),
    )
  })
}

/**
 * Takes the persons off some withdrawals that ended before an instant: those from an order without a card, or with one
 * that says no person, go with no card. @returns how many
 */
export async function forgetWithdrawn(db: Database, before: number): Promise<number> {
  const cleared = await db.transaction(trx =>
    trx
      .updateTable('withdrawals')
      .set({ name: null, email: null })
      .where('order_id', 'in', eb =>
        eb
          .selectFrom('withdrawals')
          .select('order_id')
          .where('state', 'in', ['refunded', 'closed'])
          .where('changed_at', '<', before)
          .where(each => each.or([each('name', 'is not', null), each('email', 'is not', null)]))
          .limit(BATCH),
      )
      .returning('order_id')
      .execute(),
  )
  return cleared.length
}

/** Takes the persons off some volunteering cards, and their orders, made before an instant. @returns how many */
export async function forgetVolunteering(db: Database, before: number): Promise<number> {
  return db.transaction(async trx => {
    const old = await trx
      .selectFrom('volunteering_cards')
      .select(['id', 'order_id'])
      .where('created_at', '<', before)
      .where(eb => eb.or([eb('email', 'is not', null), eb('sender_name', 'is not', null)]))
      .limit(BATCH)
      .execute()
    await clearPersons(trx, 'volunteering', old)
    return old.length
  })
}
