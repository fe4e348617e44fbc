import { sql } from 'kysely'
import { dayInUtc } from '#domain/days.ts'
import { bytesOf, toHex } from '#domain/public-ledger/bytes.ts'
import { publicCauseOf } from '#domain/public-ledger/entries.ts'
import { type Amounts, readLeaf, summed } from '#domain/public-ledger/leaf.ts'
import { createFrontier, leafHash } from '#domain/public-ledger/tree.ts'
import { type Finding, MOST } from '#server/modules/integrity/findings.ts'
import { sha256 } from '#server/modules/public-ledger/sha256.ts'
import type { Reader } from '#server/platform/db/database.ts'

const ROWS_AT_ONCE = 500

/** Every set of the books is one entry of the public ledger. */
export async function setsNotPublic(db: Reader): Promise<readonly Finding[]> {
  const rows = await db
    .selectFrom('ledger_entries')
    .leftJoin('public_entries', 'public_entries.id', 'ledger_entries.set_id')
    .select('ledger_entries.set_id')
    .distinct()
    .where('public_entries.id', 'is', null)
    .limit(MOST)
    .execute()
  return rows.map(row => ({ rule: 'public-entry-missing', subject: row.set_id }))
}

/** Every entry of the public ledger is a set of the books, and says of it what it must. */
export async function publicEntriesAmiss(db: Reader): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  for (let last = ''; findings.length < MOST; ) {
    const entries = await db
      .selectFrom('public_entries')
      .selectAll()
      .where('id', '>', last)
      .orderBy('id')
      .limit(ROWS_AT_ONCE)
      .execute()
    const end = entries.at(-1)
    if (end === undefined) break
    last = end.id
    const lines = await db
      .selectFrom('ledger_entries')
      .select(['set_id', 'account', 'currency', 'cause', 'created_at'])
      // A number that no program can hold is another rule's business, and stops nobody here.
      .select(sql<string>`cast(amount as text)`.as('amount'))
      .where(
        'set_id',
        'in',
        entries.map(({ id }) => id),
      )
      .execute()
    const sets = Map.groupBy(lines, ({ set_id }) => set_id)
    for (const { id, day, cause, currency, amounts } of entries) {
      const set = sets.get(id)
      const isRight =
        set?.every(line => line.currency === currency && dayInUtc(line.created_at) === day) &&
        amounts === JSON.stringify(summed(set.map(line => [line.account, Number(line.amount)] as const))) &&
        cause ===
          causeOf(
            set[0]!.cause,
            set.map(({ account }) => account),
          )
      if (!isRight) findings.push({ rule: 'public-entry-differs', subject: id })
    }
  }
  return findings.slice(0, MOST)
}

function causeOf(cause: string, accounts: readonly string[]): string | undefined {
  try {
    return publicCauseOf(cause, accounts)
  } catch {
    return undefined
  }
}

/** The lines of the public ledger say what their entries sum to, none is missing, and every head is the tree's own. */
export async function publicLeavesAmiss(db: Reader): Promise<readonly Finding[]> {
  const findings: Finding[] = []
  const heads = await db.selectFrom('ledger_heads').select(['size', 'root']).orderBy('size').execute()
  const rootAt = new Map(heads.map(({ size, root }) => [size, root]))
  const frontier = createFrontier(sha256)
  for (let next = 0; findings.length < MOST; ) {
    const from = next
    const leaves = await db
      .selectFrom('ledger_leaves')
      .selectAll()
      .where('seq', '>=', from)
      .orderBy('seq')
      .limit(ROWS_AT_ONCE)
      .execute()
    if (leaves.length === 0) break
    const entries = await db
      .selectFrom('ledger_leaf_entries')
      .innerJoin('public_entries', 'public_entries.id', 'ledger_leaf_entries.entry_id')
      .select(['seq', 'cause', 'currency', 'amounts'])
      .where('seq', '>=', from)
      .where('seq', '<=', leaves.at(-1)!.seq)
      .execute()
    const byLeaf = Map.groupBy(entries, ({ seq }) => seq)
    for (const { seq, leaf, hash } of leaves) {
      const made = leafHash(sha256, bytesOf(leaf))
      frontier.add(made)
      const isRight = seq === next && hash === toHex(made) && saysWhatItMust(leaf, byLeaf.get(seq) ?? [])
      if (!isRight) findings.push({ rule: 'public-leaf-differs', subject: String(seq) })
      next = seq + 1
      const root = rootAt.get(frontier.size())
      if (root !== undefined && root !== toHex(frontier.root()))
        findings.push({ rule: 'public-head-differs', subject: String(frontier.size()) })
    }
  }
  const size = heads.at(-1)?.size ?? 0
  // A line beyond the last head was signed by nobody.
  if (size !== frontier.size() && findings.length < MOST)
    findings.push({
      rule: 'public-head-differs',
      subject: String(size),
      expected: frontier.size(),
      found: size,
    })
  return findings.slice(0, MOST)
}

interface EntryOfLeaf {
  readonly cause: string
  readonly currency: string
  readonly amounts: string
}

function saysWhatItMust(text: string, entries: readonly EntryOfLeaf[]): boolean {
  try {
    const leaf = readLeaf(text)
    const shown = typeof leaf.proof === 'string' ? 1 : leaf.proof.length
    return (
      shown === entries.length &&
      entries.every(({ cause, currency }) => cause === leaf.cause && currency === leaf.currency) &&
      JSON.stringify(leaf.amounts) ===
        JSON.stringify(summed(...entries.map(({ amounts }) => JSON.parse(amounts) as Amounts)))
    )
  } catch {
    return false
  }
}
