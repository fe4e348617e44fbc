import { money } from '#domain/money/money.ts'
import { supportLeft } from '#domain/money/reversal.ts'
import { isSold, ORDER_STATES } from '#domain/payment/order-states.ts'
import { Problem } from '#domain/problems.ts'
import { withdrawalEndsAt } from '#domain/withdrawal/period.ts'
import { type WithdrawalAnswer, withdrawalAnswer } from '#domain/withdrawal/withdrawal.ts'
import { type CardOf, storedCard } from '#server/modules/gifts/stored-cards.ts'
import { amountsOf } from '#server/modules/ledger/order-amounts.ts'
import { isSameSecret } from '#server/modules/payments/digests.ts'
import { type Order, orderById } from '#server/modules/payments/orders.ts'
import type { Reader } from '#server/platform/db/database.ts'
import { isIdShaped } from '#server/platform/db/ids.ts'
import type { WithdrawalParts } from './dependencies.ts'
import type { WithdrawablePurchase } from './interface.ts'
import type { Withdrawal } from './stored.ts'

export type AnyCard = CardOf['donation'] | CardOf['volunteering']

/** An order, and the card that came of it; none as long as its payment is on its way. */
export interface Purchase {
  readonly order: Order
  readonly card: AnyCard | undefined
}

/** The key that allows the withdrawal from a purchase. It dies with the links of its card. */
export const withdrawalKeyOf = (
  { keys }: { readonly keys: Pick<WithdrawalParts['keys'], 'withdrawalKey' | 'firstVersion'> },
  { order, card }: Purchase,
): string => keys.withdrawalKey(order.id, card?.key_version ?? keys.firstVersion)

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
  const card = await storedCard(db, order?.kind ?? 'donation', 'order_id', id)
  // The links of an order that has no card yet are as its card's will be.
  const expected = parts.keys.withdrawalKey(id, card?.key_version ?? parts.keys.firstVersion)
  if (!isSameSecret(key, expected) || !order) throw new Problem('payment-not-found')
  return { order, card }
}

/** When a purchase can no longer be withdrawn from: counted from the payment, once that has arrived. */
export const endsAtOf = ({ order }: Pick<Purchase, 'order'>, days: number): number =>
  withdrawalEndsAt(order.settled_at ?? order.created_at, days)

/** The answer to a withdrawal that was stated at an instant (epoch ms UTC). */
export async function answerOf(
  db: Reader,
  { order, card }: Purchase,
  { statedAt, days }: { readonly statedAt: number; readonly days: number },
): Promise<WithdrawalAnswer> {
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
    card: card?.status,
    isBookTaken: book !== undefined,
    support: order.support_amount,
    supportLeft: await supportLeftOf(db, order),
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
  { order, card }: Purchase,
  now: number,
): Promise<number> {
  const address = card?.email
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
export async function amountBack(db: Reader, order: Order, answer: WithdrawalAnswer): Promise<number> {
  if (answer === 'support') return supportLeftOf(db, order)
  if (answer !== 'whole') return 0
  const { refunded, lostToDisputes } = await goneBack(db, order.id)
  return order.total_amount - refunded - lostToDisputes
}

async function supportLeftOf(db: Reader, order: Order): Promise<number> {
  const { price, net, tax } = amountsOf(order)
  return supportLeft(await goneBack(db, order.id), { ngo: price.amount, net: net.amount, tax: tax.amount })
}

/** What is known of the money that has gone back, minor units. */
async function goneBack(db: Reader, orderId: string) {
  const back = await db
    .selectFrom('reversals')
    .select(['refunded', 'lost as lostToDisputes'])
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  return back ?? { refunded: 0, lostToDisputes: 0 }
}

/** A purchase as its page shows it. */
export function shown(
  { order, card }: Purchase,
  withdrawal: Withdrawal | undefined,
  { answer, days }: { readonly answer: WithdrawalAnswer; readonly days: number },
): WithdrawablePurchase {
  const { total } = amountsOf(order)
  return {
    orderId: order.id,
    kind: order.kind,
    total,
    boughtAt: (isSold(order.status) ? order.settled_at : undefined) ?? order.created_at,
    endsAt: endsAtOf({ order }, days),
    answer,
    name: order.sender_name ?? '',
    email: card?.email ?? '',
    ...(withdrawal && {
      confirmed: {
        state: withdrawal.state,
        answer: withdrawal.answer,
        amount: money(withdrawal.amount, order.currency),
        statedAt: withdrawal.stated_at,
        confirmedAt: withdrawal.confirmed_at,
        name: withdrawal.name ?? '',
        email: withdrawal.email ?? '',
      },
    }),
  }
}
