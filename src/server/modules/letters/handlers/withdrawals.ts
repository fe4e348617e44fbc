import { ALL_GIFT_KINDS } from '#domain/card/gifts.ts'
import type { Theme } from '#domain/themes.ts'
import { WITHDRAWAL_DAYS } from '#domain/withdrawal/withdrawal.ts'
import { themeOf } from '#server/modules/content/theme-releases.ts'
import { boughtWith } from '#server/modules/gifts/cards/by-address.ts'
import { cardsOfOrder, STORED_CARDS } from '#server/modules/gifts/stored-cards.ts'
import { invoicesOf } from '#server/modules/payments/invoices/forget.ts'
import { invoiceKeyOf, isInvoiceOf } from '#server/modules/payments/invoices/stored.ts'
import { orderById } from '#server/modules/payments/orders.ts'
import { type AnyCard, endsAtOf, shown, withdrawalKeyOf } from '#server/modules/payments/withdrawals/find.ts'
import { withdrawalsOf } from '#server/modules/payments/withdrawals/stored.ts'
import type { Reader } from '#server/platform/db/database.ts'
import type { Deliver } from '../deliver.ts'
import { type MailHandlers, type MailParts, siteIn } from '../parts.ts'
import { addresseeOf } from '../rows.ts'
import { type LinkedPurchase, withdrawalLinksMail, withdrawalMail } from '../withdrawals.ts'

/** Purchases in one mail, of each kind; whoever has bought more names the order. */
const MOST = 20

/** Send the letters about withdrawals. They read the state of the withdrawal at the time of sending. */
export function withdrawalHandlers(
  parts: MailParts,
  deliver: Deliver,
): MailHandlers<'withdrawal' | 'withdrawal-links'> {
  const { db, keys, withdrawalDays: days = WITHDRAWAL_DAYS.usual } = parts
  return {
    async withdrawal(job) {
      const { orderId, number = 1 } = job.payload
      const found = await db.read(async reader => {
        const order = await orderById(reader, orderId)
        const cards = order ? await cardsOfOrder(reader, order.kind, orderId) : []
        const withdrawals = await withdrawalsOf(reader, orderId)
        const withdrawal = withdrawals.find(each => each.number === number)
        return order && withdrawal && { order, cards, withdrawal }
      })
      // Of many cards some may be forgotten before the others.
      const card = found?.cards.find(({ email }) => email !== null)
      // Nobody is left to be told: the buyer was forgotten.
      if (!found || !card) return
      const { order, cards, withdrawal } = found
      const { confirmed, ...purchase } = shown({ order, cards }, withdrawal, {
        answer: withdrawal.answer,
        days,
      })
      if (!confirmed) return
      const mail = withdrawalMail(
        await addresseeOf(card, parts),
        { ...purchase, confirmed },
        siteIn(card.language, parts),
      )
      await deliver(mail, { job, to: card.email })
    },

    /** An address that bought and claimed nothing gets no mail. */
    async 'withdrawal-links'(job) {
      const stated = await db.read(reader =>
        reader
          .selectFrom('withdrawal_statements')
          .selectAll()
          .where('id', '=', job.payload.statementId)
          .executeTakeFirst(),
      )
      if (!stated) return
      const statedAt = stated.created_at
      const { cards, purchases, waiting } = await db.read(async reader => {
        const cards = await cardsOf(reader, stated.email)
        const named = await cardsOf(reader, stated.email, stated.order_id)
        const bought = await linked(reader, named.length > 0 ? named : cards)
        const waiting = await invoicedTo(reader, stated.email)
        return { cards, purchases: [...bought, ...waiting.map(({ purchase }) => purchase)], waiting }
      })
      const [newest, invoiced] = [cards[0], waiting[0]]
      const whom = newest
        ? await addresseeOf(newest, parts)
        : invoiced && { theme: invoiced.theme, name: null }
      if (!whom) return
      // About no one card.
      const to = { theme: whom.theme, name: whom.name, language: stated.language }
      const mail = withdrawalLinksMail(
        to,
        {
          name: stated.name,
          order: stated.order_id,
          statedAt,
          purchases: purchases.map(purchase => ({ ...purchase, isLate: statedAt >= purchase.endsAt })),
          hasFreeCards: cards.some(({ order_id: id }) => id === null),
        },
        siteIn(to.language, parts),
      )
      await deliver(mail, { job, to: newest?.email ?? stated.email })
    },
  }

  /** The orders that wait for a transfer from whoever has this address: there is no card of them yet. */
  async function invoicedTo(reader: Reader, address: string) {
    const found: { readonly theme: Theme; readonly purchase: Omit<LinkedPurchase, 'isLate'> }[] = []
    for (const invoice of await invoicesOf(reader, [address])) {
      const order = await orderById(reader, invoice.order_id)
      if (invoice.state !== 'open' || order?.status !== 'open' || !isInvoiceOf(keys, invoice, order)) continue
      const purchase = shown({ order, cards: [] }, undefined, { answer: 'whole', days })
      found.push({
        theme: await themeOf(reader, order.theme_id, order.created_at),
        purchase: { ...purchase, key: invoiceKeyOf(keys, invoice) },
      })
    }
    return found.slice(-MOST)
  }

  async function linked(
    reader: Reader,
    cards: readonly AnyCard[],
  ): Promise<readonly Omit<LinkedPurchase, 'isLate'>[]> {
    const purchases: Omit<LinkedPurchase, 'isLate'>[] = []
    for (const card of cards) {
      const order = card.order_id === null ? undefined : await orderById(reader, card.order_id)
      const bought = order ? await cardsOfOrder(reader, order.kind, order.id) : []
      if (!order || bought.every(({ status }) => status === 'revoked')) continue
      const purchase = shown({ order, cards: bought }, undefined, { answer: 'whole', days })
      purchases.push({
        ...purchase,
        endsAt: endsAtOf({ order }, days),
        key: await withdrawalKeyOf(reader, { keys }, { order, cards: bought }),
      })
    }
    return purchases
  }
}

/**
 * The cards of every kind and state of an address, the newest first; of an order of many the first one.
 * @param orderId that of this order alone, however many were bought since; null names none
 */
async function cardsOf(db: Reader, address: string, orderId?: string | null): Promise<readonly AnyCard[]> {
  if (orderId === null) return []
  const all: AnyCard[] = []
  for (const kind of ALL_GIFT_KINDS) {
    const some = await db
      .selectFrom(STORED_CARDS[kind].table as 'cards')
      .selectAll()
      .where(boughtWith(address))
      .$if(kind === 'donation', cards => cards.where('position', '=', 0))
      .$if(orderId !== undefined, named => named.where('order_id', '=', orderId ?? ''))
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(MOST)
      .execute()
    all.push(...some)
  }
  return all.toSorted((a, b) => b.created_at - a.created_at)
}
