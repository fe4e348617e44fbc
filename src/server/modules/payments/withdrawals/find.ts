import { numberOfCard, statusOfPurchase } from '#domain/card/batch.ts'
import { isGiven } from '#domain/card/states.ts'
import { money } from '#domain/money/money.ts'
import { supportLeft } from '#domain/money/reversal.ts'
import { leftOfCard } from '#domain/money/reversal-parts.ts'
import { isAwaited, isSold, ORDER_STATES } from '#domain/payment/order-states.ts'
import { Problem } from '#domain/problems.ts'
import { placesNamed } from '#domain/withdrawal/cards.ts'
import { withdrawalEndsAt } from '#domain/withdrawal/period.ts'
import { isRefunded, type WithdrawalAnswer, withdrawalAnswer } from '#domain/withdrawal/withdrawal.ts'
import { statusesToWithdraw } from '#server/modules/gifts/holds.ts'
import { purchaseKeyVersion } from '#server/modules/gifts/many-pages.ts'
import { type CardOf, cardsOfOrder } from '#server/modules/gifts/stored-cards.ts'
import { amountsOf, saleOfEach } from '#server/modules/ledger/order-amounts.ts'
import { cardReversals } from '#server/modules/payments/card-reversals.ts'
import { isSameSecret } from '#server/modules/payments/digests.ts'
import { invoiceOf } from '#server/modules/payments/invoices/stored.ts'
import { isByTransfer, type Order, orderById } from '#server/modules/payments/orders.ts'
import type { Reader } from '#server/platform/db/database.ts'
import { isIdShaped } from '#server/platform/db/ids.ts'
import type { WithdrawalParts } from './dependencies.ts'
import type { ConfirmedWithdrawal, WithdrawablePurchase } from './interface.ts'
import type { Withdrawal } from './stored.ts'

export type AnyCard = CardOf['donation'] | CardOf['volunteering']

/** An order, and the cards that came of it, or some of them, by their places; none as long as its payment is on its way. */
export interface Purchase {
  readonly order: Order
  readonly cards: readonly AnyCard[]
}

/** The key that allows the withdrawal from a purchase. It dies with the links of its card; of many, with the address of their page. */
export async function withdrawalKeyOf(
  db: Reader,
  { keys }: { readonly keys: Pick<WithdrawalParts['keys'], 'withdrawalKey' | 'firstVersion'> },
  { order, cards: [card] }: Purchase,
): Promise<string> {
  const version = card ? await purchaseKeyVersion(db, order.id, card) : keys.firstVersion
  return keys.withdrawalKey(order.id, version)
}

/**
 * The purchase that a key allows to withdraw from.
 * @throws Problem payment-not-found, after the same work, for an order that there is not and for every wrong key
 */
export async function purchaseOfKey(
  db: Reader,
  parts: Pick<WithdrawalParts, 'keys'>,
  orderId: string,
  key: string,
): Promise<Purchase> {
  const id = isIdShaped(orderId) ? orderId : ''
  const order = await orderById(db, id)
  const cards = await cardsOfOrder(db, order?.kind ?? 'donation', id)
  const [card] = cards
  // Before there are cards the key is that of the invoice, or as those of its card will be.
  const version = card
    ? await purchaseKeyVersion(db, id, card)
    : ((await invoiceOf(db, id))?.key_version ?? parts.keys.firstVersion)
  const isKey = isSameSecret(key, parts.keys.withdrawalKey(id, version))
  if (!isKey || !order) throw new Problem('payment-not-found')
  return { order, cards }
}

/**
 * When a purchase can no longer be withdrawn from: counted from the payment, once that has arrived. An invoice can be paid
 * for longer than these days: as long as it waits they count from its end.
 */
export const endsAtOf = ({ order }: Pick<Purchase, 'order'>, days: number): number => {
  const ordered = isByTransfer(order) && isAwaited(order.status) ? order.expires_at : order.created_at
  return withdrawalEndsAt(order.settled_at ?? ordered, days)
}

/** The answer to a withdrawal that was stated at an instant (epoch ms UTC). */
export async function answerOf(
  db: Reader,
  { order, cards }: Purchase,
  { statedAt, days }: { readonly statedAt: number; readonly days: number },
): Promise<WithdrawalAnswer> {
  const [card] = cards
  const statusOf = await statusesToWithdraw(db, cards)
  const book =
    card && order.kind === 'volunteering'
      ? await db
          .selectFrom('book_downloads')
          .select('card_id')
          .where('card_id', '=', card.id)
          .executeTakeFirst()
      : undefined
  return withdrawalAnswer({
    order: ORDER_STATES[order.status].standing,
    card: statusOfPurchase(cards.map(each => ({ status: statusOf(each) }))),
    isBookTaken: book !== undefined,
    support: order.support_amount,
    supportLeft: await supportLeftOf(db, { order, cards }),
    statedAt,
    endsAt: endsAtOf({ order }, days),
  })
}

/**
 * Since when a buyer has been withdrawing: the first statement that was made with the purchase's own address, about
 * it or about no order by name; `now` where there is none. A statement from before the purchase is about another one.
 */
export async function statedAtOf(
  db: Reader,
  { keys }: Pick<WithdrawalParts, 'keys'>,
  { order, cards }: Purchase,
  now: number,
): Promise<number> {
  const address = cards.find(({ email }) => email !== null)?.email
  if (address === null || address === undefined) return now
  const first = await db
    .selectFrom('withdrawal_statements')
    .select('created_at')
    .where('address', 'in', keys.pseudonyms(address.toLowerCase()))
    .where('created_at', '>=', order.created_at)
    .where(eb => eb.or([eb('order_id', 'is', null), eb('order_id', '=', order.id)]))
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  return Math.min(first?.created_at ?? now, now)
}

/** What goes back of a purchase that is answered so, minor units: what has not gone back before, of all or the support. */
export async function amountBack(
  db: Reader,
  { order, cards }: Purchase,
  answer: WithdrawalAnswer,
): Promise<number> {
  if (!isRefunded(answer)) return 0
  // Before there is a card all of the payment is on its way.
  if (isAwaited(order.status)) return order.total_amount
  const parts = await partsBack(db, { order, cards }, answer)
  return parts.reduce((sum, { amount }) => sum + amount, 0)
}

/** What goes back of each of these cards, minor units. */
export async function partsBack(
  db: Reader,
  { order, cards }: Purchase,
  answer: WithdrawalAnswer,
): Promise<readonly { readonly card: AnyCard; readonly amount: number }[]> {
  const unit = saleOfEach(order)
  const back = await goneBack(db, { order })
  const statusOf = await statusesToWithdraw(db, cards)
  const isOneOfMany = order.card_count > 1
  return cards.map(card => ({
    card,
    amount: isRefunded(answer)
      ? leftOfCard(answer, { status: statusOf(card), isOneOfMany }, back(card.id), unit)
      : 0,
  }))
}

async function supportLeftOf(db: Reader, { order, cards }: Purchase): Promise<number> {
  const unit = saleOfEach(order)
  const back = await goneBack(db, { order })
  return cards.reduce((sum, { id }) => sum + supportLeft(back(id), unit), 0)
}

/** What is known of the money that has gone back of each of these cards, minor units. */
async function goneBack(db: Reader, { order }: Pick<Purchase, 'order'>) {
  const columns = ['refunded', 'lost as lostToDisputes'] as const
  const nothing = { refunded: 0, lostToDisputes: 0 }
  if (order.card_count > 1) {
    const known = await cardReversals(db, order.id)
    return (cardId: string) => {
      const row = known.get(cardId)
      return row ? { refunded: row.refunded, lostToDisputes: row.lost } : nothing
    }
  }
  const back = await db
    .selectFrom('reversals')
    .select(columns)
    .where('order_id', '=', order.id)
    .executeTakeFirst()
  return () => back ?? nothing
}

/** A purchase as its page shows it. */
export function shown(
  { order, cards }: Purchase,
  withdrawal: Withdrawal | undefined,
  { answer, days }: { readonly answer: WithdrawalAnswer; readonly days: number },
): WithdrawablePurchase {
  const { total } = amountsOf(order)
  return {
    orderId: order.id,
    kind: order.kind,
    byTransfer: isByTransfer(order),
    isAwaited: isAwaited(order.status),
    total,
    boughtAt: (isSold(order.status) ? order.settled_at : undefined) ?? order.created_at,
    endsAt: endsAtOf({ order }, days),
    answer,
    name: order.sender_name ?? '',
    email: cards.find(({ email }) => email !== null)?.email ?? '',
    ...(withdrawal && { confirmed: confirmedOf({ order, cards }, withdrawal) }),
  }
}

/** A withdrawal from a purchase, as its page shows it. */
export function confirmedOf({ order, cards }: Purchase, withdrawal: Withdrawal): ConfirmedWithdrawal {
  const places = placesNamed(withdrawal.cards)
  const isUsed = (position: number) => isGiven(cards[position]?.status ?? 'revoked')
  return {
    state: withdrawal.state,
    answer: withdrawal.answer,
    amount: money(withdrawal.amount, order.currency),
    statedAt: withdrawal.stated_at,
    confirmedAt: withdrawal.confirmed_at,
    name: withdrawal.name ?? '',
    email: withdrawal.email ?? '',
    cards: places?.map(numberOfCard),
    areSomeUsed: places?.some(isUsed) ?? false,
  }
}
