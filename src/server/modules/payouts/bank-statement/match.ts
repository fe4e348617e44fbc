import { DAY_MS } from '#domain/durations.ts'
import { decimal } from '#domain/money/money.ts'
import type { Sealer } from '#server/modules/ledger/seals.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'
import { isIdShaped } from '#server/platform/db/ids.ts'
import type { AdviceKeys } from '../advices/advices.ts'
import { payeeById } from '../payee-accounts.ts'
import { markPaid, noteSeen, type Payout } from '../payouts.ts'
import { PayoutRefused } from '../refused.ts'
import type { BankEntry } from './entry.ts'

/** A payout that the bank has paid as it was made. */
export interface PaidByBank {
  readonly payout: Payout
  readonly reference: string
}

/** Something on the statement that is about a payout of ours, or says so, and of which nothing is noted. */
export interface Amiss {
  /** The payout's id, or what the statement has in its place. */
  readonly subject: string
  /** The bank's reference. */
  readonly reference: string
  /** A sentence, with the way out. */
  readonly why: string
}

/** What a statement says of payouts. */
export interface StatementMatch {
  readonly paid: readonly PaidByBank[]
  /** Payouts that were noted as paid before, under the same reference. */
  readonly noted: readonly string[]
  /** Payouts that were noted as paid before, under whichever reference, and whose transfer it shows as they were made. */
  readonly seen: readonly string[]
  readonly amiss: readonly Amiss[]
  /** Entries that name no payout: the account's other business. */
  readonly others: number
}

/**
 * Holds a bank's statement against the payouts. One is paid where one booked entry with its id has its amount and its
 * currency, and goes to its account as far as both are known. It changes nothing.
 * @throws PayeeRefused where somebody else has written to an account
 */
export async function matchStatement(
  db: Reader,
  keys: Sealer,
  entries: readonly BankEntry[],
): Promise<StatementMatch> {
  const runs = await db.selectFrom('payout_runs').select(['id', 'run_key']).execute()
  const keyOfRun = new Map(runs.map(({ id, run_key: key }) => [id, key]))
  const paid: PaidByBank[] = []
  const noted: string[] = []
  const seen: string[] = []
  const amiss: Amiss[] = []
  let others = 0
  for (const [id, some] of Map.groupBy(entries, idOf)) {
    if (id === undefined) {
      const batches = some.flatMap(entry => batchOf(entry, keyOfRun))
      amiss.push(...batches)
      others = some.length - batches.length
      continue
    }
    const found = await judge(db, keys, id, some)
    amiss.push(...found.amiss)
    if (found.paid) paid.push(found.paid)
    if (found.isNoted) noted.push(id)
    if (found.isSeen) seen.push(id)
  }
  return { paid, noted, seen, amiss, others }
}

function batchOf({ batchId, reference }: BankEntry, keyOfRun: ReadonlyMap<string, string>): readonly Amiss[] {
  const run = keyOfRun.get(batchId?.toLowerCase() ?? '')
  if (run === undefined) return []
  const why =
    'The bank booked the whole run as one entry and does not list its transfers. Ask it for single entries, or note each payout as paid by hand.'
  return [{ subject: `run ${run}`, reference, why }]
}

/** Banks may write it in capitals. */
function idOf({ endToEndId }: BankEntry): string | undefined {
  const id = endToEndId?.trim().toLowerCase() ?? ''
  return isIdShaped(id) ? id : undefined
}

interface Judged {
  readonly paid?: PaidByBank
  readonly isNoted?: true
  readonly isSeen?: true
  readonly amiss: readonly Amiss[]
}

/** @param entries those with the payout's id, at least one */
async function judge(db: Reader, keys: Sealer, id: string, entries: readonly BankEntry[]): Promise<Judged> {
  const say = (why: string, entry = entries[0]!): Judged => ({
    amiss: [{ subject: id, reference: entry.reference, why }],
  })
  const payout = await db.selectFrom('payouts').selectAll().where('id', '=', id).executeTakeFirst()
  if (payout === undefined)
    return say('There is no such payout. Is the file of another site, or another account?')
  const back = entries.find(({ isReturn, isOut }) => isReturn || !isOut)
  if (back !== undefined)
    return say(
      payout.status === 'paid'
        ? 'Its money came back after it was noted as paid. Ask the organisation for its account, and pay it by hand.'
        : 'The bank rejected it, or its money came back. Cancel the payout, and make it anew.',
      back,
    )
  const pending = entries.find(({ isBooked }) => !isBooked)
  if (pending !== undefined) return say('It is not booked yet. A later statement will have it.', pending)
  if (payout.status === 'cancelled')
    return say('The bank paid it, and it was cancelled: what it paid out may be in another payout by now.')
  const times = new Set(entries.map(({ transfer }) => transfer)).size
  if (times > 1)
    return say(`The bank paid it ${times} times. Ask the organisation to send back what is too much.`)
  const [entry] = entries as readonly [BankEntry]
  if (entry.amount !== payout.amount || entry.currency !== payout.currency)
    return say(
      `The bank paid ${entry.amount === null ? 'an amount that it does not say' : `${decimal(entry.amount)} ${entry.currency}`}, and the payout is ${decimal(payout.amount)} ${payout.currency}.`,
    )
  const account = payout.account_id === null ? undefined : await payeeById(db, keys, payout.account_id)
  if (entry.iban !== null && account !== undefined && account.iban !== null && account.iban !== entry.iban)
    return say('It went to another account than the one that was confirmed. Ask the bank at once.')
  if (payout.status === 'paid')
    return entries.some(each => isNotedBy(payout, each))
      ? { amiss: [], isNoted: true, isSeen: true }
      : {
          ...say(
            `It was noted as paid before, with the reference "${payout.reference}". If that is another transfer, it was paid twice.`,
          ),
          isSeen: true,
        }
  return { amiss: [], paid: { payout, reference: entry.reference } }
}

/**
 * Was a payout that is paid noted by this entry? What was taken for a reference earlier may be a placeholder: a transfer
 * that was booked later than the payout was noted is another one. The day is for clocks and zones.
 */
function isNotedBy(
  { reference, paid_at: notedAt }: Payout,
  { reference: now, earlierReference: earlier, bookedOn }: BankEntry,
): boolean {
  if (reference === now) return true
  if (earlier === null || reference !== earlier) return false
  return bookedOn === null || notedAt === null || Date.parse(bookedOn) <= notedAt + DAY_MS
}

/**
 * Notes what the bank has paid, each payout with the mail to its organisation in a transaction of its own: stopped anywhere, the same statement goes on.
 * @param now epoch ms UTC
 * @returns those that somebody else changed in the meantime
 */
export async function noteStatement(
  db: Database,
  { paid, seen }: Pick<StatementMatch, 'paid' | 'seen'>,
  now: number,
  keys?: AdviceKeys,
): Promise<readonly Amiss[]> {
  const amiss: Amiss[] = []
  await noteSeen(db, seen, now)
  for (const { payout, reference } of paid) {
    try {
      await markPaid(db, { id: payout.id, reference, isSeen: true }, now, keys)
    } catch (error) {
      if (!(error instanceof PayoutRefused)) throw error
      amiss.push({ subject: payout.id, reference, why: error.message })
    }
  }
  return amiss
}
