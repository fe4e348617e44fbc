import type { Selectable } from 'kysely'
import type { ChargeFacts } from '#domain/money/reversal.ts'
import { type Sealer, sealedAnew, sealOfCardReversal } from '#server/modules/ledger/seals.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import type { CardReversalsTable } from '#server/platform/db/schema.ts'

/** What is known of the money that went back of each card of an order of many. */
export async function cardReversals(
  db: Reader,
  orderId: string,
): Promise<ReadonlyMap<string, Selectable<CardReversalsTable>>> {
  const rows = await db
    .selectFrom('card_reversals')
    .innerJoin('cards', 'cards.id', 'card_reversals.card_id')
    .selectAll('card_reversals')
    .where('cards.order_id', '=', orderId)
    .execute()
  return new Map(rows.map(row => [row.card_id, row]))
}

/** Keeps it, where it is another than was known. */
export async function keepCardReversal(
  trx: Writer,
  keys: Sealer,
  {
    cardId,
    own,
    facts,
    taken,
    now,
  }: {
    readonly cardId: string
    readonly own: Selectable<CardReversalsTable> | undefined
    readonly facts: ChargeFacts
    readonly taken: number
    readonly now: number
  },
): Promise<void> {
  const { refunded, lostToDisputes: lost } = facts
  const before = own ?? { refunded: 0, lost: 0, taken: 0 }
  if (refunded === before.refunded && lost === before.lost && taken === before.taken) return
  const row = { refunded, lost, taken, updated_at: now }
  const sealed = { card_id: cardId, ...row, seal: null }
  const seal = own ? sealedAnew(keys, sealOfCardReversal, own, sealed) : sealOfCardReversal(keys, sealed)
  await trx
    .insertInto('card_reversals')
    .values({ ...sealed, seal })
    .onConflict(conflict => conflict.column('card_id').doUpdateSet({ ...row, seal }))
    .execute()
}
