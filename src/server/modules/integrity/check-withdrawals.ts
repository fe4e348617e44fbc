import { sql } from 'kysely'
import type { CardStatus } from '#domain/card/states.ts'
import { holdsCard } from '#domain/withdrawal/withdrawal.ts'
import { CARD_TABLES } from '#server/modules/gifts/stored-cards.ts'
import { type Finding, MOST } from '#server/modules/integrity/findings.ts'
import type { Reader } from '#server/platform/db/database.ts'

/**
 * A withdrawal agrees with the money. If it is refunded, its amount went back, and the card of a whole refund is
 * revoked. Until then nobody can use that card.
 */
export async function withdrawalsAmiss(db: Reader): Promise<readonly Finding[]> {
  const rows = await db
    .selectFrom('withdrawals')
    .innerJoin('orders', 'orders.id', 'withdrawals.order_id')
    .leftJoin('reversals', 'reversals.order_id', 'orders.id')
    .leftJoin('cards', 'cards.order_id', 'orders.id')
    .leftJoin('volunteering_cards', 'volunteering_cards.order_id', 'orders.id')
    .select(['orders.id', 'orders.currency', 'orders.total_amount', 'orders.support_amount'])
    .select(['withdrawals.state', 'withdrawals.answer', 'withdrawals.amount'])
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
    if (answer === 'support' && amount > row.support_amount) return finding(row.support_amount, amount)
    if (state === 'refunded' && answer === 'support' && (row.refunded ?? 0) < amount)
      return finding(amount, row.refunded ?? 0)
    if (state === 'refunded' && answer === 'whole' && (status !== 'revoked' || back < row.total_amount))
      return finding(row.total_amount, back)
    const isLoose = status === 'active' || status === 'consumed'
    return holdsCard(state, answer) && isLoose ? finding(amount, back) : []
  })
  return findings.slice(0, MOST)
}

/** A card is held exactly when it has a reason; what is used or revoked keeps none that matters. */
export async function holdsAmiss(db: Reader): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (const table of CARD_TABLES) {
    const rows = await db
      .selectFrom(table as 'cards')
      .select('id')
      .where(eb => {
        const held = (reasons: readonly ('dispute' | 'operator' | 'withdrawal')[]) =>
          eb.exists(
            eb
              .selectFrom('card_holds')
              .select('card_holds.reason')
              .whereRef('card_holds.card_id', '=', sql.ref(`${table}.id`))
              .where('card_holds.reason', 'in', reasons),
          )
        return eb.or([
          eb.and([eb('status', '=', 'active'), held(['dispute', 'operator', 'withdrawal'])]),
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
