import { type Insertable, sql } from 'kysely'
import { autoDonateAt } from '#domain/card/term.ts'
import { yearInMadrid } from '#domain/days.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { checkDigestOf, checkWordOf } from '#server/modules/gifts/check-words.ts'
import { beginCounts } from '#server/modules/integrity/checkpoints.ts'
import { sealOfCard, sealOfOrder } from '#server/modules/ledger/seals.ts'
import { enter } from '#server/modules/public-ledger/enter.ts'
import {
  type Database,
  type EngineName,
  type Location,
  OPERATOR_TIMEOUTS,
  openDatabase,
  type Writer,
} from '#server/platform/db/database.ts'
import type { CardsTable, OrdersTable } from '#server/platform/db/schema.ts'
import {
  keepTestTerms,
  type SoldCard,
  sellCards,
  TEST_OFFER,
  TEST_TERMS,
  testKeys,
} from '#tests/builders/server.ts'

/** The organisations that the benchmarks' cards are given to; of the seed's list. */
export const CHOSEN = [
  { ngoId: 'ngo-msf', points: 20 },
  { ngoId: 'ngo-cerf', points: 20 },
  { ngoId: 'ngo-unrwa', points: 10 },
]

export const roomOf = (db: Database) =>
  createCards({ db, keys: testKeys, clock: Date.now, listedNgoIds: () => CHOSEN.map(({ ngoId }) => ngoId) })

/** Puts cards into a fresh database: `fillers` that nobody has a key of, and `sold` ones that the benchmark uses. */
export async function fillDatabase(
  location: Location,
  { fillers, sold }: { fillers: number; sold: number },
): Promise<readonly SoldCard[]> {
  // A million rows in one statement take longer than a visitor would wait.
  const db = await openDatabase({ ...location, timeouts: OPERATOR_TIMEOUTS })
  try {
    await beginCounts(db, testKeys, Date.now())
    if (fillers > 0) await fill(db, { name: 'filler', count: fillers })
    await db.transaction(keepTestTerms)
    return await sellCards(db, sold)
  } finally {
    await db.close()
  }
}

/** So many rows are handed to the database at once. */
const BATCH = 5_000

/**
 * Rows as sales leave them, their keys and seals too, made a batch at a time: a million sales one by one would take an hour.
 * @param dueAt when they are given away, epoch ms; left out, a year after now, as the product does
 */
export async function fill(
  db: Database,
  { name, count, dueAt }: { name: string; count: number; dueAt?: number },
): Promise<void> {
  const createdAt = Date.now()
  const dates = { createdAt, dueAt: dueAt ?? autoDonateAt(createdAt) }
  await db.transaction(async trx => {
    await keepTestTerms(trx)
    for (let from = 0; from < count; from += BATCH) {
      const ids = Array.from(
        { length: Math.min(BATCH, count - from) },
        (_, n) => `${name}${1_000_000_001 + from + n}`,
      )
      await insert(
        trx,
        db.engine,
        'orders',
        ids.map(id => soldOrder(id, dates.createdAt)),
      )
      await insert(
        trx,
        db.engine,
        'cards',
        ids.map(id => soldCard(id, dates)),
      )
      await insert(
        trx,
        db.engine,
        'ledger_entries',
        ids.flatMap(id => saleOf(id, dates.createdAt)),
      )
      await enter(
        trx,
        ids.map(id => publicSale(id, dates.createdAt)),
      )
      await number(trx, db.engine, ids, dates.createdAt)
    }
    if (db.engine === 'postgres') await sql`analyze`.execute(trx)
  })
}

/** The numbers that the settling of these orders would have drawn. */
async function number(trx: Writer, engine: EngineName, ids: readonly string[], at: number): Promise<void> {
  const of = { series: 'sale', year: yearInMadrid(at) } as const
  const { last } = await trx
    .insertInto('receipt_series')
    .values({ ...of, last: ids.length })
    .onConflict(conflict =>
      conflict
        .columns(['series', 'year'])
        .doUpdateSet(eb => ({ last: eb('receipt_series.last', '+', ids.length) })),
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  const first = last - ids.length + 1
  const rows = ids.map((id, n) => ({ ...of, number: first + n, order_id: id, amount: 5500, drawn_at: at }))
  await insert(trx, engine, 'receipt_numbers', rows)
}

function soldOrder(id: string, at: number) {
  const order = {
    id,
    kind: 'donation',
    status: 'paid',
    package_id: 'their food',
    theme_id: 'palestine',
    language: 'es',
    currency: 'EUR',
    ngo_amount: 5000,
    support_amount: 500,
    tax_amount: 105,
    total_amount: 5500,
    request_digest: 'request',
    terms_version: TEST_TERMS,
    offer_version: TEST_OFFER,
    checkout_session_digest: testKeys.digest(id),
    expires_at: at,
    created_at: at,
    settled_at: at,
    term_months: 12,
    reminder_days: '[30,7]',
    fallback_ngo_id: null,
    vat_rate: 2_100,
    vat_amount: 0,
    card_count: 1,
    split_sealed: null,
  } as const satisfies Insertable<Omit<OrdersTable, 'seal'>>
  return { ...order, seal: sealOfOrder(testKeys, order) }
}

function soldCard(id: string, { createdAt, dueAt }: { createdAt: number; dueAt: number }) {
  const card = {
    id,
    order_id: id,
    kind: 'donation',
    status: 'active',
    theme_id: 'palestine',
    language: 'es',
    currency: 'EUR',
    credit: 5000,
    email: 'buyer@example.org',
    key_version: 1,
    private_digest: testKeys.digest(testKeys.privateKey(id, 1)),
    public_digest: testKeys.digest(testKeys.publicKey(id, 1)),
    check_digest: checkDigestOf(testKeys, checkWordOf(testKeys.privateKey(id, 1))),
    created_at: createdAt,
    auto_donate_at: dueAt,
    term_months: 12,
    reminder_days: '[30,7]',
    position: 0,
  } as const satisfies Insertable<Omit<CardsTable, 'seal'>>
  return { ...card, seal: sealOfCard(testKeys, card) }
}

const SALE = { payments: -5500, cards: 5000, support: 395, tax: 105 }

const saleOf = (id: string, at: number) =>
  Object.entries(SALE).map(([account, amount]) => ({
    id: `sale:${id}/${account}`,
    set_id: `sale:${id}`,
    account,
    currency: 'EUR',
    amount,
    card_id: id,
    order_id: id,
    cause: 'sale',
    created_at: at,
  }))

const publicSale = (id: string, at: number) => ({
  id: `sale:${id}`,
  cause: 'sale',
  cardId: id,
  orderId: id,
  at,
  entries: Object.entries(SALE).map(
    ([account, amount]) => [account, { amount, currency: 'EUR' as const }] as const,
  ),
})

/** As one JSON text: a statement takes far fewer parameters than these rows have values. */
async function insert(
  trx: Writer,
  engine: EngineName,
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const names = sql.join(columns.map(column => sql.ref(column)))
  const json = JSON.stringify(rows)
  await (engine === 'sqlite'
    ? sql`insert into ${sql.table(table)} (${names})
        select ${sql.join(columns.map(column => sql`value ->> ${sql.lit(column)}`))} from json_each(${json})`
    : sql`insert into ${sql.table(table)} (${names})
        select ${names} from json_populate_recordset(null::${sql.table(table)}, ${json}::json)`
  ).execute(trx)
}
