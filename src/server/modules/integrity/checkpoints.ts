import { type Selectable, sql } from 'kysely'
import { DAY_MS } from '#domain/durations.ts'
import type { Finding } from '#server/modules/integrity/findings.ts'
import type { Sealer } from '#server/modules/ledger/seals.ts'
import type { Database, Reader, Writer } from '#server/platform/db/database.ts'
import type { CheckpointsTable } from '#server/platform/db/schema.ts'

/**
 * A row may be committed a little after it was written, so a checkpoint counts rows until this many ms before its own
 * time.
 */
const SETTLED_AFTER_MS = 10 * 60_000
/** One checkpoint is made each day. */
const MISSED_AFTER_MS = 4 * DAY_MS
/**
 * So long after a checkpoint a site that runs has made the next one. What was sold in the last minutes before it stopped
 * for a week was due to be counted, and is no finding.
 */
const NEXT_WITHIN_MS = 2 * DAY_MS

/** The tables whose rows never get fewer, and the column that holds a row's time. */
const COUNTED = {
  orders: 'settled_at',
  cards: 'created_at',
  volunteering_cards: 'created_at',
  redemptions: 'created_at',
  ledger_entries: 'created_at',
  free_claims: 'created_at',
  withdrawals: 'confirmed_at',
  invoices: 'created_at',
  bank_refunds: 'made_at',
  provider_movements: 'read_at',
  provider_payout_parts: 'read_at',
  draws: 'created_at',
  draw_announcements: 'created_at',
  payee_accounts: 'proposed_at',
  payout_runs: 'created_at',
  payouts: 'created_at',
  audit_log: 'created_at',
} as const

type Counted = keyof typeof COUNTED

/** `unsealed`: of the first alone, how many rows there were from before there were seals. */
export type RowCounts = Readonly<Partial<Record<Counted | 'unsealed', number>>>

/** A checkpoint that is to be written. */
export interface Count {
  /** Epoch ms UTC. */
  readonly at: number
  readonly counts: RowCounts
}

/** Counts what was written until a while ago. */
export async function countNow(db: Reader, now: number): Promise<Count> {
  const at = now - SETTLED_AFTER_MS
  return { at, counts: await countsAt(db, at) }
}

async function countsAt(db: Reader, at: number): Promise<RowCounts> {
  const counts: Partial<Record<Counted, number>> = {}
  for (const [table, column] of Object.entries(COUNTED) as [Counted, string][]) {
    const { rows } = await db
      .selectFrom(table)
      .select(sql<number>`count(*)`.as('rows'))
      .where(sql<boolean>`${sql.ref(column)} <= ${at}`)
      .executeTakeFirstOrThrow()
    counts[table] = rows
  }
  return counts
}

type Checkpoint = Selectable<CheckpointsTable>

/** Each seal covers the one before: none can be taken out, or put in between. */
function sealOf(keys: Sealer, { number, at, counts }: Omit<Checkpoint, 'seal'>, before: string): string {
  return keys.mac(JSON.stringify(['checkpoint', number, at, counts, before]))
}

/** Writes the next one. Where another process writes it in this moment, that one stands. */
export async function writeCheckpoint(db: Database, keys: Sealer, { at, counts }: Count): Promise<void> {
  await db.transaction(async (trx: Writer) => {
    const last = await trx
      .selectFrom('checkpoints')
      .select(['number', 'seal'])
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst()
    const row = { number: (last?.number ?? 0) + 1, at, counts: JSON.stringify(counts) }
    await trx
      .insertInto('checkpoints')
      .values({ ...row, seal: sealOf(keys, row, last?.seal ?? '') })
      .onConflict(conflict => conflict.column('number').doNothing())
      .execute()
  })
}

const SEALED = [
  'orders',
  'cards',
  'volunteering_cards',
  'redemptions',
  'reversals',
  'card_reversals',
  'withdrawals',
  'provider_movements',
] as const

/** Is there a row with a seal? Then the counting had begun. */
async function isAnySealed(db: Reader): Promise<boolean> {
  for (const table of SEALED) {
    const row = await db
      .selectFrom(table)
      .select('seal')
      .where('seal', 'is not', null)
      .limit(1)
      .executeTakeFirst()
    if (row) return true
  }
  return false
}

/**
 * Writes the first checkpoint, once, before this version sells anything. From then on a row without a seal was
 * written by another hand. Older rows have a day to get theirs. If sealed rows show that there was a first
 * checkpoint, none is written: somebody removed it, and `check` says so.
 * @param now epoch ms UTC
 */
export async function beginCounts(db: Database, keys: Sealer, now: number): Promise<void> {
  const isBegun = (reader: Reader) =>
    reader.selectFrom('checkpoints').select('number').limit(1).executeTakeFirst()
  if (await db.read(isBegun)) return
  if (await db.read(isAnySealed)) return
  const unsealed = await db.read(async reader => {
    const counts = await Promise.all(
      SEALED.map(table =>
        reader.selectFrom(table).select(sql<number>`count(*)`.as('rows')).executeTakeFirstOrThrow(),
      ),
    )
    return counts.reduce((sum, { rows }) => sum + rows, 0)
  })
  const row = { number: 1, at: now, counts: JSON.stringify({ unsealed } satisfies RowCounts) }
  await db.transaction(trx =>
    trx
      .insertInto('checkpoints')
      .values({ ...row, seal: sealOf(keys, row, '') })
      .onConflict(conflict => conflict.column('number').doNothing())
      .execute(),
  )
}

/** How long the sealing of earlier rows may take, while servers of the version before may still sell. */
export const UPDATE_TAKES_MS = DAY_MS

/**
 * May rows lack their seal now? While an update may be under way, where there were rows without. A first checkpoint that
 * is not as it was written allows nothing: whoever changed it would have forged rows sealed.
 */
export async function mayLackSeals(db: Reader, keys: Sealer, now: number): Promise<boolean> {
  const first = await db.selectFrom('checkpoints').selectAll().where('number', '=', 1).executeTakeFirst()
  // Before the first start of this version nothing has a seal.
  if (first === undefined) return !(await isAnySealed(db))
  if (first.seal !== sealOf(keys, first, '')) return false
  const { unsealed = 0 } = JSON.parse(first.counts) as RowCounts
  return unsealed > 0 && now < first.at + UPDATE_TAKES_MS
}

/**
 * Does this finding say no more than that none was written for days, after one that stands? Whoever stopped the jobs, and
 * whoever took the newest ones away, leave the same. Where not even the first is there, none may be written.
 */
export const isPause = ({ rule, subject }: Finding): boolean =>
  rule === 'checkpoint-missing' && subject !== FIRST

/** The number of the first checkpoint. */
const FIRST = '1'

/**
 * Compares the rows with the checkpoints: what was counted once is still there. A row that was taken out with
 * everything that tells of it leaves no other trace.
 */
export async function rowsMissing(db: Reader, keys: Sealer, now: number): Promise<readonly Finding[]> {
  const all = await db.selectFrom('checkpoints').selectAll().orderBy('number').execute()
  const last = all.at(-1)
  if (last === undefined)
    return (await isAnySealed(db)) ? [{ rule: 'checkpoint-missing', subject: FIRST }] : []
  const findings: Finding[] = []
  let before = ''
  for (const [index, row] of all.entries()) {
    if (row.number !== index + 1 || row.seal !== sealOf(keys, row, before)) {
      // The counts of a broken checkpoint are not read, since they may be anybody's.
      return [{ rule: 'checkpoint-broken', subject: String(index + 1) }]
    }
    before = row.seal
  }
  const counted = JSON.parse(last.counts) as RowCounts
  const found = await countsAt(db, last.at)
  for (const table of Object.keys(COUNTED) as Counted[]) {
    const expected = counted[table] ?? 0
    if ((found[table] ?? 0) < expected)
      findings.push({ rule: 'rows-missing', subject: table, expected, found: found[table] ?? 0 })
  }
  const uncounted = await db
    .selectFrom('cards')
    .select('id')
    .where('created_at', '>', last.at + NEXT_WITHIN_MS)
    .where('created_at', '<', now - MISSED_AFTER_MS)
    .limit(1)
    .executeTakeFirst()
  if (uncounted) findings.push({ rule: 'checkpoint-missing', subject: String(last.number + 1) })
  return findings
}
