import { sql } from 'kysely'
import { HOLD_REASONS, type HoldReason } from '#domain/card/holds.ts'
import { type CardStatus, isGiven, statusToWithdraw } from '#domain/card/states.ts'
import { isAbout, placesNamed } from '#domain/withdrawal/cards.ts'
import { holdsCard, isRefundAsked, type WithdrawalState } from '#domain/withdrawal/withdrawal.ts'
import { CARD_TABLES } from '#server/modules/gifts/stored-cards.ts'
import { type Finding, MOST } from '#server/modules/integrity/findings.ts'
import type { Reader } from '#server/platform/db/database.ts'

/**
 * A withdrawal agrees with the money. If it is refunded, its amount went back, and the card of a whole refund is
 * revoked. Until then nobody can use that card. Of an order of many those that were used before stay given.
 */
export async function withdrawalsAmiss(db: Reader): Promise<readonly Finding[]> {
  const rows = await db
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
  const findings = rows.flatMap((row): Finding[] => {
    const { id, currency, state, answer, amount, status } = row
    const back = (row.refunded ?? 0) + (row.lost ?? 0)
    const finding = (expected: number, found: number): Finding[] => [
      { rule: 'withdrawal-differs', subject: id, expected, found, currency },
    ]
    const isOneOfMany = row.card_count > 1
    if (!isAboutCard(row)) return []
    const isUsed = status !== null && isGiven(statusToWithdraw(status, row.left_at !== null))
    if (isOneOfMany && isUsed && (row.used_at ?? 0) <= row.confirmed_at) return []
    if (answer === 'support' && amount > row.support_amount) return finding(row.support_amount, amount)
    if (state === 'refunded' && answer === 'support' && (row.refunded ?? 0) < amount)
      return finding(amount, row.refunded ?? 0)
    const ofCard = (row.card_refunded ?? 0) + (row.card_lost ?? 0)
    const [whole, gone] = isOneOfMany ? [row.total_amount / row.card_count, ofCard] : [row.total_amount, back]
    if (state === 'refunded' && answer === 'whole' && (status !== 'revoked' || gone < whole))
      return finding(whole, gone)
    const isLoose = status === 'active' || isUsed
    return holdsCard(state, answer) && isLoose ? finding(amount, back) : []
  })
  return [...findings, ...askedTwice(rows)].slice(0, MOST)
}

interface CardOfWithdrawal {
  readonly id: string
  readonly number: number
  /** The numbers of its cards; null where it is from all. */
  readonly cards: string | null
  readonly position: number | null
  readonly state: WithdrawalState
  readonly currency: string
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
          eb.and([eb('status', '=', 'frozen'), eb.not(held(['dispute', 'operator']))]),
          eb.and([eb('status', '=', 'cancelling'), eb.not(held(['withdrawal']))]),
        ])
      })
      .limit(MOST)
      .execute()
    findings.push(...rows.map(({ id }): Finding => ({ rule: 'hold-differs', subject: id })))
  }
  return findings.slice(0, MOST)
}
