import { type Selectable, sql } from 'kysely'
import type { Finding } from '#server/modules/integrity/findings.ts'
import type { Sealer } from '#server/modules/ledger/seals.ts'
import type { Database, Reader, Writer } from '#server/platform/db/database.ts'
import type { CheckpointsTable } from '#server/platform/db/schema.ts'

const DAY_MS = 24 * 3_600_000
/** What is written now may be committed a little later: a checkpoint counts what was written until so long before. */
const SETTLED_AFTER_MS = 10 * 60_000
/** One is made each day. */
const MISSED_AFTER_MS = 4 * DAY_MS

/** What never gets fewer, and by which column its time is known. */
const COUNTED = {
  orders: 'settled_at',
  cards: 'created_at',
  volunteering_cards: 'created_at',
  redemptions: 'created_at',
  ledger_entries: 'created_at',
  free_claims: 'created_at',
  draws: 'created_at',
  payouts: 'created_at',
  audit_log: 'created_at',
} as const

type Counted = keyof typeof COUNTED

/** `sealed`: of the first alone, how many rows from before there were seals got theirs then. */
export type RowCounts = Readonly<Partial<Record<Counted | 'sealed', number>>>

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

/** The first of all, which says that from then on every row has a seal. */
export async function firstCheckpoint(
  db: Reader,
): Promise<{ readonly at: number; readonly sealed: number } | undefined> {
  const row = await db
    .selectFrom('checkpoints')
    .select(['at', 'counts'])
    .where('number', '=', 1)
    .executeTakeFirst()
  return row && { at: row.at, sealed: (JSON.parse(row.counts) as RowCounts).sealed ?? 0 }
}

/** Servers of the version before may go on selling for so long, where an update is brought to one after the other. */
export const UPDATE_TAKES_MS = DAY_MS

/** May rows lack their seal now? Until the first checkpoint, and while an update may be under way. */
export async function mayLackSeals(db: Reader, now: number): Promise<boolean> {
  const first = await firstCheckpoint(db)
  return first === undefined || (first.sealed > 0 && now < first.at + UPDATE_TAKES_MS)
}

/**
 * Compares the rows with the checkpoints: what was counted once is still there. A row that was taken out with
 * everything that tells of it leaves no other trace.
 */
export async function rowsMissing(db: Reader, keys: Sealer, now: number): Promise<readonly Finding[]> {
  const all = await db.selectFrom('checkpoints').selectAll().orderBy('number').execute()
  const last = all.at(-1)
  if (last === undefined) return []
  const findings: Finding[] = []
  let before = ''
  for (const [index, row] of all.entries()) {
    if (row.number !== index + 1 || row.seal !== sealOf(keys, row, before)) {
      findings.push({ rule: 'checkpoint-broken', subject: String(index + 1) })
      break
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
    .where('created_at', '>', last.at + DAY_MS)
    .where('created_at', '<', now - MISSED_AFTER_MS)
    .limit(1)
    .executeTakeFirst()
  if (uncounted) findings.push({ rule: 'checkpoint-missing', subject: String(last.number + 1) })
  return findings
}
