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

/** The allocations that are owed: given to an organisation and in no payout yet. The caller selects from them. */
export const owedAllocations = (db: Reader) =>
  db
    .selectFrom('allocations')
    .innerJoin('redemptions', 'redemptions.card_id', 'allocations.card_id')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('payout_allocations as taken')
            .select('taken.card_id')
            .whereRef('taken.card_id', '=', 'allocations.card_id')
            .whereRef('taken.ngo_id', '=', 'allocations.ngo_id'),
        ),
      ),
    )

/** What is owed, by organisation and currency. */
export async function owed(db: Reader): Promise<readonly Owed[]> {
  const rows = await owedAllocations(db)
    .select(['allocations.ngo_id', 'allocations.currency'])
    .select([
      sumOf('allocations.amount').as('amount'),
      sql<number>`count(*)`.as('allocations'),
      sql<number>`min(redemptions.created_at)`.as('oldest'),
    ])
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
