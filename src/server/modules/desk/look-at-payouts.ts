import { dayInMadrid } from '#domain/days.ts'
import { nextRunName } from '#domain/desk/payout-acts.ts'
import { DAY_MS } from '#domain/durations.ts'
import type { Currency } from '#domain/money/currency.ts'
import { FIRST_PAYOUT_STATE, type PayoutState, unpaidRefusal } from '#domain/payout/payout-states.ts'
import { advisedPayouts } from '#server/modules/payouts/advices/advices.ts'
import { type AdvisedFate, fateOfAdvised } from '#server/modules/payouts/advices/advised-fate.ts'
import type { Reader } from '#server/platform/db/database.ts'

/** A payout as the Studio shows it. */
export interface ShownPayout {
  readonly id: string
  readonly ngoId: string
  readonly name: string
  readonly currency: Currency
  /** Minor units. */
  readonly amount: number
  readonly status: PayoutState
  /** The run that it was made in; null where it was made alone. */
  readonly run: string | null
  /** Epoch ms UTC. */
  readonly madeAt: number
  readonly reference: string | null
  /** What became of a paid one at its organisation; null where the bank has not paid it. */
  readonly said: AdvisedFate | null
  /** Noted as paid by hand alone: no statement of the bank has shown it, and its organisation has not confirmed it. */
  readonly isByHand: boolean
}

export interface Look {
  /** Epoch ms UTC. */
  readonly at: number
  /** What the next run would be called. */
  readonly nextRun: string
  /** Organisations with a confirmed account. */
  readonly withAccount: readonly string[]
  /** Those that the bank has not paid, and those of the last months, the newest first. */
  readonly payouts: readonly ShownPayout[]
}

/** Of payouts that are paid or cancelled, those made in the last hundred days are shown. */
const SHOWN_FOR_MS = 100 * DAY_MS
const MOST = 500

/**
 * The payouts that a person may have to do something about. What is owed is not among it: it is read from every gift, and
 * stands in the summary.
 * @param now epoch ms UTC
 */
export async function lookAtPayouts(
  db: Reader,
  { nameOf }: { readonly nameOf: (ngoId: string) => string },
  now: number,
): Promise<Look> {
  const runs = await db.selectFrom('payout_runs').select('run_key').execute()
  const accounts = await db
    .selectFrom('payee_accounts')
    .select('ngo_id')
    .where('state', '=', 'current')
    .execute()
  const rows = await db
    .selectFrom('payouts')
    .leftJoin('payout_runs', 'payout_runs.id', 'payouts.run_id')
    .selectAll('payouts')
    .select('payout_runs.run_key')
    .where(eb =>
      eb.or([
        eb('payouts.status', '=', FIRST_PAYOUT_STATE),
        eb('payouts.created_at', '>', now - SHOWN_FOR_MS),
      ]),
    )
    .orderBy('payouts.created_at', 'desc')
    .orderBy('payouts.id')
    .limit(MOST)
    .execute()
  const advised = await advisedPayouts(db)
  const said = new Map(advised.map(each => [each.payout.id, fateOfAdvised(each)]))
  const received = new Set(
    advised.filter(({ receivedAt }) => receivedAt !== null).map(({ payout }) => payout.id),
  )
  return {
    at: now,
    nextRun: nextRunName(dayInMadrid(now), new Set(runs.map(({ run_key: name }) => name))),
    withAccount: accounts.map(({ ngo_id: ngoId }) => ngoId).sort(),
    payouts: rows.map(row => ({
      id: row.id,
      ngoId: row.ngo_id,
      name: nameOf(row.ngo_id),
      currency: row.currency,
      amount: row.amount,
      status: row.status,
      run: row.run_key,
      madeAt: row.created_at,
      reference: row.reference,
      said: said.get(row.id) ?? null,
      isByHand:
        row.status === 'paid' &&
        unpaidRefusal({ isSeen: row.seen_at !== null, isReceived: received.has(row.id) }) === undefined,
    })),
  }
}
