import type { Selectable } from 'kysely'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { queueMail } from '#server/modules/gifts/queue-mail.ts'
import type { Database, Reader, Writer } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/db/ids.ts'
import type { PayoutAdvicesTable, PayoutsTable } from '#server/platform/db/schema.ts'
import { currentPayee, type PayeeAccount, PayeeRefused } from '../payee-accounts.ts'
import { PayoutRefused } from '../refused.ts'

export type Advice = Selectable<PayoutAdvicesTable>

/** The kind of mail. */
export const PAYOUT_ADVICE = 'payout-advice'

/** Makes the keys of links, and tells true accounts from false ones. */
export type AdviceKeys = Pick<CardKeys, 'adviceKey' | 'digest' | 'firstVersion' | 'mac'>

/**
 * Queues the mail that tells an organisation of a payout, in the transaction of whoever asks: once for as long as its
 * link is not withdrawn.
 * @param now epoch ms UTC
 * @returns the mail's row; undefined where there is nobody to write to
 */
export async function queueAdvice(
  trx: Writer,
  keys: AdviceKeys,
  payout: Pick<Selectable<PayoutsTable>, 'id' | 'ngo_id'>,
  now: number,
): Promise<Advice | undefined> {
  const before = await aliveAdvice(trx, payout.id)
  if (before !== undefined) return before
  const account = await whomToTell(trx, keys, payout.ngo_id)
  if (account === undefined || account.contact === null) return undefined
  const id = newId(now)
  const advice: Advice = {
    id,
    payout_id: payout.id,
    account_id: account.id,
    key_version: keys.firstVersion,
    key_digest: keys.digest(keys.adviceKey(id, keys.firstVersion)),
    created_at: now,
    withdrawn_at: null,
    received_at: null,
    receipt_kind: null,
    receipt_digest: null,
    receipt_bytes: null,
  }
  await trx.insertInto('payout_advices').values(advice).execute()
  await queueMail(trx, {
    kind: PAYOUT_ADVICE,
    dedupeKey: `${PAYOUT_ADVICE}:${id}`,
    payload: { adviceId: id },
    subject: id,
    runAt: now,
  })
  return advice
}

/** The bank has paid, whatever became of the account's row: one with a broken seal is written to by nobody, and `check` names it. */
async function whomToTell(db: Reader, keys: AdviceKeys, ngoId: string): Promise<PayeeAccount | undefined> {
  try {
    return await currentPayee(db, keys, ngoId)
  } catch (error) {
    if (error instanceof PayeeRefused) return undefined
    throw error
  }
}

/**
 * Has the mail about a payout written: the first one, or another after `withdrawAdvice`. Where one is alive already,
 * nothing changes.
 * @param now epoch ms UTC
 * @throws PayoutRefused where the payout is not paid, or there is nobody to write to
 */
export async function advise(
  db: Database,
  keys: AdviceKeys,
  payoutId: string,
  now: number,
): Promise<{ readonly advice: Advice; readonly isNew: boolean }> {
  return db.transaction(async trx => {
    const payout = await lockedPayout(trx, payoutId)
    if (payout.status !== 'paid')
      throw new PayoutRefused(
        'not-paid',
        'The bank has not paid it: an organisation is told of what it can find.',
      )
    const before = await aliveAdvice(trx, payoutId)
    if (before !== undefined) return { advice: before, isNew: false }
    const advice = await queueAdvice(trx, keys, payout, now)
    if (advice === undefined)
      throw new PayoutRefused(
        'no-account',
        `Nobody at ${payout.ngo_id} is known to write to. \`account propose\` and \`account confirm\` note an account with a contact.`,
      )
    return { advice, isNew: true }
  })
}

/**
 * Ends the link of the mail about a payout, whoever has it: one that is not sent yet is not sent any more, and what was
 * confirmed with it counts no longer. The same said twice is said once.
 * @param now epoch ms UTC
 * @throws PayoutRefused where no mail about it was ever queued
 */
export async function withdrawAdvice(db: Database, payoutId: string, now: number): Promise<void> {
  await db.transaction(async trx => {
    const payout = await lockedPayout(trx, payoutId)
    await trx
      .updateTable('payout_advices')
      .set({ withdrawn_at: now })
      .where('payout_id', '=', payoutId)
      .where('withdrawn_at', 'is', null)
      .execute()
    const any = await trx
      .selectFrom('payout_advices')
      .select('id')
      .where('payout_id', '=', payoutId)
      .executeTakeFirst()
    if (any === undefined)
      throw new PayoutRefused('never-told', `No mail about this payout to ${payout.ngo_id} was ever queued.`)
  })
}

/** The payout, held against whoever else writes a mail about it, or says what became of it. @throws PayoutRefused where there is none */
export async function lockedPayout(trx: Writer, id: string): Promise<Selectable<PayoutsTable>> {
  // Two who ask at once meet at this row.
  const payout = await trx
    .updateTable('payouts')
    .set(eb => ({ amount: eb.ref('amount') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (payout === undefined)
    throw new PayoutRefused('no-such-payout', 'There is no such payout. `payout list` shows all of them.')
  return payout
}

/** The mail about a payout whose link is not withdrawn. */
export function aliveAdvice(db: Reader, payoutId: string): Promise<Advice | undefined> {
  return db
    .selectFrom('payout_advices')
    .selectAll()
    .where('payout_id', '=', payoutId)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst()
}

/** What a payout was made of: how many gifts, and when the first and the last of them was given, epoch ms UTC. */
export interface GiftsOfPayout {
  readonly gifts: number
  readonly firstAt: number
  readonly lastAt: number
}

/** Counts the gifts of a payout: nothing of any single one. */
export async function giftsOf(db: Reader, payoutId: string): Promise<GiftsOfPayout> {
  const { fn } = db
  const found = await db
    .selectFrom('payout_allocations')
    .innerJoin('redemptions', 'redemptions.card_id', 'payout_allocations.card_id')
    .select([
      fn.countAll<number>().as('gifts'),
      fn.min<number | null>('redemptions.created_at').as('firstAt'),
      fn.max<number | null>('redemptions.created_at').as('lastAt'),
    ])
    .where('payout_id', '=', payoutId)
    .executeTakeFirstOrThrow()
  return { gifts: Number(found.gifts), firstAt: found.firstAt ?? 0, lastAt: found.lastAt ?? 0 }
}

/** What became of the mail about a payout; `none` where nobody was written to. */
export type AdviceFate = 'none' | 'waiting' | 'sent' | 'given-up'

/** A payout that the bank has paid, and what its organisation says of it. Times are epoch ms UTC. */
export interface AdvisedPayout {
  readonly payout: Selectable<PayoutsTable>
  readonly fate: AdviceFate
  readonly receivedAt: number | null
  readonly receipt: Pick<Advice, 'id' | 'receipt_kind' | 'receipt_digest' | 'receipt_bytes'> | undefined
}

/** Every payout that the bank has paid, the newest first, with what its organisation says of it. */
export async function advisedPayouts(db: Reader): Promise<readonly AdvisedPayout[]> {
  const payouts = await db
    .selectFrom('payouts')
    .selectAll()
    .where('status', '=', 'paid')
    .orderBy('paid_at', 'desc')
    .orderBy('id')
    .execute()
  const advices = await db
    .selectFrom('payout_advices')
    .leftJoin('jobs', join =>
      join.onRef('jobs.subject', '=', 'payout_advices.id').on('jobs.kind', '=', PAYOUT_ADVICE),
    )
    .selectAll('payout_advices')
    .select(['jobs.id as job', 'jobs.done_at', 'jobs.failed_reason'])
    .where('withdrawn_at', 'is', null)
    .execute()
  const byPayout = new Map(advices.map(each => [each.payout_id, each]))
  return payouts.map(payout => {
    const advice = byPayout.get(payout.id)
    return {
      payout,
      fate: advice === undefined ? 'none' : fateOf(advice),
      receivedAt: advice?.received_at ?? null,
      receipt: advice?.receipt_kind ? advice : undefined,
    }
  })
}

interface MailOfAdvice {
  readonly job: string | null
  readonly done_at: number | null
  readonly failed_reason: string | null
}

/** Jobs that are done go after a while. */
function fateOf({ job, done_at: doneAt, failed_reason: reason }: MailOfAdvice): AdviceFate {
  if (job !== null && doneAt === null) return 'waiting'
  return reason === null ? 'sent' : 'given-up'
}
