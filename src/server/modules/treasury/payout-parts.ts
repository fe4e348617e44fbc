import { sql } from 'kysely'
import type Stripe from 'stripe'
import type { Currency } from '#domain/money/currency.ts'
import { isProblem } from '#domain/problems.ts'
import { PAYOUT_OF_UNKNOWN_PARTS } from '#server/modules/ledger/movements-read.ts'
import { asking, isNobodyThere } from '#server/modules/payments/provider.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'
import type { TreasuryDependencies } from './dependencies.ts'
import { knownMovements, takeMovement } from './take.ts'

/**
 * Asks the provider what its payouts are made of, where that is not known yet, and keeps it: all of a payout in one
 * transaction, once every movement that it names is booked and they come to its amount. One that came too late into the
 * provider's list to be read there is booked here. Where all of them will never be known, it is noted, and not asked again.
 * A payout that cannot be read keeps no other from being read, nor the movements behind it.
 * Problems: provider-unavailable; temporarily-unavailable.
 * @returns of how many it is known now
 */
export async function keepPayoutParts(
  deps: TreasuryDependencies,
  goOn: () => Promise<void>,
): Promise<number> {
  const { db, log } = deps
  let kept = 0
  for (const payout of await db.read(payoutsWithoutParts)) {
    try {
      if (await keepPartsOf(deps, payout)) kept++
    } catch (error) {
      if (isNobodyThere(error)) throw error
      // It is asked about again by the next run, and `check` names it.
      log.error('payout-parts-not-read', error, { payout: payout.source_id ?? payout.id })
    }
    await goOn()
  }
  return kept
}

/** @returns whether its parts are kept now */
async function keepPartsOf(deps: TreasuryDependencies, payout: PayoutMovement): Promise<boolean> {
  const { db, clock } = deps
  const parts = await partsOf(deps, payout)
  if (parts === undefined) return false
  if (parts === 'unknown') return noteMissing(deps, payout)
  if (parts !== 'by hand') await takeUnread(deps, parts)
  return db.transaction(async trx => {
    if (parts === 'by hand' || (await reachesBack(trx, parts))) {
      await noteUnknown(trx, payout.id, clock())
      return false
    }
    const ids = parts.map(({ id }) => id)
    const { count, net } = await booked(trx, ids)
    if (count !== ids.length || net !== -payout.net) return false
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
}

/** Both engines take a limited number of values in one statement, and a payout has any number of parts. */
const AT_ONCE = 500

/** How many of these movements are booked, and what they come to. */
async function booked(db: Reader, ids: readonly string[]) {
  let count = 0
  let net = 0
  for (let n = 0; n < ids.length; n += AT_ONCE) {
    const some = ids.slice(n, n + AT_ONCE)
    const rows = await db.selectFrom('provider_movements').select('net').where('id', 'in', some).execute()
    count += rows.length
    net += rows.reduce((total, row) => total + row.net, 0)
  }
  return { count, net }
}

interface PayoutMovement {
  readonly id: string
  readonly net: number
  readonly currency: Currency
  readonly source_id: string | null
}

async function payoutsWithoutParts(db: Reader): Promise<readonly PayoutMovement[]> {
  return db
    .selectFrom('provider_movements as payout')
    .select(['payout.id', 'payout.net', 'payout.currency', 'payout.source_id'])
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

/** Notes a payout that the provider knows no more, and tells the operator: nobody can say what it was made of. */
async function noteMissing(
  { db, log, clock }: TreasuryDependencies,
  { id, source_id, net, currency }: PayoutMovement,
): Promise<false> {
  const alarm = 'provider-payout-missing'
  const facts = { payout: source_id, movement: id, amount: 0 - net, currency }
  await db.transaction(async trx => {
    // It is not asked about again.
    await log.queueAlarm?.(trx, alarm, facts)
    await noteUnknown(trx, id, clock())
  })
  log.error(alarm, new Error(alarm), facts)
  return false
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

/**
 * What it is made of; of one that a person made by hand the provider never says, and of one that it does not know it says
 * nothing: the account is another one by now. Undefined where it does not say yet.
 */
async function partsOf(
  { stripe, log }: TreasuryDependencies,
  { id, source_id: source }: PayoutMovement,
): Promise<readonly Part[] | 'by hand' | 'unknown' | undefined> {
  if (source === null) return undefined
  try {
    const { automatic } = await asking(log, () => stripe.payouts.retrieve(source))
    if (!automatic) return 'by hand'
    const all = await asking(log, () =>
      Array.fromAsync(
        stripe.balanceTransactions.list({ payout: source, limit: 100, expand: ['data.source'] }),
      ),
    )
    const parts = all
      .filter(each => each.id !== id)
      .map(told => ({ id: told.id, at: told.created * 1000, told }))
    return parts.length > 0 ? parts : undefined
  } catch (error) {
    if (isProblem(error) && error.code === 'payment-not-found') return 'unknown'
    throw error
  }
}
