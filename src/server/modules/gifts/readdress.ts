import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import type { Writer } from '#server/platform/db/database.ts'
import type { CardKeys } from './cards/keys.ts'
import { manyPageOf, movePage } from './many-pages.ts'
import { lockCard, lockCardsOfOrder, lockOrdersOf, STORED_CARDS, storedCard } from './stored-cards.ts'

/** Whose mails go where. */
export interface Readdressing {
  readonly giftKind: GiftKind
  readonly cardId: string
  readonly email: string
}

/**
 * Corrects the address that the mails of a card go to. An order of many has one buyer: the address is that of all its cards,
 * and its page and its purchase have other keys from then on, so that the mailbox before opens nothing of it any more.
 * @returns how many cards it is of, and whether it was another one; undefined where there is no such card
 */
export async function readdress(
  trx: Writer,
  keys: Pick<CardKeys, 'nextVersion'>,
  { giftKind, cardId, email }: Readdressing,
): Promise<{ readonly cards: number; readonly isNew: boolean } | undefined> {
  const found = await storedCard(trx, giftKind, cardId)
  const isOfPage = found?.order_id != null && (await manyPageOf(trx, found.order_id)) !== undefined
  const orderId = isOfPage ? found.order_id : null
  // The order first, then its cards: two corrections at once, or a correction and a press on the page, come one after the other.
  if (orderId !== null) await lockOrdersOf(trx, [cardId])
  const cards =
    orderId === null
      ? [await lockCard(trx, giftKind, cardId)].filter(card => card !== undefined)
      : await lockCardsOfOrder(trx, giftKind, orderId)
  if (cards.length === 0) return undefined
  if (cards.every(card => card.email === email)) return { cards: cards.length, isNew: false }
  const [column, value] = orderId === null ? (['id', cardId] as const) : (['order_id', orderId] as const)
  await trx.updateTable(STORED_CARDS[giftKind].table).set({ email }).where(column, '=', value).execute()
  const page = orderId === null ? undefined : await manyPageOf(trx, orderId)
  if (page) await movePage(trx, keys, page, cards)
  return { cards: cards.length, isNew: true }
}
