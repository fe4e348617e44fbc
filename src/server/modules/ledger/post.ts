import type { Money } from '#domain/money/money.ts'
import type { Account } from '#server/modules/ledger/accounts.ts'
import { enter } from '#server/modules/public-ledger/enter.ts'
import type { Writer } from '#server/platform/db/database.ts'

/** Entries that belong together and sum to zero. */
export interface EntrySet {
  /** Names what is booked (`sale:{order id}`), so that the same thing cannot be booked twice. */
  readonly id: string
  readonly cause: string
  readonly cardId: string | null
  readonly orderId: string | null
  /** Epoch ms UTC. */
  readonly at: number
  /** One amount per account, positive or negative. An amount of 0 is not written into the books. */
  readonly entries: readonly (readonly [Account, Money])[]
}

/**
 * Writes sets into the books and into the public ledger, within the transaction of what they book.
 * @throws Error when one of them does not sum to zero in each currency: nothing is written then
 */
export async function post(trx: Writer, ...sets: readonly EntrySet[]): Promise<void> {
  const rows = sets.flatMap(rowsOf)
  if (rows.length === 0) return
  await trx.insertInto('ledger_entries').values(rows).execute()
  // A set without an amount stands in neither.
  await enter(
    trx,
    sets.filter(({ entries }) => entries.some(([, { amount }]) => amount !== 0)),
  )
}

function rowsOf(set: EntrySet) {
  const entries = set.entries.filter(([, { amount }]) => amount !== 0)
  const sums = new Map<string, number>()
  for (const [, { amount, currency }] of entries) sums.set(currency, (sums.get(currency) ?? 0) + amount)
  for (const sum of sums.values()) {
    if (sum !== 0) throw new Error(`The entries of ${set.id} do not balance.`)
  }
  return entries.map(([account, { amount, currency }]) => ({
    id: `${set.id}/${account}`,
    set_id: set.id,
    account,
    currency,
    amount,
    card_id: set.cardId,
    order_id: set.orderId,
    cause: set.cause,
    created_at: set.at,
  }))
}
