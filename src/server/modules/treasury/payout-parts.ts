import { sql } from 'kysely'
import type Stripe from 'stripe'
import { PAYOUT_OF_UNKNOWN_PARTS } from '#server/modules/ledger/movements-read.ts'
import { asking } from '#server/modules/payments/provider.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import type { TreasuryDependencies } from './dependencies.ts'
import { knownMovements, takeMovement } from './take.ts'

/**
 * Asks the provider what its payouts are made of, where that is not known yet, and keeps it: all of a payout in one
 * transaction, once every movement that it names is booked and they come to its amount. One that came too late into the
 * provider's list to be read there is booked here. Where all of them will never be known, it is noted, and not asked again.
 * Problems: provider-unavailable.
 * @returns of how many it is known now
 */
export async function keepPayoutParts(
  deps: TreasuryDependencies,
  goOn: () => Promise<void>,
): Promise<number> {
  const { db, stripe, log, clock } = deps
  let kept = 0
  for (const payout of await db.read(payoutsWithoutParts)) {
    const parts = await asking(log, () => partsOf(stripe, payout))
    if (parts === undefined) continue
    if (parts !== 'by hand') await takeUnread(deps, parts)
    const done = await db.transaction(async trx => {
      if (parts === 'by hand' || (await reachesBack(trx, parts))) {
        await noteUnknown(trx, payout.id, clock())
        return false
      }
      const ids = parts.map(({ id }) => id)
      const rows = await trx
        .selectFrom('provider_movements')
        .select(['id', 'net'])
        .where('id', 'in', ids)
        .execute()
      const sum = rows.reduce((total, { net }) => total + net, 0)
      if (rows.length !== ids.length || sum !== -payout.net) return false
      const at = clock()
      for (let n = 0; n < ids.length; n += AT_ONCE)
        await trx
          .insertInto('provider_payout_parts')
          .values(
            ids
              .slice(n, n + AT_ONCE)
              .map(id => ({ movement_id: id, payout_movement_id: payout.id, read_at: at })),
          )
          .onConflict(conflict => conflict.column('movement_id').doNothing())
          .execute()
      return true
    })
    if (done) kept++
    await goOn()
  }
  return kept
}

const AT_ONCE = 500

interface PayoutMovement {
  readonly id: string
  readonly net: number
  readonly source_id: string | null
}

async function payoutsWithoutParts(db: Reader): Promise<readonly PayoutMovement[]> {
  return db
    .selectFrom('provider_movements as payout')
    .select(['payout.id', 'payout.net', 'payout.source_id'])
    .where('payout.kind', '=', 'payout')
    .where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('provider_payout_parts as parts')
            .select('parts.movement_id')
            .whereRef('parts.payout_movement_id', '=', 'payout.id'),
        ),
      ),
    )
    .where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('sightings')
            .select('sightings.name')
            .where(sql<boolean>`sightings.name = ${sql.lit(PAYOUT_OF_UNKNOWN_PARTS)} || payout.id`),
        ),
      ),
    )
    .orderBy('payout.created_at')
    .execute()
}

/** Is something in it from before the first movement that the books have? That one is never read. */
async function reachesBack(db: Reader, parts: readonly Part[]): Promise<boolean> {
  const { first } = await db
    .selectFrom('provider_movements')
    .select(eb => eb.fn.min('created_at').as('first'))
    .executeTakeFirstOrThrow()
  return parts.some(({ at }) => at < first)
}

/** Books those that nobody has read, though later ones were. */
async function takeUnread(deps: TreasuryDependencies, parts: readonly Part[]): Promise<void> {
  const known = await deps.db.read(async reader =>
    (await reachesBack(reader, parts))
      ? undefined
      : knownMovements(
          reader,
          parts.map(({ id }) => id),
        ),
  )
  if (known === undefined) return
  const followed = new Set<string>()
  for (const { id, told } of parts) if (!known.has(id)) await takeMovement(deps, told, followed)
}

async function noteUnknown(trx: Writer, id: string, at: number): Promise<void> {
  await trx
    .insertInto('sightings')
    .values({ name: `${PAYOUT_OF_UNKNOWN_PARTS}${id}`, at })
    .onConflict(conflict => conflict.column('name').doNothing())
    .execute()
}

interface Part {
  readonly id: string
  /** Epoch ms UTC. */
  readonly at: number
  readonly told: Stripe.BalanceTransaction
}

/** What it is made of; of one that a person made by hand the provider never says. Undefined where it does not say yet. */
async function partsOf(
  stripe: Stripe,
  payout: PayoutMovement,
): Promise<readonly Part[] | 'by hand' | undefined> {
  if (payout.source_id === null) return undefined
  const { automatic } = await stripe.payouts.retrieve(payout.source_id)
  if (!automatic) return 'by hand'
  const all = await Array.fromAsync(
    stripe.balanceTransactions.list({ payout: payout.source_id, limit: 100, expand: ['data.source'] }),
  )
  const parts = all
    .filter(({ id }) => id !== payout.id)
    .map(told => ({ id: told.id, at: told.created * 1000, told }))
  return parts.length > 0 ? parts : undefined
}
