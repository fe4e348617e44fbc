import type { Selectable } from 'kysely'
import { toHex } from '#domain/public-ledger/bytes.ts'
import { type Chain, isBeacon, randomnessOf, type VerifyBeacon } from '#domain/public-ledger/drand.ts'
import {
  type Announcement,
  commitmentOfSecret,
  type DrandAnnouncement,
  readAnnouncement,
  type WitnessAnnouncement,
  witnessSeed,
} from '#domain/public-ledger/draw.ts'
import { type Leaf, readLeaf } from '#domain/public-ledger/leaf.ts'
import { readNote, readSignatures } from '#domain/public-ledger/note.ts'
import { cosignaturesIn, readWitness } from '#domain/public-ledger/witness.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'
import type { DrawAnnouncementsTable } from '#server/platform/db/schema.ts'
import { ANNOUNCEMENT } from './enter.ts'
import { sha256 } from './sha256.ts'
import { verifySignature } from './signer.ts'
import { firstCosignatureOver } from './witnesses.ts'

/** Ids in one statement. */
const MOST_ASKED = 100

/** What announcements say, by the ids of their entries. @throws Error for one that another hand has written */
export async function announcementsOf(
  db: Database,
  entryIds: readonly string[],
  goOn: () => Promise<void>,
): Promise<ReadonlyMap<string, Announcement>> {
  const found = new Map<string, Announcement>()
  for (let n = 0; n < entryIds.length; n += MOST_ASKED) {
    const ids = entryIds.slice(n, n + MOST_ASKED).map(id => id.slice(ANNOUNCEMENT.length))
    const rows = await db.read(reader =>
      reader.selectFrom('draw_announcements').select(['id', 'terms']).where('id', 'in', ids).execute(),
    )
    for (const { id, terms } of rows) {
      const announcement = readAnnouncement(JSON.parse(terms))
      if (announcement === undefined) throw new Error(`The announcement ${id} is none.`)
      found.set(ANNOUNCEMENT + id, announcement)
    }
    await goOn()
  }
  return found
}

/**
 * Notes which announcements stand in a head that everybody can read, before their value comes. One whose value has come
 * was not announced, and never counts.
 * @param size of the head that is published
 */
export async function notePublished(db: Database, size: number, now: number): Promise<void> {
  const entered = await db.read(reader =>
    reader
      .selectFrom('draw_announcements')
      .select(['id'])
      .where('published_at', 'is', null)
      .where('draw_at', '>', now)
      .execute(),
  )
  if (entered.length === 0) return
  const shown = await db.read(reader =>
    reader
      .selectFrom('ledger_leaf_entries')
      .select('entry_id')
      .where(
        'entry_id',
        'in',
        entered.map(({ id }) => ANNOUNCEMENT + id),
      )
      .where('seq', '<', size)
      .execute(),
  )
  if (shown.length === 0) return
  await db.transaction(trx =>
    trx
      .updateTable('draw_announcements')
      .set({ published_at: now })
      .where(
        'id',
        'in',
        shown.map(({ entry_id }) => entry_id.slice(ANNOUNCEMENT.length)),
      )
      .where('published_at', 'is', null)
      .where('draw_at', '>', now)
      .execute(),
  )
}

/** What announced draws are made by. */
export interface ValueSource {
  /** Signature of a round, hex: it is verified by whoever asks. @throws Error where it cannot be had */
  signatureOf(chain: Chain, round: number): Promise<string>
}

interface ValueTools {
  readonly db: Database
  readonly clock: Clock
  readonly verifyBeacon: VerifyBeacon
  /** Missing where none is set: what was announced waits. */
  readonly source: ValueSource | undefined
}

export interface Values {
  /** The random value by the announcement's id. */
  readonly seeds: ReadonlyMap<string, Uint8Array>
  /** Why the first one of those that are missing cannot be had. */
  readonly reason: string | undefined
}

/**
 * The values of all published announcements whose time has come and whose cards are not all given. Each is verified, also
 * one that was had before: another hand could have written it.
 */
export async function valuesDue({ db, clock, verifyBeacon, source }: ValueTools): Promise<Values> {
  const due = await db.read(reader =>
    reader
      .selectFrom('draw_announcements')
      .selectAll()
      .where('published_at', 'is not', null)
      .where('draw_at', '<=', clock())
      .where(eb =>
        eb.exists(
          eb
            .selectFrom('draw_cards')
            .innerJoin('cards', 'cards.id', 'draw_cards.card_id')
            .select('card_id')
            .whereRef('announcement_id', '=', 'draw_announcements.id')
            .where('cards.status', 'in', ['active', 'left']),
        ),
      )
      .orderBy('draw_at')
      .execute(),
  )
  const seeds = new Map<string, Uint8Array>()
  let reason: string | undefined
  for (const row of due) {
    try {
      const { seed, signature, size } = await valueFor({ db, verifyBeacon, source }, row)
      if (signature !== row.signature)
        await db.transaction(trx =>
          trx.updateTable('draw_announcements').set({ signature, size }).where('id', '=', row.id).execute(),
        )
      seeds.set(row.id, seed)
    } catch (error) {
      // Whatever it is, the others go on, and this one waits.
      reason ??= (error as Error).message
    }
  }
  return { seeds, reason }
}

type AnnouncementRow = Selectable<DrawAnnouncementsTable>

interface Value {
  readonly seed: Uint8Array
  /** Hex. */
  readonly signature: string
  /** Of the head that a witness signed. */
  readonly size: number | null
}

/** @throws Error that says why there is no value yet */
async function valueFor(tools: Omit<ValueTools, 'clock'>, row: AnnouncementRow): Promise<Value> {
  const line = await tools.db.read(reader => publishedAs(reader, row.id))
  const announcement = line?.leaf.announcement
  if (line === undefined || announcement === undefined) throw new Error('its announcement has no line')
  return announcement.by === 'drand'
    ? drandValue(tools, announcement, row)
    : witnessValue(tools.db, announcement, { row, index: line.index })
}

async function drandValue(
  { verifyBeacon, source }: Omit<ValueTools, 'clock'>,
  { chain, round }: DrandAnnouncement,
  { signature }: AnnouncementRow,
): Promise<Value> {
  const fits = (each: string): boolean => isBeacon({ sha256, verifyBeacon }, chain, round, each)
  const valueBy = (each: string): Value => ({
    seed: randomnessOf(sha256, each),
    signature: each,
    size: null,
  })
  if (signature !== null && fits(signature)) return valueBy(signature)
  if (source === undefined) throw new Error('DRAND_URL is not set')
  const value = await source.signatureOf(chain, round)
  if (!fits(value)) throw new Error(`the value of round ${round} is not signed by the network`)
  return valueBy(value)
}

/** The secret with the first signature of the witness over the announcement: no later one counts. */
async function witnessValue(
  db: Database,
  { commitment, witness }: WitnessAnnouncement,
  { row: { secret }, index }: { readonly row: AnnouncementRow; readonly index: number },
): Promise<Value> {
  if (secret === null || commitmentOfSecret(sha256, secret) !== commitment)
    throw new Error('its secret is not the one that was announced')
  const first = await db.read(reader => firstCosignatureOver(reader, index, witness))
  if (first === undefined) throw new Error('its witness has not signed')
  const signatures = readSignatures(first.line)
  const { text } = readNote(first.head.note)
  await cosignaturesIn({ text, signatures }, [readWitness(sha256, witness)], {
    sha256,
    verify: verifySignature,
  })
  const signature = toHex(signatures[0]!.signature)
  return { seed: witnessSeed(sha256, secret, signature), signature, size: first.head.size }
}

/** The line of an announcement, as everybody can read it, and its place from 0; undefined where there is none yet. */
export async function publishedAs(
  db: Reader,
  id: string,
): Promise<{ readonly leaf: Leaf; readonly index: number } | undefined> {
  const row = await db
    .selectFrom('ledger_leaf_entries')
    .innerJoin('ledger_leaves', 'ledger_leaves.seq', 'ledger_leaf_entries.seq')
    .select(['ledger_leaves.seq', 'ledger_leaves.leaf'])
    .where('entry_id', '=', ANNOUNCEMENT + id)
    .executeTakeFirst()
  return row && { leaf: readLeaf(row.leaf), index: row.seq }
}
