import {
  byTheDay,
  closeBatches,
  leafOf,
  type Planned,
  payoutGroups,
  type Waiting,
} from '#domain/public-ledger/batches.ts'
import { PUBLICATION } from '#domain/public-ledger/entries.ts'
import type { Database } from '#server/platform/db/database.ts'
import { givenCards, paidOutUntil, payoutsOf } from './waiting.ts'

/**
 * The leaves that can be made today of what waits (product.md#public-ledger). What is in none of them goes on waiting.
 * @param today `YYYY-MM-DD`, UTC
 */
export async function planLeaves(
  db: Database,
  waiting: readonly Waiting[],
  today: string,
  goOn: () => Promise<void>,
): Promise<readonly Planned[]> {
  const by = Map.groupBy(waiting, ({ cause }) => PUBLICATION[cause])
  const batches = closeBatches(by.get('in-batch') ?? [], today)
  return [
    ...byTheDay(by.get('by-day') ?? []),
    ...(by.get('alone') ?? []).map(entry => leafOf(entry.day, [entry])),
    ...batches,
    ...(await payoutLeaves(db, by.get('after-batch') ?? [], batches, goOn)),
  ]
}

async function payoutLeaves(
  db: Database,
  waiting: readonly Waiting[],
  batches: readonly Planned[],
  goOn: () => Promise<void>,
): Promise<readonly Planned[]> {
  if (waiting.length === 0) return []
  const payouts = await payoutsOf(db, waiting, goOn)
  const shown = new Set(batches.flatMap(({ entries }) => entries.map(({ id }) => id)))
  const cards = await givenCards(db, shown, goOn)
  const leaves: Planned[] = []
  for (const some of Map.groupBy(payouts, ({ ngoId, currency }) => `${currency} ${ngoId}`).values()) {
    const { ngoId, currency } = some[0]!
    const from = await paidOutUntil(db, ngoId, currency, goOn)
    for (const group of payoutGroups(some, cards.get(currency) ?? [], from)) {
      const entries = group.flatMap(payout => payout.entries)
      // What was taken out and what the bank has paid are a leaf each.
      for (const alike of Map.groupBy(entries, ({ cause }) => cause).values())
        leaves.push(
          leafOf(
            alike
              .map(({ day }) => day)
              .sort()
              .at(-1)!,
            alike,
          ),
        )
    }
  }
  return leaves
}
