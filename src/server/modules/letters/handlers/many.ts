import { figuresOfMany } from '#domain/card/figures-of-many.ts'
import type { Language } from '#domain/languages.ts'
import { DEFAULT_MARKET } from '#domain/market.ts'
import { money } from '#domain/money/money.ts'
import { termOf } from '#server/modules/gifts/cards/kept-term.ts'
import { namedOrganisations } from '#server/modules/gifts/cards/named-organisations.ts'
import { manyPageOf } from '#server/modules/gifts/many-pages.ts'
import { type Card, cardsOfOrder } from '#server/modules/gifts/stored-cards.ts'
import { counted, usesOfOrder } from '#server/modules/payments/many/stored.ts'
import { type Order, orderById } from '#server/modules/payments/orders.ts'
import type { Reader } from '#server/platform/db/database.ts'
import type { Addressee } from '../letter.ts'
import type { GivenTo, ManyCards } from '../many.ts'
import type { MailParts } from '../parts.ts'
import { addresseeOf } from '../rows.ts'

/** An order of many, with its cards by their places, and what its letters say of it. */
export interface ToldMany {
  readonly order: Order
  readonly cards: readonly Card[]
  readonly told: ManyCards
}

/** The order of many that a card is of; undefined for a card that was bought alone, or claimed. */
export async function manyOf(
  db: Reader,
  { order_id: id }: Pick<Card, 'order_id'>,
  { keys, market, ngoName }: Pick<MailParts, 'keys' | 'market' | 'ngoName'>,
): Promise<ToldMany | undefined> {
  const page = id === null ? undefined : await manyPageOf(db, id)
  const order = page && (await orderById(db, page.order_id))
  if (!page || !order) return undefined
  const cards = await cardsOfOrder(db, 'donation', order.id)
  const [first] = cards
  if (!first) return undefined
  const fallback = (await namedOrganisations(db, keys, [first])).get(first.id)
  const told = {
    orderId: order.id,
    manyKey: keys.manyKey(order.id, page.key_version),
    cards: cards.length,
    unused: cards.filter(({ status }) => status === 'active').length,
    credit: money(first.credit, first.currency),
    boughtAt: order.settled_at ?? order.created_at,
    autoDonateAt: first.auto_donate_at,
    reminderDays: termOf(first).reminderDays,
    fallback: fallback === undefined ? undefined : ngoName(fallback, order.language),
    lastDayWords: (market?.(order.currency) ?? DEFAULT_MARKET).lastDayWords,
  }
  return { order, cards, told }
}

/** Whom letters about such an order go to; `address` null once the buyer was forgotten. A letter about many leads to no one card. */
export async function buyerOf(
  { cards }: ToldMany,
  parts: MailParts,
): Promise<{ readonly to: Addressee; readonly address: string | null; readonly language: Language }> {
  const card = cards.find(({ email }) => email !== null) ?? cards[0]!
  const { publicKey: _, ...to } = await addresseeOf(card, parts)
  return { to, address: card.email, language: card.language }
}

/** Where the credit of those went that nobody used, the most first. */
export async function givenAwayOf(
  db: Reader,
  { order, cards }: ToldMany,
  { ngoName }: Pick<MailParts, 'ngoName'>,
): Promise<{ readonly given: number; readonly to: readonly GivenTo[] }> {
  const { givenAway: given, drawn } = figuresOfMany(counted(cards, await usesOfOrder(db, order.id)))
  const to = drawn.map(({ ngoId, amount }) => ({
    name: ngoName(ngoId, order.language),
    amount: money(amount, order.currency),
  }))
  return { given, to }
}
