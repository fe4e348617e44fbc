import { dayInMadrid } from '#domain/days.ts'
import { type DutyName, isDutyName, type Known, type Waiting } from '#domain/desk/duties.ts'
import { DAY_MS } from '#domain/durations.ts'
import type { Currency } from '#domain/money/currency.ts'
import { decimal } from '#domain/money/money.ts'
import { confirmableFrom } from '#domain/payout/payee-accounts.ts'
import { counted } from '#domain/text/counted.ts'
import { owed } from '#server/modules/payouts/owed.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'
import { sight, sightedAt } from '#server/platform/db/sightings.ts'

/** What the audit log calls the note of a duty that was done by hand. */
export const DID = 'did'

/** The subject of that note: the duty, and the day where it is not the day of the note. */
export const didSubject = (name: string, day: string | undefined): string =>
  day === undefined ? name : `${name} ${day}`

/** When the list of organisations was last reviewed, as the content says: a sighting, so that the terminal knows. */
const REVIEWED = 'organisations-reviewed'

/** Keeps the day of the review in the database. @param reviewedAt `YYYY-MM-DD` */
export async function noteReview(db: Database, reviewedAt: string): Promise<void> {
  const at = Date.parse(reviewedAt)
  if (Number.isNaN(at) || (await db.read(reviewedOn)) === at) return
  await db.transaction(trx => sight(trx, REVIEWED, at))
}

/** When a version of the product was first started on this database. */
const versionSeen = (version: string): string => `version ${version}`

/** Keeps when this version was first started here, so that nobody is asked to look for one that was just installed. */
export async function noteVersion(db: Database, version: string, now: number): Promise<void> {
  const name = versionSeen(version)
  if ((await db.read(reader => sightedAt(reader, name))) !== undefined) return
  await db.transaction(trx => sight(trx, name, now))
}

const newestVersionOn = async (db: Reader): Promise<number | undefined> => {
  const row = await db
    .selectFrom('sightings')
    .select(({ fn }) => fn.max('at').as('at'))
    .where('name', 'like', versionSeen('%'))
    .executeTakeFirst()
  return row?.at == null ? undefined : Number(row.at)
}

const reviewedOn = (db: Reader): Promise<number | undefined> => sightedAt(db, REVIEWED)

/** What is known of the operator's duties now. @param now epoch ms UTC */
export async function knownDuties(db: Reader, now: number): Promise<Known> {
  const first = await db.selectFrom('checkpoints').select('at').where('number', '=', 1).executeTakeFirst()
  const sums = await owed(db)
  const payable = await withAccount(db)
  const entries = {
    payouts: waitingMoney(
      sums.filter(({ ngoId }) => payable.has(ngoId)),
      'owed to',
    ),
    accounts: together(
      await proposedAccounts(db),
      waitingMoney(
        sums.filter(({ ngoId }) => !payable.has(ngoId)),
        'owed, with no confirmed account, to',
      ),
    ),
    'bank-statement': waitingMoney(await openPayouts(db), 'in payouts made and not noted as paid, for'),
    'provider-findings': await findings(db),
  }
  return {
    began: dayInMadrid(first?.at ?? now),
    done: await lastDone(db),
    waiting: Object.fromEntries(Object.entries(entries).filter(([, waiting]) => waiting !== undefined)),
  }
}

async function lastDone(db: Reader): Promise<Known['done']> {
  const done: Partial<Record<DutyName, string>> = {}
  const reviewed = await reviewedOn(db)
  if (reviewed !== undefined) done.organisations = dayInMadrid(reviewed)
  const version = await newestVersionOn(db)
  if (version !== undefined) done.update = dayInMadrid(version)
  const notes = await db
    .selectFrom('audit_log')
    .select(['subject', 'created_at'])
    .where('action', '=', DID)
    .where('outcome', '=', 'done')
    .execute()
  for (const { subject, created_at: at } of notes) {
    const [name = '', day = dayInMadrid(at)] = (subject ?? '').split(' ')
    if (isDutyName(name) && day > (done[name] ?? '')) done[name] = day
  }
  return done
}

interface Sum {
  readonly ngoId: string
  readonly currency: Currency
  readonly amount: number
  readonly oldestAt: number
}

/** The organisations that a run pays: those with a confirmed account. */
async function withAccount(db: Reader): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('payee_accounts').select('ngo_id').where('state', '=', 'current').execute()
  return new Set(rows.map(({ ngo_id: ngoId }) => ngoId))
}

/** Two things that wait, as one. */
function together(one: Waiting | undefined, other: Waiting | undefined): Waiting | undefined {
  if (one === undefined || other === undefined) return one ?? other
  const [since = ''] = [one.since, other.since].sort()
  return { says: `${one.says}; ${other.says}`, since }
}

async function openPayouts(db: Reader): Promise<readonly Sum[]> {
  const rows = await db
    .selectFrom('payouts')
    .select(['ngo_id', 'currency', 'amount', 'created_at'])
    .where('status', '=', 'open')
    .execute()
  return rows.map(row => ({
    ngoId: row.ngo_id,
    currency: row.currency,
    amount: row.amount,
    oldestAt: row.created_at,
  }))
}

/** `1234.50 EUR and 50.00 USD owed to 3 organisations`; undefined where there is nothing. */
function waitingMoney(sums: readonly Sum[], words: string): Waiting | undefined {
  if (sums.length === 0) return undefined
  const byCurrency = Map.groupBy(sums, ({ currency }) => currency)
  const amounts = [...byCurrency].map(
    ([currency, some]) => `${decimal(some.reduce((all, { amount }) => all + amount, 0))} ${currency}`,
  )
  const whom = counted(new Set(sums.map(({ ngoId }) => ngoId)).size, 'organisation')
  const since = dayInMadrid(Math.min(...sums.map(({ oldestAt }) => oldestAt)))
  return { says: `${amounts.join(' and ')} ${words} ${whom}, the oldest since ${since}`, since }
}

/** Accounts that were proposed and could be confirmed: until then they are nobody's duty. */
async function proposedAccounts(db: Reader): Promise<Waiting | undefined> {
  const rows = await db
    .selectFrom('payee_accounts')
    .select(['replaces', 'proposed_at', 'told_at'])
    .where('state', '=', 'proposed')
    .execute()
  const since = rows.flatMap(({ replaces, proposed_at: proposedAt, told_at: toldAt }) => {
    const from = confirmableFrom({ isReplacement: replaces !== null, toldAt })
    return from === undefined ? [] : [Math.max(from, proposedAt)]
  })
  if (since.length === 0) return undefined
  const oldest = dayInMadrid(Math.min(...since))
  return { says: `${counted(since.length, 'account')} to confirm, the oldest since ${oldest}`, since: oldest }
}

/** What the last daily check has found, until one finds nothing. */
async function findings(db: Reader): Promise<Waiting | undefined> {
  const row = await db
    .selectFrom('periodic_jobs')
    .select(['result', 'finished_at'])
    .where('name', '=', 'ledger-check')
    .executeTakeFirst()
  const found = Number(/"findings":(\d+)/.exec(row?.result ?? '')?.[1] ?? 0)
  if (found === 0 || row?.finished_at == null) return undefined
  // The check runs daily, so what it has found is due in the month in which it ran.
  const since = `${dayInMadrid(row.finished_at).slice(0, 7)}-01`
  const lastMonth = dayInMadrid(Date.parse(`${since}T00:00:00Z`) - DAY_MS)
  return {
    says: `${counted(found, 'finding')} of the last daily check`,
    since: lastMonth,
  }
}
