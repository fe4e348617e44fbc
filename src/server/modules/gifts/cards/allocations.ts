import { money } from '#domain/money/money.ts'
import type { Allocation } from '#domain/redemption/split.ts'
import type { Reader } from '#server/platform/db/database.ts'

/** What was given of a card, in the order in which the organisations were chosen; nothing when it is not used. */
export async function allocationsOf(db: Reader, cardId: string): Promise<readonly Allocation[]> {
  const rows = await db
    .selectFrom('allocations')
    .select(['ngo_id', 'points', 'amount', 'currency'])
    .where('card_id', '=', cardId)
    .orderBy('position')
    .execute()
  return rows.map(row => ({
    ngoId: row.ngo_id,
    amount: money(row.amount, row.currency),
    points: row.points,
  }))
}
