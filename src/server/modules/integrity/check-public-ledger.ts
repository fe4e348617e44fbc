import { sql } from 'kysely'
import { dayInUtc } from '#domain/days.ts'
import { bytesOf, toHex } from '#domain/public-ledger/bytes.ts'
import { randomnessOf } from '#domain/public-ledger/drand.ts'
import { type Announcement, announcementParts, drawnPlace, witnessSeed } from '#domain/public-ledger/draw.ts'
import { publicCauseOf } from '#domain/public-ledger/entries.ts'
import { type Amounts, readLeaf, summed } from '#domain/public-ledger/leaf.ts'
import { createFrontier, leafHash } from '#domain/public-ledger/tree.ts'
import { type Finding, MOST } from '#server/modules/integrity/findings.ts'
import { ANNOUNCEMENT } from '#server/modules/public-ledger/enter.ts'
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
    const announcedOn = await daysOfAnnouncements(
      db,
      entries.filter(({ cause }) => cause === 'announced').map(({ id }) => id),
    )
    for (const { id, day, cause, currency, amounts } of entries) {
      const set = sets.get(id)
      // An announcement moves nothing, so that the books have no set of it.
      const isAnnouncement = cause === 'announced' && set === undefined && amounts === '[]'
      if (isAnnouncement && announcedOn.get(id) === day) continue
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

/** The day of each of these announcements, by its entry. */
async function daysOfAnnouncements(
  db: Reader,
  entryIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (entryIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('draw_announcements')
    .select(['id', 'created_at'])
    .where(
      'id',
      'in',
      entryIds.map(id => id.slice(ANNOUNCEMENT.length)),
    )
    .execute()
  return new Map(rows.map(({ id, created_at }) => [ANNOUNCEMENT + id, dayInUtc(created_at)]))
}

/** What is announced stands in its line, and what was drawn by it is what its value draws. */
export async function announcedDrawsAmiss(db: Reader): Promise<readonly Finding[]> {
  const rows = await db
    .selectFrom('draw_announcements')
    .innerJoin('ledger_leaf_entries', join =>
      join.on('ledger_leaf_entries.entry_id', '=', sql<string>`'announcement:' || draw_announcements.id`),
    )
    .innerJoin('ledger_leaves', 'ledger_leaves.seq', 'ledger_leaf_entries.seq')
    .select(['draw_announcements.id', 'terms', 'leaf', 'signature', 'secret'])
    .execute()
  const findings: Finding[] = []
  for (const { id, terms, leaf, signature, secret } of rows) {
    const announcement = announcementIn(leaf)
    if (announcement === undefined || JSON.stringify(announcementParts(announcement)) !== terms) {
      findings.push({ rule: 'announcement-differs', subject: id })
      continue
    }
    const draws = await db
      .selectFrom('draws')
      .leftJoin('draw_cards', join =>
        join
          .onRef('draw_cards.card_id', '=', 'draws.card_id')
          .onRef('draw_cards.announcement_id', '=', 'draws.announcement_id'),
      )
      .select(['draws.card_id', 'drawn', 'candidates', 'gone', 'blind'])
      .where('draws.announcement_id', '=', id)
      .execute()
    for (const draw of draws)
      if (!isDrawnBy(announcement, { signature, secret }, draw))
        findings.push({ rule: 'announced-draw-differs', subject: draw.card_id })
  }
  return findings.slice(0, MOST)
}

function announcementIn(leaf: string): Announcement | undefined {
  try {
    return readLeaf(leaf).announcement
  } catch {
    return undefined
  }
}

interface DrawRow {
  readonly drawn: number
  readonly candidates: string
  readonly gone: string | null
  readonly blind: string | null
}

function isDrawnBy(
  { candidates, blinds }: Announcement,
  { signature, secret }: { readonly signature: string | null; readonly secret: string | null },
  draw: DrawRow,
): boolean {
  const { blind } = draw
  if (signature === null || blind === null || !blinds.includes(blind)) return false
  if (draw.candidates !== JSON.stringify(candidates)) return false
  try {
    const gone = JSON.parse(draw.gone ?? '') as number[]
    const seed = secret === null ? randomnessOf(sha256, signature) : witnessSeed(sha256, secret, signature)
    return drawnPlace(sha256, { seed, blind, count: candidates.length, gone }) === draw.drawn
  } catch {
    return false
  }
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
    // What is said of the ledger itself is of no set of the books.
    if (leaf.key !== undefined || leaf.received !== undefined) return entries.length === 0
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
