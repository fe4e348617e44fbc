import type { Selectable } from 'kysely'
import { fromHex } from '#domain/public-ledger/bytes.ts'
import { PUBLICATION } from '#domain/public-ledger/entries.ts'
import { CAUSES } from '#domain/public-ledger/leaf.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'
import type { LedgerHeadsTable } from '#server/platform/db/schema.ts'

export type Head = Selectable<LedgerHeadsTable>

/** The newest head; undefined before the first. */
export function lastHead(db: Reader): Promise<Head | undefined> {
  return db.selectFrom('ledger_heads').selectAll().orderBy('size', 'desc').limit(1).executeTakeFirst()
}

/**
 * Is there an entry of before a day that should be in the log, and is in no leaf? Uses of cards and payouts may wait for
 * others for a long time.
 */
export async function isAnyWaiting(db: Reader, day: string): Promise<boolean> {
  const row = await db
    .selectFrom('public_entries')
    .leftJoin('ledger_leaf_entries', 'ledger_leaf_entries.entry_id', 'public_entries.id')
    .select('id')
    .where('ledger_leaf_entries.entry_id', 'is', null)
    .where('day', '<', day)
    .where('cause', 'not in', MAY_WAIT)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const MAY_WAIT = CAUSES.filter(cause => ['in-batch', 'after-batch'].includes(PUBLICATION[cause]))

const LEAVES_AT_ONCE = 500

export interface LeavesWanted {
  /** The first place. */
  readonly from: number
  /** The first place that is not wanted any more; all when missing. */
  readonly to?: number
  /** Called between pages. */
  readonly goOn: () => Promise<void>
}

/** Hands out the hashes of leaves in their order, as far as no place is missing. */
export async function hashesFrom(
  db: Database,
  { from, to = Number.MAX_SAFE_INTEGER, goOn }: LeavesWanted,
  onHash: (hash: Uint8Array) => void,
): Promise<void> {
  for (let next = from; ; ) {
    const first = next
    const rows = await db.read(reader =>
      reader
        .selectFrom('ledger_leaves')
        .select(['seq', 'hash'])
        .where('seq', '>=', first)
        .where('seq', '<', Math.min(to, first + LEAVES_AT_ONCE))
        .orderBy('seq')
        .execute(),
    )
    for (const { seq, hash } of rows) {
      if (seq !== next) return
      onHash(fromHex(hash))
      next++
    }
    if (rows.length < LEAVES_AT_ONCE) return
    await goOn()
  }
}

/** The entries of leaves from a place on, in their order. */
export async function leavesFrom(db: Reader, from: number, to: number): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('ledger_leaves')
    .select('leaf')
    .where('seq', '>=', from)
    .where('seq', '<', to)
    .orderBy('seq')
    .execute()
  return rows.map(({ leaf }) => leaf)
}
