import { type Selectable, sql } from 'kysely'
import { type EarlierWithdrawal, placesNamed } from '#domain/withdrawal/cards.ts'
import { UNFINISHED_WITHDRAWALS } from '#domain/withdrawal/withdrawal.ts'
import { type Sealer, sealedAnew, sealOfWithdrawal } from '#server/modules/ledger/seals.ts'
import type { Database, Reader, Writer } from '#server/platform/db/database.ts'
import type { WithdrawalsTable } from '#server/platform/db/schema.ts'

export type Withdrawal = Selectable<WithdrawalsTable>

/** The withdrawals from an order, the first one first; none where its buyer has not withdrawn. Of an order of one there is one. */
export function withdrawalsOf(db: Reader, orderId: string): Promise<readonly Withdrawal[]> {
  return db.selectFrom('withdrawals').selectAll().where('order_id', '=', orderId).orderBy('number').execute()
}

/** The same as the rules about the cards of an order take it. */
export const asEarlier = (withdrawal: Withdrawal): EarlierWithdrawal => ({
  state: withdrawal.state,
  cards: placesNamed(withdrawal.cards),
  statedAt: withdrawal.stated_at,
})

/** Writes a new one, sealed. Its order is locked, so that no other has its number. */
export async function addWithdrawal(
  trx: Writer,
  keys: Sealer,
  row: Omit<Withdrawal, 'id' | 'seal'>,
): Promise<Withdrawal> {
  const id = row.number === 1 ? row.order_id : `${row.order_id}:${row.number}`
  const withdrawal = { ...row, id, seal: sealOfWithdrawal(keys, row) }
  await trx.insertInto('withdrawals').values(withdrawal).execute()
  return withdrawal
}

/**
 * Changes one and seals it anew. The update itself asks whether it is still as it was read.
 * @param now epoch ms UTC
 * @returns false, with nothing written, when somebody else has changed it
 */
export async function changeWithdrawal(
  trx: Writer,
  keys: Sealer,
  read: Withdrawal,
  set: Partial<Pick<Withdrawal, 'state' | 'answer' | 'amount' | 'attempt' | 'confirmed_at'>>,
  now: number,
): Promise<boolean> {
  const seal = sealedAnew(keys, sealOfWithdrawal, read, { ...read, ...set })
  const changed = await trx
    .updateTable('withdrawals')
    .set({ ...set, changed_at: now, seal })
    .where('id', '=', read.id)
    .where('state', '=', read.state)
    .where('attempt', '=', read.attempt)
    // The seal is made of what was read: of a row that is another one by now it would be broken.
    .where('amount', '=', read.amount)
    .where('answer', '=', read.answer)
    .returning('order_id')
    .executeTakeFirst()
  return changed !== undefined
}

/** Has a row the seal that the product gave it? Nothing is refunded for one that somebody else has written. */
export const isSealed = (keys: Sealer, withdrawal: Withdrawal): boolean =>
  withdrawal.seal === sealOfWithdrawal(keys, withdrawal)

/** Puts those of an order behind every other that is unfinished. @param now epoch ms UTC */
export async function postpone(db: Database, orderId: string, now: number): Promise<void> {
  await db.transaction(trx =>
    trx
      .updateTable('withdrawals')
      .set({ changed_at: now })
      .where('order_id', '=', orderId)
      .where(UNFINISHED)
      .execute(),
  )
}

/** Written out, not handed over as values: SQLite takes the partial index only where the question reads the same. */
const UNFINISHED = sql<boolean>`state in (${sql.join(UNFINISHED_WITHDRAWALS.map(state => sql.lit(state)))})`

/**
 * Those with work left to do, the one that changed longest ago first.
 * @param seen orders that are left out
 * @returns ids of orders; none once there is no other
 */
export async function unfinished(
  db: Reader,
  seen: readonly string[],
  limit: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('withdrawals')
    .select('order_id')
    .where(UNFINISHED)
    .$if(seen.length > 0, query => query.where('order_id', 'not in', seen))
    .orderBy('changed_at')
    .limit(limit)
    .execute()
  // An order can have several.
  return [...new Set(rows.map(({ order_id }) => order_id))]
}
