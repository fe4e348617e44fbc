import { HOUR_MS } from '#domain/durations.ts'
import { orderStatesOf } from '#domain/payment/order-states.ts'
import { MOVEMENTS_READ } from '#server/modules/ledger/movements-read.ts'
import { asking } from '#server/modules/payments/provider.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import type { TreasuryDependencies } from './dependencies.ts'
import { readLate } from './late.ts'
import { keepPayoutParts } from './payout-parts.ts'
import { knownMovements, takeMovement } from './take.ts'

/** What happened just now may not be in the provider's list yet, and its event is on its way to us. */
const LAG_MS = 10 * 60_000
/** Looked at again by the next run, should something have come into the list late. */
const OVERLAP_MS = 6 * HOUR_MS
/** So much of the provider's list is read at once. */
const WINDOW_MS = 7 * 24 * HOUR_MS

export interface ReadFacts {
  /** Movements that were booked. */
  readonly movements: number
  /** Payouts of which it is known now what they are made of. */
  readonly payouts: number
}

/**
 * Reads what moved the provider's balance since the last time, and books it: the oldest first, each in a transaction of
 * its own, so that it can be stopped anywhere and goes on where it was. For one process at a time.
 * Problems: provider-unavailable.
 * @param goOn called between two movements' transactions, and waited for
 */
export async function readMovements(
  deps: TreasuryDependencies,
  goOn: () => Promise<void> = async () => {},
): Promise<ReadFacts> {
  const { db, clock } = deps
  const begin = await db.read(beginning)
  let movements = 0
  let payouts = 0
  // Before the first sale nothing moves.
  if (begin !== undefined) {
    const until = clock() - LAG_MS
    for (let from = begin; from < until; from += WINDOW_MS) {
      const to = Math.min(from + WINDOW_MS, until)
      movements += await readWindow(deps, from, to, goOn)
      // Before it is noted that all is read: from then on the check asks about the orders that this looks after.
      if (to === until) movements += await readLate(deps, until, goOn)
      // As with these, the check asks about the payouts of before that instant, so their parts come first too.
      payouts += await keepPayoutParts(deps, goOn)
      await db.transaction(trx => noteRead(trx, to))
    }
  }
  return { movements, payouts }
}

/** From where on the provider's list is read, epoch ms UTC; undefined where nothing was ever sold. */
async function beginning(db: Reader): Promise<number | undefined> {
  const seen = await db
    .selectFrom('sightings')
    .select('at')
    .where('name', '=', MOVEMENTS_READ)
    .executeTakeFirst()
  if (seen) return seen.at - OVERLAP_MS
  const first = await db
    .selectFrom('orders')
    .select('created_at')
    .where('status', 'in', orderStatesOf('sold'))
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  return first && first.created_at - OVERLAP_MS
}

/** Never backwards: a clock that was put back reads what it knows again, and no harm is done. */
async function noteRead(trx: Writer, at: number): Promise<void> {
  await trx
    .insertInto('sightings')
    .values({ name: MOVEMENTS_READ, at })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ at }).where('sightings.at', '<', at))
    .execute()
}

async function readWindow(
  deps: TreasuryDependencies,
  from: number,
  to: number,
  goOn: () => Promise<void>,
): Promise<number> {
  const { db, stripe, log } = deps
  const created = { gte: Math.floor(from / 1000), lt: Math.ceil(to / 1000) }
  const newestFirst = await asking(log, () =>
    Array.fromAsync(stripe.balanceTransactions.list({ created, limit: 100, expand: ['data.source'] })),
  )
  const told = newestFirst.reverse()
  const known = await db.read(reader =>
    knownMovements(
      reader,
      told.map(({ id }) => id),
    ),
  )
  /** Charges whose card and books are known to agree with the provider in this run. */
  const followed = new Set<string>()
  let booked = 0
  for (const transaction of told) {
    if (known.has(transaction.id)) continue
    if (await takeMovement(deps, transaction, followed)) booked++
    await goOn()
  }
  return booked
}
