import { sql } from 'kysely'
import { HOLD_REASONS, type HoldReason } from '#domain/card/holds.ts'
import { type CardStatus, isGiven, statusToWithdraw } from '#domain/card/states.ts'
import { DAY_MS } from '#domain/durations.ts'
import type { Currency } from '#domain/money/currency.ts'
import { leftOfCard } from '#domain/money/reversal-parts.ts'
import { isAbout, placesNamed } from '#domain/withdrawal/cards.ts'
import {
  holdsCard,
  isRefundAsked,
  type WithdrawalAnswer,
  type WithdrawalState,
} from '#domain/withdrawal/withdrawal.ts'
import { CARD_TABLES } from '#server/modules/gifts/stored-cards.ts'
import { type Finding, MOST } from '#server/modules/integrity/findings.ts'
import { saleOfEach } from '#server/modules/ledger/order-amounts.ts'
import type { Reader } from '#server/platform/db/database.ts'

/**
 * A withdrawal agrees with the money. If it is refunded, its amount went back, and the card of a whole refund is
 * revoked. Until then nobody can use that card. Of an order of many those that were used before stay given.
 */
export async function withdrawalsAmiss(db: Reader): Promise<readonly Finding[]> {
  const rows = await cardsOfWithdrawals(db)
  return [...rows.flatMap(againstMoney), ...moreThanLeft(rows), ...askedTwice(rows)].slice(0, MOST)
}

/** Each withdrawal beside each card of its order; beside none where the order has no card yet. */
const cardsOfWithdrawals = (db: Reader): Promise<readonly MoneyOfWithdrawal[]> =>
  db
    .selectFrom('withdrawals')
    .innerJoin('orders', 'orders.id', 'withdrawals.order_id')
    .leftJoin('reversals', 'reversals.order_id', 'orders.id')
    .leftJoin('cards', 'cards.order_id', 'orders.id')
    .leftJoin('card_reversals', 'card_reversals.card_id', 'cards.id')
    .leftJoin('redemptions', 'redemptions.card_id', 'cards.id')
    .leftJoin('card_holds', join =>
      join.onRef('card_holds.card_id', '=', 'cards.id').on('card_holds.reason', '=', 'draw'),
    )
    .leftJoin('volunteering_cards', 'volunteering_cards.order_id', 'orders.id')
    .select(['orders.id', 'orders.currency', 'orders.total_amount', 'orders.support_amount'])
    .select(['orders.ngo_amount', 'orders.tax_amount'])
    .select(['withdrawals.state', 'withdrawals.answer', 'withdrawals.amount', 'withdrawals.confirmed_at'])
    .select(['orders.card_count', 'withdrawals.cards', 'withdrawals.number'])
    .select('cards.position')
    .select('card_holds.created_at as left_at')
    // What was left to the draw is given from then on.
    .select(sql<number | null>`coalesce(card_holds.created_at, redemptions.created_at)`.as('used_at'))
    .select(['card_reversals.refunded as card_refunded', 'card_reversals.lost as card_lost'])
    .select(['reversals.refunded', 'reversals.lost'])
    .select(sql<CardStatus | null>`coalesce(cards.status, volunteering_cards.status)`.as('status'))
    .where('withdrawals.state', '<>', 'closed')
    .execute()

/** Holds what a withdrawal says of one card against the state of that card, and against what went back. */
function againstMoney(row: MoneyOfWithdrawal): readonly Finding[] {
  const { id, currency, state, answer, amount, status } = row
  const differs = (expected: number, found: number): readonly Finding[] => [
    { rule: 'withdrawal-differs', subject: id, expected, found, currency },
  ]
  if (!isAboutCard(row)) return []
  const isOneOfMany = row.card_count > 1
  const isUsed = status !== null && isGiven(statusToWithdraw(status, row.left_at !== null))
  const wasUsedBefore = isUsed && (row.used_at ?? 0) <= row.confirmed_at + CLOCKS_APART_MS
  if (isOneOfMany && wasUsedBefore) return []
  const refunded = row.refunded ?? 0
  const backOfOrder = refunded + (row.lost ?? 0)
  if (answer === 'support' && amount > row.support_amount) return differs(row.support_amount, amount)
  if (state === 'refunded' && answer === 'support' && refunded < amount) return differs(amount, refunded)
  if (state === 'refunded' && answer === 'whole') {
    const whole = isOneOfMany ? row.total_amount / row.card_count : row.total_amount
    const back = isOneOfMany ? (row.card_refunded ?? 0) + (row.card_lost ?? 0) : backOfOrder
    if (status !== 'revoked' || back < whole) return differs(whole, back)
  }
  const canBeUsed = status === 'active' || isUsed
  return holdsCard(state, answer) && canBeUsed ? differs(amount, backOfOrder) : []
}

/** The clock of the server where a card was used may differ by hours from that of the one where its buyer withdrew. */
const CLOCKS_APART_MS = DAY_MS

interface MoneyOfWithdrawal extends AmountOfWithdrawal {
  /** When it was pressed for, epoch ms UTC. */
  readonly confirmed_at: number
  /** When the card was used, or left to the draw. */
  readonly used_at: number | null
  /** What the provider says of the whole order, and of this card of it. */
  readonly refunded: number | null
  readonly lost: number | null
  readonly card_refunded: number | null
  readonly card_lost: number | null
}

interface AmountOfWithdrawal extends CardOfWithdrawal {
  readonly answer: WithdrawalAnswer
  /** Of the whole withdrawal, minor units. */
  readonly amount: number
  /** Null before there are cards. */
  readonly status: CardStatus | null
  readonly left_at: number | null
  readonly card_count: number
  readonly ngo_amount: number
  readonly support_amount: number
  readonly tax_amount: number
  readonly total_amount: number
}

/**
 * Of an order of many no more goes back than the price of each card that nobody has used, and the support of each that
 * somebody has. A card that was used after its withdrawal makes it more, whatever the clocks say.
 */
function moreThanLeft(rows: readonly AmountOfWithdrawal[]): readonly Finding[] {
  const whole = rows.filter(
    row =>
      row.card_count > 1 &&
      // As long as its payment is on its way all of that goes back.
      row.status !== null &&
      row.answer === 'whole' &&
      (row.state === 'refunded' || holdsCard(row.state, row.answer)) &&
      isAboutCard(row),
  )
  const byWithdrawal = Map.groupBy(whole, ({ id, number }) => `${id}/${number}`)
  return [...byWithdrawal.values()].flatMap((of): Finding[] => {
    const [{ id, amount, currency }] = of as [AmountOfWithdrawal]
    const most = of.reduce((sum, row) => sum + mostOfCard(row), 0)
    return amount > most
      ? [{ rule: 'withdrawal-differs', subject: id, expected: most, found: amount, currency }]
      : []
  })
}

function mostOfCard(row: AmountOfWithdrawal): number {
  const status = statusToWithdraw(row.status ?? 'active', row.left_at !== null)
  const nothing = { refunded: 0, lostToDisputes: 0 }
  return leftOfCard('whole', { status, isOneOfMany: true }, nothing, saleOfEach(row))
}

interface CardOfWithdrawal {
  readonly id: string
  readonly number: number
  /** The numbers of its cards; null where it is from all. */
  readonly cards: string | null
  readonly position: number | null
  readonly state: WithdrawalState
  readonly currency: Currency
}

const isAboutCard = ({ cards, position }: Pick<CardOfWithdrawal, 'cards' | 'position'>): boolean =>
  isAbout({ cards: placesNamed(cards) }, position ?? 0)

/** No two withdrawals ask for the money of the same card. */
function askedTwice(rows: readonly CardOfWithdrawal[]): readonly Finding[] {
  const asked = rows.filter(row => isRefundAsked(row.state) && isAboutCard(row))
  const byCard = Map.groupBy(asked, ({ id, position }) => `${id}/${position ?? 0}`)
  return [...byCard.values()].flatMap((of): Finding[] => {
    const { size: found } = new Set(of.map(({ number }) => number))
    const [first] = of
    if (first === undefined || found === 1) return []
    return [{ rule: 'withdrawal-differs', subject: first.id, expected: 1, found, currency: first.currency }]
  })
}

/** What a card that was left to the draw can be held by: then it is not left, but frozen or being cancelled. */
const HOLDS_A_LEFT_CARD = HOLD_REASONS.filter(reason => reason !== 'draw')

/** A card is held exactly when it has a reason; what is used or revoked keeps none that matters. */
export async function holdsAmiss(db: Reader): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const table of CARD_TABLES) {
    const rows = await db
      .selectFrom(table as 'cards')
      .select('id')
      .where(eb => {
        const held = (reasons: readonly HoldReason[]) =>
          eb.exists(
            eb
              .selectFrom('card_holds')
              .select('card_holds.reason')
              .whereRef('card_holds.card_id', '=', sql.ref(`${table}.id`))
              .where('card_holds.reason', 'in', reasons),
          )
        return eb.or([
          eb.and([eb('status', '=', 'active'), held(HOLD_REASONS)]),
          eb.and([eb('status', '=', 'left'), held(HOLDS_A_LEFT_CARD)]),
          eb.and([eb('status', '=', 'left'), eb.not(held(['draw']))]),
          eb.and([eb('status', '=', 'frozen'), eb.not(held(['dispute', 'operator', 'refund']))]),
          eb.and([eb('status', '=', 'cancelling'), eb.not(held(['withdrawal']))]),
        ])
      })
      .limit(MOST)
      .execute()
    findings.push(...rows.map(({ id }): Finding => ({ rule: 'hold-differs', subject: id })))
  }
  return findings.slice(0, MOST)
}
