import type { Selectable } from 'kysely'
import type { Sealer } from '#server/modules/ledger/seals.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/db/ids.ts'
import type { PayoutRunsTable } from '#server/platform/db/schema.ts'
import { sumOf } from '#server/platform/db/sum-of.ts'
import { owed } from './owed.ts'
import { currentPayee, type PayeeAccount, payeeById } from './payee-accounts.ts'
import { isTakenAlready, type Payout, takeOut } from './payouts.ts'
import { type Also, PayoutRefused, refuseRestored } from './refused.ts'

export interface NewRun {
  /** What the operator calls it: `2026-11`. The same one again is the same run. */
  readonly runKey: string
  /** Only what was given before this instant, epoch ms UTC; everything when missing. */
  readonly givenBefore?: number | undefined
}

export interface PayoutRun {
  readonly run: Selectable<PayoutRunsTable>
  /** Was it made just now, or before? */
  readonly isNew: boolean
  readonly payouts: readonly Payout[]
  /** Organisations that are owed money and have no confirmed account: nothing was made for them. */
  readonly withoutAccount: readonly string[]
}

/**
 * Makes one payout for each organisation and currency of everything that is owed, all in one transaction. Organisations
 * without a confirmed account are left out and named.
 * @throws PayoutRefused when nothing is owed, nobody who is owed has an account, or a restored backup is not reconciled
 * @throws PayeeRefused when somebody else has written to an account: nothing is paid to anybody then
 */
export async function makeRun(
  db: Database,
  keys: Sealer,
  { runKey, givenBefore = Number.MAX_SAFE_INTEGER }: NewRun,
  now: number,
  also?: Also,
): Promise<PayoutRun> {
  try {
    return await db.transaction(async trx => {
      await also?.(trx)
      await refuseRestored(trx)
      const before = await runOf(trx, runKey)
      if (before !== undefined) return before
      const due = (await owed(trx)).filter(({ oldestAt }) => oldestAt < givenBefore)
      if (due.length === 0) throw new PayoutRefused('nothing-owed', 'Nothing is owed to anybody.')
      const run = { id: newId(now), run_key: runKey, created_at: now }
      await trx.insertInto('payout_runs').values(run).execute()
      const accounts = new Map<string, PayeeAccount | undefined>()
      for (const ngoId of new Set(due.map(each => each.ngoId)))
        accounts.set(ngoId, await currentPayee(trx, keys, ngoId))
      const payouts: Payout[] = []
      for (const { ngoId, currency } of due) {
        const account = accounts.get(ngoId)
        if (account === undefined) continue
        const of = { runId: run.id, accountId: account.id }
        const made = await takeOut(trx, { ngoId, currency, givenBefore }, now, of)
        if (made) payouts.push(made)
      }
      const withoutAccount = [...accounts].flatMap(([ngoId, account]) => (account ? [] : [ngoId]))
      if (payouts.length === 0) throw new PayoutRefused('no-account', lackingAccounts(withoutAccount))
      return { run, isNew: true, payouts, withoutAccount }
    })
  } catch (error) {
    if (!isTakenAlready(error)) throw error
    const other = await db.read(reader => runOf(reader, runKey))
    if (other !== undefined) return other
    throw new PayoutRefused(
      'meanwhile',
      'Another payout was made in this moment. Look at it, then try again.',
    )
  }
}

/** Who is paid nothing, and the way out, as a sentence. */
export function lackingAccounts(ngoIds: readonly string[]): string {
  return `No confirmed account: ${ngoIds.join(', ')}. \`account propose\` notes one, \`account confirm\` confirms it.`
}

/** A run that was made before. */
export async function runOf(db: Reader, runKey: string): Promise<PayoutRun | undefined> {
  const run = await db.selectFrom('payout_runs').selectAll().where('run_key', '=', runKey).executeTakeFirst()
  if (run === undefined) return undefined
  const payouts = await db
    .selectFrom('payouts')
    .selectAll()
    .where('run_id', '=', run.id)
    .orderBy('ngo_id')
    .orderBy('currency')
    .execute()
  return { run, isNew: false, payouts, withoutAccount: [] }
}

/** A payout that the bank is to pay, and where it goes. */
export interface Transfer {
  readonly payout: Payout
  readonly account: PayeeAccount
}

/**
 * What of a run the bank is to pay yet, and where.
 * @throws PayoutRefused where there is no such run, where an account is not the one that is paid to any more (its payout has
 *   to be cancelled and made anew), where a payout is not the sum of its gifts, or while a restored backup is not
 *   reconciled: a run of before it may be paid
 * @throws PayeeRefused where somebody else has written to an account
 */
export async function transfersOf(
  db: Reader,
  keys: Sealer,
  runKey: string,
): Promise<{ readonly run: PayoutRun['run']; readonly transfers: readonly Transfer[] }> {
  await refuseRestored(db)
  const found = await runOf(db, runKey)
  if (found === undefined)
    throw new PayoutRefused('no-such-run', `There is no run "${runKey}". \`payout run\` makes one.`)
  const sums = await sumsOf(db, found.run.id)
  const transfers: Transfer[] = []
  for (const payout of found.payouts) {
    if (payout.status !== 'open') continue
    if (sums.get(payout.id) !== payout.amount)
      throw new PayoutRefused(
        'not-the-sum',
        `Payout ${payout.id} is not the sum of its gifts: somebody else has written to it. Run \`check\`.`,
      )
    const account = payout.account_id === null ? undefined : await payeeById(db, keys, payout.account_id)
    if (account?.state !== 'current' || account.ngo_id !== payout.ngo_id)
      throw new PayoutRefused(
        'account-changed',
        `The account of ${payout.ngo_id} has changed since. Cancel payout ${payout.id}, and make it anew.`,
      )
    transfers.push({ payout, account })
  }
  return { run: found.run, transfers }
}

/** What the gifts of each payout of a run come to, by its id, minor units. */
async function sumsOf(db: Reader, runId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('payouts')
    .innerJoin('payout_allocations as taken', 'taken.payout_id', 'payouts.id')
    .innerJoin('allocations', join =>
      join
        .onRef('allocations.card_id', '=', 'taken.card_id')
        .onRef('allocations.ngo_id', '=', 'taken.ngo_id')
        .onRef('allocations.ngo_id', '=', 'payouts.ngo_id')
        .onRef('allocations.currency', '=', 'payouts.currency'),
    )
    .select(['payouts.id', sumOf('allocations.amount').as('amount')])
    .where('payouts.run_id', '=', runId)
    .groupBy('payouts.id')
    .execute()
  return new Map(rows.map(({ id, amount }) => [id, amount]))
}
