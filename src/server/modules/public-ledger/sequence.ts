import { randomBytes } from 'node:crypto'
import { dayInUtc } from '#domain/days.ts'
import type { Planned } from '#domain/public-ledger/batches.ts'
import { bytesOf, toHex } from '#domain/public-ledger/bytes.ts'
import { blindOf, type Cause, commitmentOf, leafText } from '#domain/public-ledger/leaf.ts'
import { createFrontier, type Frontier, leafHash } from '#domain/public-ledger/tree.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import { announcementsOf } from './announcements.ts'
import { hashesFrom, lastHead } from './heads.ts'
import { forksIn, forksOf, type LedgerKeys, nameAfter, signerOfHead, successionLeaf } from './keys.ts'
import { planLeaves } from './plan.ts'
import { receivedLeaves } from './received.ts'
import { sha256 } from './sha256.ts'
import type { LedgerSigner } from './signer.ts'
import { drawsOf, noncesOf, waitingEntries } from './waiting.ts'

export interface SequenceTools extends LedgerKeys {
  readonly db: Database
  readonly clock: Clock
  /** A number from 0 to below `count`, each as likely, from a cryptographic source. */
  readonly draw: (count: number) => number
}

/** The leaves in the database are not those that were signed: another hand, or a backup. Nothing more is signed then. */
export class LedgerAltered extends Error {
  override readonly name = 'LedgerAltered'
}

export interface Sequenced {
  readonly leaves: number
  readonly size: number
  /** Entries of days before that go on waiting. */
  readonly waiting: number
}

/** Another process writes in this moment. What it has written stands. */
class Overtaken extends Error {}

/** Rows of one transaction: a visitor's request waits for it. */
const MOST_ROWS = 250

/**
 * Puts everything of earlier days that may be shown into the log, in an order drawn by lot, and signs its head. Stopped
 * anywhere, the next run goes on; of two at once one writes each place.
 * @throws LedgerAltered
 */
export async function sequenceDays(tools: SequenceTools, goOn: () => Promise<void>): Promise<Sequenced> {
  const { db, clock, draw } = tools
  const frontier = await frontierOf(db, goOn)
  const { signer, first } = await signerNow(tools, frontier)
  const today = dayInUtc(clock())
  const waiting = await waitingEntries(db, today, goOn)
  const planned = await planLeaves(db, waiting, today, goOn)
  const said = await receivedLeaves(db, today, goOn)
  const leaves = [...first, ...shuffled([...(await written(db, planned, goOn)), ...said], draw)]
  let done = 0
  let entered = 0
  for (const some of portions(leaves)) {
    try {
      await append(db, { frontier, signer, leaves: some, now: clock() })
    } catch (error) {
      if (error instanceof Overtaken) break
      throw error
    }
    done += some.length
    entered += some.reduce((sum, { ids }) => sum + ids.length, 0)
    await goOn()
  }
  return { leaves: done, size: frontier.size(), waiting: waiting.length - entered }
}

/**
 * The key that signs from now on, and the line by which the one of before names it, where it is another.
 * @throws LedgerAltered where the newest head is signed by no key of ours
 */
async function signerNow(
  keys: SequenceTools,
  frontier: Frontier,
): Promise<{ readonly signer: LedgerSigner; readonly first: readonly Written[] }> {
  const { db, clock } = keys
  const head = await db.read(lastHead)
  const { count, last } = await db.read(forksOf)
  const signer = keys.signer.under(nameAfter(keys.signer.verifier.name, count))
  const from =
    head === undefined
      ? keys.signer.under(nameAfter(keys.signer.verifier.name, Math.max(0, count - 1)))
      : signerOfHead(keys, head.note)
  if (from === undefined)
    throw new LedgerAltered('The newest head is signed by another key: set it as LEDGER_KEY_EARLIER.')
  if (from.verifierText === signer.verifierText) return { signer, first: [] }
  const isFork = last !== undefined && forksIn(from.verifier.name) < count
  const text = successionLeaf(from, signer, {
    index: frontier.size(),
    root: frontier.root(),
    day: dayInUtc(clock()),
    fork: isFork ? last : undefined,
  })
  return { signer, first: [{ text, ids: [] }] }
}

/** A leaf as it is written, and the entries that it is of. */
interface Written {
  readonly text: string
  readonly ids: readonly string[]
}

/** So many events are hashed and written as text in one turn: some milliseconds. */
const EVENTS_AT_ONCE = 250

async function written(
  db: Database,
  planned: readonly Planned[],
  goOn: () => Promise<void>,
): Promise<readonly Written[]> {
  const entries = planned.flatMap(leaf => leaf.entries)
  const idsOf = (which?: Cause): string[] =>
    entries.filter(({ cause }) => which === undefined || cause === which).map(({ id }) => id)
  const facts: Facts = {
    nonces: await noncesOf(db, idsOf(), goOn),
    draws: await drawsOf(db, idsOf('auto'), goOn),
    announcements: await announcementsOf(db, idsOf('announced'), goOn),
  }
  const all: Written[] = []
  let events = 0
  for (const leaf of planned) {
    events += leaf.entries.length
    if (events > EVENTS_AT_ONCE) {
      await goOn()
      events = leaf.entries.length
    }
    all.push(writtenLeaf(leaf, facts))
  }
  return all
}

/** What is known of entries beside themselves, by their ids. */
interface Facts {
  readonly nonces: Awaited<ReturnType<typeof noncesOf>>
  readonly draws: Awaited<ReturnType<typeof drawsOf>>
  readonly announcements: Awaited<ReturnType<typeof announcementsOf>>
}

function writtenLeaf(
  { entries, day, cause, currency, amounts }: Planned,
  { nonces, draws, announcements }: Facts,
): Written {
  // Nobody can show any more what is of a forgotten buyer.
  const nonceOf = (id: string) => nonces.get(id) ?? randomBytes(32).toString('hex')
  const [first] = entries
  const isSum = entries.length > 1 || cause === 'given'
  const drawn = draws.get(first!.id)
  const announcement = announcements.get(first!.id)
  const proof = isSum
    ? entries.map(({ id, amounts: own }) => commitmentOf(sha256, nonceOf(id), cause, own)).sort()
    : // What was announced is what its line shows.
      (drawn?.blind ?? blindOf(sha256, nonceOf(first!.id), cause))
  const text = leafText({
    day,
    cause,
    currency,
    amounts,
    proof,
    ...(drawn && { draw: drawn.draw }),
    ...(announcement && { announcement }),
  })
  return { text, ids: entries.map(({ id }) => id) }
}

/** Each order as likely as any other (Fisher and Yates). */
function shuffled<Item>(items: readonly Item[], draw: (count: number) => number): readonly Item[] {
  const all = [...items]
  for (let rest = all.length; rest > 1; rest--) {
    const place = draw(rest)
    ;[all[rest - 1], all[place]] = [all[place]!, all[rest - 1]!]
  }
  return all
}

function* portions(leaves: readonly Written[]): Generator<readonly Written[]> {
  let some: Written[] = []
  let rows = 0
  for (const leaf of leaves) {
    if (rows > 0 && rows + leaf.ids.length + 1 > MOST_ROWS) {
      yield some
      some = []
      rows = 0
    }
    some.push(leaf)
    rows += leaf.ids.length + 1
  }
  if (some.length > 0) yield some
}

/** The tree as it was signed last. @throws LedgerAltered */
async function frontierOf(db: Database, goOn: () => Promise<void>): Promise<Frontier> {
  const head = await db.read(lastHead)
  const frontier = createFrontier(sha256)
  if (head === undefined) return frontier
  await hashesFrom(db, { from: 0, to: head.size, goOn }, hash => frontier.add(hash))
  if (frontier.size() !== head.size || toHex(frontier.root()) !== head.root)
    throw new LedgerAltered('The lines of the public ledger are not those that were signed.')
  return frontier
}

interface Portion {
  readonly frontier: Frontier
  readonly signer: LedgerSigner
  readonly leaves: readonly Written[]
  readonly now: number
}

/**
 * Writes leaves and the head over them, in one transaction.
 * @throws Overtaken
 * @throws LedgerAltered where a leaf is in the tree already, and nobody was quicker
 */
async function append(db: Database, { frontier, signer, leaves, now }: Portion): Promise<void> {
  const from = frontier.size()
  const rows = leaves.map(({ text }, n) => {
    const hash = leafHash(sha256, bytesOf(text))
    frontier.add(hash)
    return { seq: from + n, leaf: text, hash: toHex(hash) }
  })
  const size = frontier.size()
  const root = frontier.root()
  const head = { size, root: toHex(root), note: signer.sign({ size, root }), at: now }
  await db.transaction(async trx => {
    const isNew = await trx
      .insertInto('ledger_leaves')
      .values(rows)
      // Whoever was quicker may have put the same leaf in another place.
      .onConflict(conflict => conflict.doNothing())
      .returning('seq')
      .execute()
    if (isNew.length < rows.length) {
      const { taken } = await trx
        .selectFrom('ledger_leaves')
        .select(eb => eb.fn.countAll<number>().as('taken'))
        .where('seq', '>=', from)
        .executeTakeFirstOrThrow()
      throw Number(taken) > isNew.length
        ? new Overtaken()
        : new LedgerAltered('A line of the public ledger would stand in it twice.')
    }
    const entries = leaves.flatMap(({ ids }, n) => ids.map(id => ({ entry_id: id, seq: from + n })))
    if (entries.length > 0) await trx.insertInto('ledger_leaf_entries').values(entries).execute()
    await trx.insertInto('ledger_heads').values(head).execute()
  })
}
