import { type Insertable, type Selectable, sql } from 'kysely'
import type { Currency } from '#domain/money/currency.ts'
import { money } from '#domain/money/money.ts'
import {
  FIRST_PAYOUT_STATE,
  PAYOUT_MOVES,
  PAYOUT_STATES,
  paidSets,
  payoutStatesMovedBy,
  unpaidRefusal,
} from '#domain/payout/payout-states.ts'
import { ngoAccount } from '#server/modules/ledger/accounts.ts'
import { post } from '#server/modules/ledger/post.ts'
import type { Database, Reader, Writer } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/db/ids.ts'
import type { PayoutsTable } from '#server/platform/db/schema.ts'
import { sumOf } from '#server/platform/db/sum-of.ts'
import { type AdviceKeys, aliveAdvice, lockedPayout, queueAdvice } from './advices/advices.ts'
import { owedAllocations } from './owed.ts'
import { type Also, PayoutRefused, refuseRestored } from './refused.ts'

export type Payout = Selectable<PayoutsTable>

export interface NewPayout {
  readonly ngoId: string
  readonly currency: Currency
  /** Only what was given before this instant, epoch ms UTC; everything when missing. */
  readonly givenBefore?: number | undefined
}

/**
 * Makes a payout of everything that an organisation is owed in a currency, and books it, in one transaction. The
 * key of `payout_allocations` keeps an allocation from being in two: of two payouts made at once, one is refused whole.
 * @throws PayoutRefused when nothing is owed, or somebody else pays the same out in this moment
 */
export async function createPayout(
  db: Database,
  { ngoId, currency, givenBefore }: NewPayout,
  now: number,
): Promise<Payout> {
  try {
    return await db.transaction(async trx => {
      const made = await takeOut(trx, { ngoId, currency, givenBefore }, now)
      if (made === undefined)
        throw new PayoutRefused('nothing-owed', `Nothing is owed to ${ngoId} in ${currency}.`)
      return made
    })
  } catch (error) {
    if (isTakenAlready(error)) {
      throw new PayoutRefused(
        'meanwhile',
        `Another payout to ${ngoId} was made in this moment. Look at it, then try again.`,
      )
    }
    throw error
  }
}

/** What the payout of a run has beside those that are made alone. */
interface OfRun {
  readonly runId: string
  readonly accountId: string
}

/**
 * Makes one payout and books it, within the transaction of whoever asks.
 * @returns undefined where nothing is owed: the transaction has to be given up then, or nothing else was to be written
 */
export async function takeOut(
  trx: Writer,
  { ngoId, currency, givenBefore = Number.MAX_SAFE_INTEGER }: NewPayout,
  now: number,
  run?: OfRun,
): Promise<Payout | undefined> {
  const id = newId(now)
  // The payout first, since its allocations name it; what they come to is known only once they are taken.
  const draft: Insertable<PayoutsTable> = {
    id,
    ngo_id: ngoId,
    currency,
    amount: 1,
    status: FIRST_PAYOUT_STATE,
    created_at: now,
    run_id: run?.runId ?? null,
    account_id: run?.accountId ?? null,
  }
  await trx.insertInto('payouts').values(draft).execute()
  await takeAllocations(trx, { id, ngoId, currency, givenBefore })
  const { amount } = await trx
    .selectFrom('payout_allocations')
    .innerJoin('allocations', join =>
      join
        .onRef('allocations.card_id', '=', 'payout_allocations.card_id')
        .onRef('allocations.ngo_id', '=', 'payout_allocations.ngo_id'),
    )
    .select(sumOf('allocations.amount').as('amount'))
    .where('payout_id', '=', id)
    .executeTakeFirstOrThrow()
  if (amount === 0) {
    await trx.deleteFrom('payouts').where('id', '=', id).execute()
    return undefined
  }
  await post(trx, {
    id: `payout:${id}`,
    cause: 'payout',
    cardId: null,
    orderId: null,
    at: now,
    entries: [
      [ngoAccount(ngoId), money(-amount, currency)],
      [PAYOUT_STATES[FIRST_PAYOUT_STATE].account, money(amount, currency)],
    ],
  })
  return trx
    .updateTable('payouts')
    .set({ amount })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

interface Taking {
  readonly id: string
  readonly ngoId: string
  readonly currency: Currency
  readonly givenBefore: number
}

async function takeAllocations(trx: Writer, { id, ngoId, currency, givenBefore }: Taking): Promise<void> {
  await trx
    .insertInto('payout_allocations')
    .columns(['card_id', 'ngo_id', 'payout_id'])
    .expression(
      owedAllocations(trx)
        .select(['allocations.card_id', 'allocations.ngo_id', sql<string>`${id}`.as('payout_id')])
        .where('allocations.ngo_id', '=', ngoId)
        .where('allocations.currency', '=', currency)
        .where('redemptions.created_at', '<', givenBefore),
    )
    .execute()
}

interface NotedAsPaid {
  readonly id: string
  /** The bank's. */
  readonly reference: string
  /** Does the bank's statement say so itself? */
  readonly isSeen?: boolean
}

/**
 * Notes that the bank has paid a payout, books it, and queues the mail to its organisation, all in one transaction.
 * @param keys make the link of the mail; without them nobody is written to
 * @throws PayoutRefused when there is no such payout, or it was paid under another reference
 */
export async function markPaid(
  db: Database,
  { id, reference, isSeen = false }: NotedAsPaid,
  now: number,
  keys?: AdviceKeys,
  also?: Also,
): Promise<Payout> {
  return db.transaction(async trx => {
    await also?.(trx)
    const paid = await trx
      .updateTable('payouts')
      .set({ status: PAYOUT_MOVES.paid.to, reference, paid_at: now, seen_at: isSeen ? now : null })
      .where('id', '=', id)
      .where('status', 'in', payoutStatesMovedBy('paid'))
      .returningAll()
      .executeTakeFirst()
    if (paid === undefined) return paidBefore(await payoutById(trx, id), reference)
    await postMove(trx, paid, { move: 'paid', takenBack: paid.taken_back, at: now })
    if (keys) await queueAdvice(trx, keys, paid, now)
    return paid
  })
}

interface PaidMove {
  readonly move: 'paid' | 'unpaid'
  /** How often it was taken back before. */
  readonly takenBack: number
  readonly at: number
}

/** Books that the bank has paid a payout, or that this is taken back, which turns the same two accounts round. */
async function postMove(
  trx: Writer,
  { id, amount, currency }: Payout,
  { move, takenBack, at }: PaidMove,
): Promise<void> {
  const from = PAYOUT_MOVES[move === 'paid' ? 'unpaid' : 'paid'].to
  const { to } = PAYOUT_MOVES[move]
  await post(trx, {
    id: paidSets(id, takenBack)[move],
    cause: `payout-${move}`,
    cardId: null,
    orderId: null,
    at,
    entries: [
      [PAYOUT_STATES[from].account, money(-amount, currency)],
      [PAYOUT_STATES[to].account, money(amount, currency)],
    ],
  })
}

const NO_SUCH_PAYOUT = new PayoutRefused(
  'no-such-payout',
  'There is no such payout. `payout list` shows all of them.',
)

/** The same said twice is said once. */
function paidBefore(payout: Payout | undefined, reference: string): Payout {
  if (payout === undefined) throw NO_SUCH_PAYOUT
  if (payout.status === 'cancelled')
    throw new PayoutRefused(
      'cancelled-already',
      'This payout was cancelled. What it paid out may be in another one by now.',
    )
  if (payout.reference === reference) return payout
  throw new PayoutRefused(
    'paid-already',
    `This payout was paid before, with the reference "${payout.reference}".`,
  )
}

/** A statement of the bank shows the transfers of payouts that were noted as paid before. */
export async function noteSeen(db: Database, ids: readonly string[], now: number): Promise<void> {
  for (const id of ids)
    await db.transaction(trx =>
      trx
        .updateTable('payouts')
        .set({ seen_at: now })
        .where('id', '=', id)
        .where('status', '=', PAYOUT_MOVES.paid.to)
        .where('seen_at', 'is', null)
        .execute(),
    )
}

/**
 * Takes back that the bank has paid a payout, which was noted by mistake: the books turn it round, it waits for the bank
 * again, and the link of the mail to its organisation is dead, all in one transaction. The same said twice is said once.
 * @throws PayoutRefused when there is no such payout, it is not noted as paid, a statement of the bank has shown its transfer, or its
 *   organisation says that the money has arrived
 */
export async function markUnpaid(db: Database, id: string, now: number, also?: Also): Promise<Payout> {
  return db.transaction(async trx => {
    await also?.(trx)
    const before = await lockedPayout(trx, id)
    if (!PAYOUT_MOVES.unpaid.from[before.status]) return unpaidBefore(before)
    const advice = await aliveAdvice(trx, id)
    const refusal = unpaidRefusal({
      isSeen: before.seen_at !== null,
      isReceived: advice !== undefined && advice.received_at !== null,
    })
    if (refusal !== undefined) throw new PayoutRefused(refusal, UNPAID_REFUSALS[refusal])
    if (advice !== undefined) await withdrawUnreceived(trx, advice.id, now)
    const open = await trx
      .updateTable('payouts')
      .set({
        status: PAYOUT_MOVES.unpaid.to,
        reference: null,
        paid_at: null,
        taken_back: before.taken_back + 1,
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await postMove(trx, open, { move: 'unpaid', takenBack: before.taken_back, at: now })
    return open
  })
}

/** @throws PayoutRefused where the organisation has just said that the money has arrived: that word stands */
async function withdrawUnreceived(trx: Writer, adviceId: string, now: number): Promise<void> {
  const withdrawn = await trx
    .updateTable('payout_advices')
    .set({ withdrawn_at: now })
    .where('id', '=', adviceId)
    .where('received_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (withdrawn === undefined) throw new PayoutRefused('received', UNPAID_REFUSALS.received)
}

const UNPAID_REFUSALS = {
  'seen-at-bank': 'A statement of the bank has shown this transfer: it is paid.',
  received:
    'Its organisation says that the money has arrived. Call it; where that was a mistake, `payout unadvise` comes first.',
} as const

/** The same said twice is said once. */
function unpaidBefore(payout: Payout): Payout {
  if (payout.status === 'open' && payout.taken_back > 0) return payout
  throw new PayoutRefused(
    payout.status === 'cancelled' ? 'cancelled-already' : 'not-paid',
    payout.status === 'cancelled' ? 'This payout was cancelled.' : 'It is not noted as paid.',
  )
}

/**
 * Takes back a payout that was made by mistake: the books turn it round, and what it paid out is owed again, all in one
 * transaction. The same said twice is said once.
 * @throws PayoutRefused when there is no such payout, the bank has paid it, or a restored backup is not reconciled: the
 *   bank may have paid it since
 */
export async function cancelPayout(db: Database, id: string, now: number, also?: Also): Promise<Payout> {
  return db.transaction(async trx => {
    await also?.(trx)
    await refuseRestored(trx)
    const { to } = PAYOUT_MOVES.cancelled
    const cancelled = await trx
      .updateTable('payouts')
      .set({ status: to, cancelled_at: now })
      .where('id', '=', id)
      .where('status', 'in', payoutStatesMovedBy('cancelled'))
      .returningAll()
      .executeTakeFirst()
    if (cancelled === undefined) return cancelledBefore(await payoutById(trx, id))
    const { ngo_id: ngoId, currency, amount } = cancelled
    await trx.deleteFrom('payout_allocations').where('payout_id', '=', id).execute()
    await post(trx, {
      id: `payout-cancelled:${id}`,
      cause: 'payout-cancelled',
      cardId: null,
      orderId: null,
      at: now,
      entries: [
        [PAYOUT_STATES[FIRST_PAYOUT_STATE].account, money(-amount, currency)],
        [ngoAccount(ngoId), money(amount, currency)],
      ],
    })
    return cancelled
  })
}

function cancelledBefore(payout: Payout | undefined): Payout {
  if (payout === undefined) throw NO_SUCH_PAYOUT
  if (payout.status === 'cancelled') return payout
  throw new PayoutRefused(
    'paid-already',
    `The bank has paid it, with the reference "${payout.reference}". Ask the organisation to send it back.`,
  )
}

function payoutById(db: Reader, id: string): Promise<Payout | undefined> {
  return db.selectFrom('payouts').selectAll().where('id', '=', id).executeTakeFirst()
}

export interface PayoutRow extends Payout {
  readonly allocations: number
}

/**
 * The payouts that the bank is to pay yet, the newest first.
 * @throws PayoutRefused while a restored backup is not reconciled: the bank may have paid them since
 */
export async function payoutsToPay(db: Reader): Promise<readonly PayoutRow[]> {
  await refuseRestored(db)
  return payouts(db, { status: FIRST_PAYOUT_STATE })
}

/** Payouts, the newest first, with how many allocations are in each. */
export async function payouts(
  db: Reader,
  which: { readonly status?: Payout['status'] } = {},
): Promise<readonly PayoutRow[]> {
  return db
    .selectFrom('payouts')
    .leftJoin(
      eb =>
        eb
          .selectFrom('payout_allocations')
          .select(['payout_id', sql<number>`count(*)`.as('allocations')])
          .groupBy('payout_id')
          .as('taken'),
      join => join.onRef('taken.payout_id', '=', 'payouts.id'),
    )
    .selectAll('payouts')
    .select(sql<number>`coalesce(taken.allocations, 0)`.as('allocations'))
    .$if(which.status !== undefined, query => query.where('status', '=', which.status!))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Does the database refuse a second row of the same key? */
export function isTakenAlready(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? error.code : undefined
  const [uniqueInPostgres, primaryKeyInSqlite] = ['23505', 1555]
  return code === uniqueInPostgres || ('errcode' in error && error.errcode === primaryKeyInSqlite)
}
