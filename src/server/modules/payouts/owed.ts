import { sql } from 'kysely'
import type { Currency } from '#domain/money/currency.ts'
import type { Reader } from '#server/platform/db/database.ts'
import { sumOf } from '#server/platform/db/sum-of.ts'

/** What one organisation has been given and is in no payout yet, in one currency. */
export interface Owed {
  readonly ngoId: string
  readonly currency: Currency
  /** Minor units. */
  readonly amount: number
  readonly allocations: number
  /** When the oldest of them was given, epoch ms UTC. */
  readonly oldestAt: number
}

/** What is owed, by organisation and currency. */
export async function owed(db: Reader): Promise<readonly Owed[]> {
  const rows = await db
    .selectFrom('allocations')
    .innerJoin('redemptions', 'redemptions.card_id', 'allocations.card_id')
    .leftJoin('payout_allocations as paid', join =>
      join.onRef('paid.card_id', '=', 'allocations.card_id').onRef('paid.ngo_id', '=', 'allocations.ngo_id'),
    )
    .select(['allocations.ngo_id', 'allocations.currency'])
    .select([
      sumOf('allocations.amount').as('amount'),
      sql<number>`count(*)`.as('allocations'),
      sql<number>`min(redemptions.created_at)`.as('oldest'),
    ])
    .where('paid.payout_id', 'is', null)
    .groupBy(['allocations.ngo_id', 'allocations.currency'])
    .orderBy('allocations.ngo_id')
    .orderBy('allocations.currency')
    .execute()
  return rows.map(row => ({
    ngoId: row.ngo_id,
    currency: row.currency,
    amount: row.amount,
    allocations: row.allocations,
    oldestAt: row.oldest,
  }))
}
