import { HOUR_MS } from '#domain/durations.ts'
import { orderStatesOf } from '#domain/payment/order-states.ts'
import { MOVEMENTS_READ } from '#server/modules/ledger/movements-read.ts'
import { asking } from '#server/modules/payments/provider.ts'
import type { Reader } from '#server/platform/db/database.ts'
import { sight, sightedAt } from '#server/platform/db/sightings.ts'
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
 * Problems: provider-unavailable; temporarily-unavailable.
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
    for (const { from, to } of windowsOf(begin, until)) {
      movements += await readWindow(deps, from, to, goOn)
      // Before it is noted that all is read: from then on the check asks about the orders that this looks after.
      if (to === until) movements += await readLate(deps, until, goOn)
      // As with these, the check asks about the payouts of before that instant, so their parts come first too.
      payouts += await keepPayoutParts(deps, goOn)
      // Also backwards, where the clock before was ahead: the check asks about no sale that was not read.
      await db.transaction(trx => sight(trx, MOVEMENTS_READ, to))
    }
  }
  return { movements, payouts }
}

/** From where on the provider's list is read, epoch ms UTC. */
interface Beginning {
  /** What the last reading had reached, by the clock of its server. */
  readonly reached: number
  /** The newest movement that the books have, by the provider's clock. */
  readonly newest: number
}

/** @returns undefined where nothing was ever sold */
async function beginning(db: Reader): Promise<Beginning | undefined> {
  const reached = await sightedAt(db, MOVEMENTS_READ)
  if (reached !== undefined) {
    const { newest } = await db
      .selectFrom('provider_movements')
      .select(eb => eb.fn.max('created_at').as('newest'))
      .executeTakeFirstOrThrow()
    return { reached, newest: newest ?? reached }
  }
  const first = await db
    .selectFrom('orders')
    .select('created_at')
    .where('status', 'in', orderStatesOf('sold'))
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
  return first && { reached: first.created_at, newest: first.created_at }
}

interface Window {
  readonly from: number
  readonly to: number
}

/**
 * What is read, the oldest first. A clock that was ahead has noted a time that the provider had not come to: so everything
 * since the newest movement that is known is asked for again, at once, since there is hardly ever anything in it.
 */
function windowsOf({ reached, newest }: Beginning, until: number): readonly Window[] {
  const begin = Math.min(reached - OVERLAP_MS, until)
  const windows: Window[] = []
  if (newest - OVERLAP_MS < begin) windows.push({ from: newest - OVERLAP_MS, to: begin })
  for (let from = begin; from < until; from += WINDOW_MS)
    windows.push({ from, to: Math.min(from + WINDOW_MS, until) })
  return windows
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
