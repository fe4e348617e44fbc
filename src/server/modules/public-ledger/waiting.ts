import { type Selectable, sql } from 'kysely'
import type { Currency } from '#domain/money/currency.ts'
import { creditOf, type GivenCard, type Waiting, type WaitingPayout } from '#domain/public-ledger/batches.ts'
import type { Draw } from '#domain/public-ledger/draw.ts'
import type { Amounts } from '#domain/public-ledger/leaf.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { PublicEntriesTable } from '#server/platform/db/schema.ts'

const ROWS_AT_ONCE = 500
/** Ids in one statement. */
const MOST_ASKED = 100
/** Each of them is of hundreds of cards. */
const PAYOUTS_AT_ONCE = 10

type GoOn = () => Promise<void>

/** Every entry before today that stands in no leaf. */
export async function waitingEntries(db: Database, today: string, goOn: GoOn): Promise<readonly Waiting[]> {
  const found: Waiting[] = []
  for (let last = ''; ; ) {
    const rows = await db.read(reader =>
      reader
        .selectFrom('public_entries')
        .leftJoin('ledger_leaf_entries', 'ledger_leaf_entries.entry_id', 'public_entries.id')
        .selectAll('public_entries')
        .select('ledger_leaf_entries.seq')
        .where('public_entries.id', '>', last)
        .orderBy('public_entries.id')
        .limit(ROWS_AT_ONCE)
        .execute(),
    )
    for (const { seq, ...row } of rows) if (seq === null && row.day < today) found.push(waitingOf(row))
    const end = rows.at(-1)
    if (rows.length < ROWS_AT_ONCE || end === undefined) return found
    last = end.id
    await goOn()
  }
}

const waitingOf = ({ id, day, cause, currency, amounts }: Selectable<PublicEntriesTable>): Waiting => ({
  id,
  day,
  cause,
  currency,
  amounts: JSON.parse(amounts) as Amounts,
})

/** A payout with its entries: when it was made, and when it was paid or taken back. */
export interface PayoutEntries extends WaitingPayout {
  readonly ngoId: string
  readonly currency: Currency
  readonly entries: readonly Waiting[]
}

const ID = /^payout(?:-paid|-unpaid|-cancelled)?:(\w+)(?::\d+)?$/

/** The payouts that these entries are of, oldest first. */
export async function payoutsOf(
  db: Database,
  waiting: readonly Waiting[],
  goOn: GoOn,
): Promise<readonly PayoutEntries[]> {
  const byPayout = Map.groupBy(waiting, ({ id }) => id.replace(ID, '$1'))
  const payouts: (PayoutEntries & { readonly id: string })[] = []
  for (const ids of chunks([...byPayout.keys()], PAYOUTS_AT_ONCE)) {
    const rows = await db.read(reader =>
      reader
        .selectFrom('payouts')
        .select(['id', 'ngo_id', 'currency'])
        .select(eb =>
          eb
            .selectFrom('payout_allocations')
            .innerJoin('redemptions', 'redemptions.card_id', 'payout_allocations.card_id')
            .select(sql<number>`max(redemptions.created_at)`.as('until'))
            .whereRef('payout_allocations.payout_id', '=', 'payouts.id')
            .as('until'),
        )
        .where('id', 'in', ids)
        .execute(),
    )
    for (const { id, ngo_id: ngoId, currency, until } of rows) {
      const entries = byPayout.get(id) ?? []
      const isOver = isOverBy(entries)
      payouts.push({ id, ngoId, currency, until, entries, isOver })
    }
    await goOn()
  }
  // Ids begin with their time.
  return payouts.sort((one, other) => (one.id < other.id ? -1 : 1))
}

/**
 * Has the bank paid it, or was it taken back? One that was noted as paid by mistake waits for the bank again; where its own
 * line is shown already, so is the mistake.
 */
function isOverBy(entries: readonly Waiting[]): boolean {
  const of = (what: string) => entries.filter(({ id }) => id.startsWith(`${what}:`)).length
  if (of('payout') === 0) return true
  return of('payout-cancelled') > 0 || of('payout-paid') > of('payout-unpaid')
}

/**
 * Until when the payouts to an organisation that stand in leaves cover the uses of cards, epoch ms UTC; 0 without one. Asked
 * payout by payout: a year of them would block everybody.
 */
export async function paidOutUntil(
  db: Database,
  ngoId: string,
  currency: Currency,
  goOn: GoOn,
): Promise<number> {
  const shown = await db.read(reader =>
    reader
      .selectFrom('payouts')
      .innerJoin('ledger_leaf_entries', join =>
        join.on('ledger_leaf_entries.entry_id', '=', sql<string>`'payout:' || payouts.id`),
      )
      .select('payouts.id')
      .where('payouts.ngo_id', '=', ngoId)
      .where('payouts.currency', '=', currency)
      .execute(),
  )
  let last = 0
  for (const { id } of shown) {
    const { until } = await db.read(reader =>
      reader
        .selectFrom('payout_allocations')
        .innerJoin('redemptions', 'redemptions.card_id', 'payout_allocations.card_id')
        .select(sql<number>`coalesce(max(redemptions.created_at), 0)`.as('until'))
        .where('payout_allocations.payout_id', '=', id)
        .executeTakeFirstOrThrow(),
    )
    last = Math.max(last, until)
    await goOn()
  }
  return last
}

/** The cards that recipients have used, by currency. @param shown ids of entries that come into leaves in this run */
export async function givenCards(
  db: Database,
  shown: ReadonlySet<string>,
  goOn: GoOn,
): Promise<ReadonlyMap<Currency, readonly GivenCard[]>> {
  const found = new Map<Currency, GivenCard[]>()
  for (let last = ''; ; ) {
    const rows = await db.read(reader =>
      reader
        .selectFrom('redemptions')
        .innerJoin('public_entries', join =>
          join.on('public_entries.id', '=', sql<string>`'redemption:' || redemptions.card_id`),
        )
        .leftJoin('ledger_leaf_entries', 'ledger_leaf_entries.entry_id', 'public_entries.id')
        .selectAll('public_entries')
        .select(['redemptions.card_id', 'redemptions.created_at', 'ledger_leaf_entries.seq'])
        .where('redemptions.card_id', '>', last)
        .orderBy('redemptions.card_id')
        .limit(ROWS_AT_ONCE)
        .execute(),
    )
    for (const row of rows) {
      if (row.cause !== 'given') continue
      const card = {
        at: row.created_at,
        credit: creditOf(waitingOf(row)),
        isShown: row.seq !== null || shown.has(row.id),
      }
      const cards = found.get(row.currency)
      if (cards === undefined) found.set(row.currency, [card])
      else cards.push(card)
    }
    const end = rows.at(-1)
    if (rows.length < ROWS_AT_ONCE || end === undefined) return found
    last = end.card_id
    await goOn()
  }
}

/** The nonces of entries; those of buyers who are forgotten are gone. */
export async function noncesOf(
  db: Database,
  ids: readonly string[],
  goOn: GoOn,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const some of chunks(ids, MOST_ASKED)) {
    const rows = await db.read(reader =>
      reader
        .selectFrom('ledger_nonces')
        .select(['entry_id', 'nonce'])
        .where('entry_id', 'in', some)
        .execute(),
    )
    for (const { entry_id, nonce } of rows) found.set(entry_id, nonce)
    await goOn()
  }
  return found
}

const REDEMPTION = 'redemption:'

/** An unused card in its line: how its organisation was found, and the blind that was announced, if one was. */
interface DrawnCard {
  readonly draw: Draw
  readonly blind: string | undefined
}

/** How the organisations of unused cards were found, by the entries' ids. */
export async function drawsOf(
  db: Database,
  ids: readonly string[],
  goOn: GoOn,
): Promise<ReadonlyMap<string, DrawnCard>> {
  const found = new Map<string, DrawnCard>()
  const cards = ids.map(id => id.slice(REDEMPTION.length))
  for (const some of chunks(cards, MOST_ASKED)) {
    const rows = await db.read(reader =>
      reader
        .selectFrom('draws')
        .leftJoin('draw_announcements', 'draw_announcements.id', 'draws.announcement_id')
        .leftJoin('ledger_leaf_entries', join =>
          join.on('ledger_leaf_entries.entry_id', '=', sql<string>`'announcement:' || draws.announcement_id`),
        )
        .select(['card_id', 'chosen_by', 'drawn', 'candidates', 'gone', 'announcement_id'])
        .select(['ledger_leaf_entries.seq', 'draw_announcements.signature'])
        .select(['draw_announcements.secret', 'draw_announcements.size'])
        .select(eb =>
          eb
            .selectFrom('draw_cards')
            .select('blind')
            .whereRef('draw_cards.card_id', '=', 'draws.card_id')
            .where('attempt', '=', 1)
            .as('blind'),
        )
        .where('card_id', 'in', some)
        .execute(),
    )
    for (const { card_id, blind, ...row } of rows)
      found.set(REDEMPTION + card_id, { draw: drawOf(row), blind: blind ?? undefined })
    await goOn()
  }
  return found
}

interface DrawRow {
  readonly chosen_by: 'chance' | 'buyer' | null
  readonly drawn: number
  readonly candidates: string
  readonly gone: string | null
  readonly announcement_id: string | null
  readonly seq: number | null
  readonly signature: string | null
  readonly secret: string | null
  readonly size: number | null
}

function drawOf(row: DrawRow): Draw {
  const { chosen_by, drawn: place, candidates, gone, announcement_id, seq: announcement, signature } = row
  if (chosen_by === 'buyer') return { by: 'buyer' }
  if (announcement_id === null) return { by: 'chance', place, candidates: JSON.parse(candidates) as string[] }
  if (announcement === null || signature === null)
    throw new Error(`The draw by ${announcement_id} has no line, or no value.`)
  const announced = { announcement, place, gone: JSON.parse(gone ?? '[]') as number[] }
  const { secret, size } = row
  return secret === null || size === null
    ? { by: 'drand', signature, ...announced }
    : { by: 'witness', secret, size, cosignature: signature, ...announced }
}

const chunks = <Item>(items: readonly Item[], most: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / most) }, (_, n) => items.slice(n * most, (n + 1) * most))
