import { type GiftRow, PRINTED_NAMES_KEPT_DAYS } from '#domain/card/gift-rows.ts'
import { DAY_MS } from '#domain/durations.ts'
import type { Database, Reader, Writer } from '#server/platform/db/database.ts'

/** The place of a card in its order, as every table that tells cards of an order apart has it. */
export interface PlaceInOrder {
  readonly order_id: string | null
  /** From 0 on; an invitation has none, being alone in its order. */
  readonly position?: number
}

/** What an order of many says of a card, by its place. */
export interface KeptRow extends GiftRow {
  /** The place of the card in the order, from 0 on. */
  readonly position: number
  /** When its name was first printed, epoch ms UTC; null before. */
  readonly printedAt: number | null
}

/** Rows in one statement: each has five values, and an engine takes some thousands. */
const AT_ONCE = 100
const SOME = 500

/** Keeps what is said of each card, in the transaction that makes the order. Cards of which nothing is said have no row. */
export async function keepRows(trx: Writer, orderId: string, rows: readonly GiftRow[]): Promise<void> {
  const said = rows
    .map(({ name, words }, position) => ({ order_id: orderId, position, name, words, printed_at: null }))
    .filter(({ name, words }) => name !== null || words !== null)
  for (let n = 0; n < said.length; n += AT_ONCE)
    await trx
      .insertInto('batch_rows')
      .values(said.slice(n, n + AT_ONCE))
      .execute()
}

/** What an order says of its cards, by their places; a card of which nothing is (or is any more) said is missing. */
export async function rowsOfOrder(db: Reader, orderId: string): Promise<readonly KeptRow[]> {
  const rows = await db
    .selectFrom('batch_rows')
    .select(['position', 'name', 'words', 'printed_at'])
    .where('order_id', '=', orderId)
    .orderBy('position')
    .execute()
  return rows.map(({ printed_at: printedAt, ...row }) => ({ ...row, printedAt }))
}

/** What an order says of one card; undefined where it says nothing of it. */
export async function rowOf(
  db: Reader,
  { order_id: orderId, position = 0 }: PlaceInOrder,
): Promise<GiftRow | undefined> {
  if (orderId === null) return undefined
  return db
    .selectFrom('batch_rows')
    .select(['name', 'words'])
    .where('order_id', '=', orderId)
    .where('position', '=', position)
    .executeTakeFirst()
}

/**
 * Notes that the names of an order, or of some of its cards, went out on paper: from then on their time runs. What was
 * printed before keeps its time.
 * @param now epoch ms UTC
 */
export async function notePrinted(
  trx: Writer,
  orderId: string,
  now: number,
  positions?: readonly number[],
): Promise<void> {
  let printed = trx
    .updateTable('batch_rows')
    .set({ printed_at: now })
    .where('order_id', '=', orderId)
    .where('name', 'is not', null)
    .where('printed_at', 'is', null)
  if (positions !== undefined) printed = printed.where('position', 'in', positions)
  await printed.execute()
}

/** Takes everything that these orders say of their cards. @returns how many rows */
export async function forgetRows(trx: Writer, orderIds: readonly string[]): Promise<number> {
  if (orderIds.length === 0) return 0
  const gone = await trx
    .deleteFrom('batch_rows')
    .where('order_id', 'in', orderIds)
    .returning('position')
    .execute()
  return gone.length
}

/** Takes what is said of these cards; the others of their orders keep theirs. */
export async function forgetRowsOfCards(trx: Writer, cardIds: readonly string[]): Promise<void> {
  const cards = await trx
    .selectFrom('cards')
    .innerJoin('batch_rows as row', join =>
      join.onRef('row.order_id', '=', 'cards.order_id').onRef('row.position', '=', 'cards.position'),
    )
    .select(['row.order_id', 'row.position'])
    .where('cards.id', 'in', cardIds)
    .execute()
  for (const [orderId, places] of Map.groupBy(cards, ({ order_id }) => order_id))
    await trx
      .deleteFrom('batch_rows')
      .where('order_id', '=', orderId)
      .where(
        'position',
        'in',
        places.map(({ position }) => position),
      )
      .execute()
}

/**
 * Takes what is said of some cards that were over before an instant, whatever else they say of a person.
 * @param before epoch ms UTC: of a card's use, or of its last day where it was given back
 * @returns how many
 */
export async function forgetRowsOfOver(db: Database, before: number): Promise<number> {
  return db.transaction(async trx => {
    const over = await trx
      .selectFrom('batch_rows')
      // The embedded database takes these tables in this order: most cards have no row.
      .crossJoin('cards')
      .leftJoin('redemptions', 'redemptions.card_id', 'cards.id')
      .select('cards.id')
      .whereRef('cards.order_id', '=', 'batch_rows.order_id')
      .whereRef('cards.position', '=', 'batch_rows.position')
      .where('cards.status', 'in', ['consumed', 'revoked'])
      .where(eb => eb(eb.fn.coalesce('redemptions.created_at', 'cards.auto_donate_at'), '<', before))
      .limit(AT_ONCE)
      .execute()
    if (over.length > 0)
      await forgetRowsOfCards(
        trx,
        over.map(({ id }) => id),
      )
    return over.length
  })
}

/**
 * Has the words of one card, or of every card of an order, shown to nobody any more; nor are those of the order shown in
 * their place.
 * @returns how many had words of their own
 */
export async function blankRows(trx: Writer, orderId: string, position?: number): Promise<number> {
  let blank = trx
    .updateTable('batch_rows')
    .set({ words: '' })
    .where('order_id', '=', orderId)
    .where('words', 'is not', null)
    .where('words', '<>', '')
  if (position !== undefined) blank = blank.where('position', '=', position)
  return (await blank.returning('position').execute()).length
}

/**
 * Takes the names of recipients that went out on paper thirty days ago off some rows; their words stay as long as their
 * card's. @returns how many
 */
export async function forgetPrintedNames(db: Database, now: number): Promise<number> {
  const before = now - PRINTED_NAMES_KEPT_DAYS * DAY_MS
  const cleared = await db.transaction(trx =>
    trx
      .updateTable('batch_rows')
      .set({ name: null })
      .where(eb =>
        eb(
          eb.refTuple('order_id', 'position'),
          'in',
          eb
            .selectFrom('batch_rows')
            .select(['order_id', 'position'])
            .where('name', 'is not', null)
            .where('printed_at', '<=', before)
            .orderBy('printed_at')
            .limit(SOME)
            .$asTuple('order_id', 'position'),
        ),
      )
      .returning('position')
      .execute(),
  )
  return cleared.length
}
