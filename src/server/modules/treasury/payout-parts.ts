import type Stripe from 'stripe'
import { asking } from '#server/modules/payments/provider.ts'
import type { Reader } from '#server/platform/db/database.ts'
import type { TreasuryDependencies } from './dependencies.ts'

/**
 * Asks the provider what its payouts are made of, where that is not known yet, and keeps it: all of a payout in one
 * transaction, once every movement that it names is booked and they come to its amount.
 * Problems: provider-unavailable.
 * @returns of how many it is known now
 */
export async function keepPayoutParts(
  { db, stripe, log, clock }: TreasuryDependencies,
  goOn: () => Promise<void>,
): Promise<number> {
  let kept = 0
  for (const payout of await db.read(payoutsWithoutParts)) {
    const parts = await asking(log, () => partsOf(stripe, payout))
    if (parts === undefined) continue
    const done = await db.transaction(async trx => {
      const rows = await trx
        .selectFrom('provider_movements')
        .select(['id', 'net'])
        .where('id', 'in', parts)
        .execute()
      const sum = rows.reduce((total, { net }) => total + net, 0)
      if (rows.length !== parts.length || sum !== -payout.net) return false
      const at = clock()
      for (let n = 0; n < parts.length; n += AT_ONCE)
        await trx
          .insertInto('provider_payout_parts')
          .values(
            parts
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
    .orderBy('payout.created_at')
    .execute()
}

/** The ids of what it is made of; undefined where the provider does not say (a payout that a person made by hand). */
async function partsOf(stripe: Stripe, payout: PayoutMovement): Promise<readonly string[] | undefined> {
  if (payout.source_id === null) return undefined
  const { automatic } = await stripe.payouts.retrieve(payout.source_id)
  if (!automatic) return undefined
  const all = await Array.fromAsync(stripe.balanceTransactions.list({ payout: payout.source_id, limit: 100 }))
  const parts = all.map(({ id }) => id).filter(id => id !== payout.id)
  return parts.length > 0 ? parts : undefined
}
