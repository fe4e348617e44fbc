import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { dayInUtc } from '#domain/days.ts'
import { toHex } from '#domain/public-ledger/bytes.ts'
import { type Leaf, leafText, NGO_ACCOUNT, readLeaf } from '#domain/public-ledger/leaf.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'
import { lastHead } from './heads.ts'

/** A line of the log, before it has its place. */
export interface SaidLeaf {
  readonly text: string
  readonly ids: readonly string[]
}

/**
 * The lines that say which payouts have arrived: of each line of payouts one, once all of them are confirmed, and one that
 * takes it back where one of them is confirmed no longer. A payout that is confirmed alone, within a line of several, would
 * tell its own amount.
 * @param today `YYYY-MM-DD`, UTC: what is confirmed today is said tomorrow
 */
export async function receivedLeaves(
  db: Database,
  today: string,
  goOn: () => Promise<void>,
): Promise<readonly SaidLeaf[]> {
  const rows = await db.read(linesOfPayouts)
  if (rows.length === 0) return []
  await goOn()
  const advices = await db.read(reader =>
    reader
      .selectFrom('payout_advices')
      .select(['payout_id', 'received_at', 'receipt_digest'])
      .where('withdrawn_at', 'is', null)
      .where('received_at', 'is not', null)
      .execute(),
  )
  const received = new Map(
    advices
      .filter(({ received_at: at }) => at !== null && dayInUtc(at) < today)
      .map(each => [each.payout_id, each.receipt_digest]),
  )
  const cancelled = await db.read(reader =>
    reader.selectFrom('payouts').select('id').where('status', '=', 'cancelled').execute(),
  )
  const gone = new Set(cancelled.map(({ id }) => id))
  const standing = await statedOf(db, goOn)
  const said: SaidLeaf[] = []
  for (const [seq, some] of Map.groupBy(rows, row => row.seq)) {
    const leaf = readLeaf(some[0]!.leaf)
    const account = leaf.amounts.find(([name]) => name.startsWith(NGO_ACCOUNT))
    if (account === undefined) continue
    const ids = some.map(({ entry_id: id }) => id.slice('payout:'.length)).filter(id => !gone.has(id))
    const isReceived = ids.length > 0 && ids.every(id => received.has(id))
    const before = standing.get(seq + 1) ?? 0
    if (isReceived === before > 0) continue
    const digests = ids.map(id => received.get(id)).filter(digest => typeof digest === 'string')
    const ngoId = account[0].slice(NGO_ACCOUNT.length)
    const amount = isReceived ? -account[1] : -before
    said.push(
      lineOf(today, leaf, [
        seq + 1,
        ngoId,
        leaf.day.slice(0, 4),
        amount,
        isReceived ? [...new Set(digests)].sort() : [],
      ]),
    )
  }
  return said
}

const lineOf = (today: string, { currency }: Leaf, received: NonNullable<Leaf['received']>): SaidLeaf => ({
  ids: [],
  text: leafText({
    day: dayBefore(today),
    cause: 'received',
    currency,
    amounts: [],
    // It has no nonce: that it stands there is all that is to be shown.
    proof: toHex(randomBytes(20)),
    received,
  }),
})

const dayBefore = (day: string): string => dayInUtc(Date.parse(`${day}T00:00:00Z`) - 1)

/** The payouts that stand in lines, in the order of these. Found by each payout: looking through all entries would block. */
const linesOfPayouts = (db: Reader) =>
  db
    .selectFrom('payouts')
    .innerJoin('ledger_leaf_entries', join =>
      join.on('ledger_leaf_entries.entry_id', '=', sql<string>`'payout:' || payouts.id`),
    )
    .innerJoin('ledger_leaves', 'ledger_leaves.seq', 'ledger_leaf_entries.seq')
    .select(['ledger_leaf_entries.entry_id', 'ledger_leaves.seq', 'ledger_leaves.leaf'])
    .orderBy('ledger_leaves.seq')
    .execute()

/** So many lines are looked through in one turn. */
const LINES_AT_ONCE = 2_000

/** What is said to have arrived, by the number of the payouts' line. */
async function statedOf(db: Database, goOn: () => Promise<void>): Promise<ReadonlyMap<number, number>> {
  const stated = new Map<number, number>()
  const size = (await db.read(lastHead))?.size ?? 0
  for (let from = 0; from < size; from += LINES_AT_ONCE) {
    const rows = await db.read(reader =>
      reader
        .selectFrom('ledger_leaves')
        .select('leaf')
        .where('seq', '>=', from)
        .where('seq', '<', from + LINES_AT_ONCE)
        .where('leaf', 'like', '[1,"__________","received",%')
        .orderBy('seq')
        .execute(),
    )
    for (const { leaf } of rows) {
      const { received } = readLeaf(leaf)
      if (received === undefined) continue
      const [line, , , amount] = received
      stated.set(line, (stated.get(line) ?? 0) + amount)
    }
    await goOn()
  }
  return stated
}
