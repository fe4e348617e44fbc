import { isOpenToUse } from '#domain/card/states.ts'
import { type Money, money } from '#domain/money/money.ts'
import { cardsNotAskedFor, cardsToWithdraw } from '#domain/withdrawal/cards.ts'
import type { Chosen } from '#domain/withdrawal/choice.ts'
import type { WithdrawalAnswer } from '#domain/withdrawal/withdrawal.ts'
import { statusesToWithdraw } from '#server/modules/gifts/holds.ts'
import { rowsOfOrder } from '#server/modules/gifts/order-rows.ts'
import type { Card } from '#server/modules/gifts/stored-cards.ts'
import { numbered } from '#server/modules/payments/many/stored.ts'
import type { Reader } from '#server/platform/db/database.ts'
import type { WithdrawalParts } from './dependencies.ts'
import { type AnyCard, answerOf, endsAtOf, type Purchase, partsBack, statedAtOf } from './find.ts'
import type { ChosenCards } from './interface.ts'
import { asEarlier, type Withdrawal } from './stored.ts'

/** What a buyer of many cards withdraws from with one press. */
export interface Part {
  readonly answer: WithdrawalAnswer
  /** The cards of which money goes back, by their places. */
  readonly cards: readonly AnyCard[]
  /** Those of them that nobody has used. */
  readonly unused: readonly AnyCard[]
  /** What goes back of all of them. */
  readonly back: Money
  /** Since when its buyer has been withdrawing from all of them, epoch ms UTC. */
  readonly statedAt: number
}

interface Press {
  /** The withdrawals that there are. */
  readonly earlier: readonly Withdrawal[]
  readonly chosen: Chosen
  /** Epoch ms UTC. */
  readonly now: number
}

/** What of an order of many would be withdrawn from, of all of its cards or of those that were chosen. */
export async function partOf(
  db: Reader,
  parts: Pick<WithdrawalParts, 'keys' | 'withdrawalDays'>,
  purchase: Purchase,
  { earlier, chosen, now }: Press,
): Promise<Part> {
  const { order } = purchase
  const { withdrawalDays: days } = parts
  const isChosen = (position: number) => chosen === 'all' || chosen.includes(position)
  const statusOf = await statusesToWithdraw(db, purchase.cards)
  const states = purchase.cards.map(card => ({ status: statusOf(card) }))
  const before = earlier.map(asEarlier)
  const stated = await statedAtOf(db, parts, purchase, now)
  const inTime = cardsToWithdraw(states, before, {
    statedAt: stated,
    endsAt: endsAtOf(purchase, days),
  }).filter(({ position }) => isChosen(position))
  // Where none is in time the answer says that, and not that all went back.
  const places =
    inTime.length > 0
      ? inTime.map(({ position }) => position)
      : cardsNotAskedFor(states, before).filter(isChosen)
  const some = { order, cards: places.map(position => purchase.cards[position]!) }
  const statedAt = inTime.length > 0 ? Math.max(...inTime.map(each => each.statedAt)) : stated
  const answer = await answerOf(db, some, { statedAt, days })
  const back = (await partsBack(db, some, answer)).filter(({ amount }) => amount > 0)
  const cards = back.map(({ card }) => card)
  return {
    answer,
    cards,
    unused: cards.filter(card => isOpenToUse(statusOf(card))),
    back: money(
      back.reduce((sum, { amount }) => sum + amount, 0),
      order.currency,
    ),
    statedAt,
  }
}

/** The same as its buyer knows it: numbers, and whom they named for each. */
export async function asChosen(db: Reader, orderId: string, part: Part): Promise<ChosenCards> {
  const rows = await rowsOfOrder(db, orderId)
  return {
    unused: part.unused.map(card => numbered(card as Card, rows)),
    used: part.cards.length - part.unused.length,
    back: part.back,
  }
}
