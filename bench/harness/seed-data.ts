import { sql } from 'kysely'
import { createCards } from '#server/cards/cards.ts'
import { type Database, type Location, OPERATORS_PATIENCE, openDatabase } from '#server/db/database.ts'
import { type SoldCard, sellCards, testKeys } from '#tests/builders/server.ts'

/** The organisations that the benchmarks' cards are given to; of the seed's list. */
export const CHOSEN = [
  { ngoId: 'ngo-msf', points: 20 },
  { ngoId: 'ngo-cerf', points: 20 },
  { ngoId: 'ngo-unrwa', points: 10 },
]

export const roomOf = (db: Database) =>
  createCards({ db, keys: testKeys, clock: Date.now, listedNgoIds: () => CHOSEN.map(({ ngoId }) => ngoId) })

/** A year that no benchmark reaches. */
const NOT_YET = 4_000_000_000_000

/** Puts cards into a fresh database: `fillers` that nobody has a key of, and `sold` ones that the benchmark uses. */
export async function stockUp(
  location: Location,
  { fillers, sold }: { fillers: number; sold: number },
): Promise<readonly SoldCard[]> {
  // A million rows in one statement take longer than a visitor would wait.
  const db = await openDatabase({ ...location, patience: OPERATORS_PATIENCE })
  try {
    if (fillers > 0) await fill(db, { name: 'filler', count: fillers, dueAt: NOT_YET })
    return await sellCards(db, sold)
  } finally {
    await db.close()
  }
}

/**
 * Rows as sales leave them, made inside the database: a million would take minutes otherwise.
 * @param dueAt when they are given away, epoch ms
 */
export async function fill(
  db: Database,
  { name, count, dueAt }: { name: string; count: number; dueAt: number },
): Promise<void> {
  const digest = sql.raw(
    db.engine === 'sqlite' ? 'lower(hex(randomblob(32)))' : 'md5(random()::text) || md5(random()::text)',
  )
  const rows = sql`with recursive n(i) as (values (1) union all select i + 1 from n where i < ${sql.lit(count)})`
  const id = sql.raw(`'${name}' || (1000000000 + i)`)
  await db.transaction(async trx => {
    await sql`insert into orders (id, kind, status, package_id, theme_id, language, currency, ngo_amount,
      support_amount, tax_amount, total_amount, request_digest, checkout_session_digest, expires_at, created_at, settled_at)
      ${rows} select ${id}, 'donation', 'paid', 'their food', 'palestine', 'es', 'EUR', 5000,
      500, 105, 5500, 'request', ${digest}, 1, 0, 1 from n`.execute(trx)
    await sql`insert into cards (id, order_id, kind, status, theme_id, language, currency, credit, email,
      key_version, private_digest, public_digest, created_at, auto_donate_at)
      ${rows} select ${id}, ${id}, 'donation', 'active', 'palestine', 'es', 'EUR', 5000, 'buyer@example.org',
      1, ${digest}, ${digest}, 0, ${sql.lit(dueAt)} from n`.execute(trx)
    await sql`insert into ledger_entries (id, set_id, account, currency, amount, card_id, order_id, cause, created_at)
      ${rows} select 'sale:' || ${id} || '/' || account, 'sale:' || ${id}, account, 'EUR', share, ${id}, ${id}, 'sale', 0
      from n, (select 'payments' as account, -5500 as share union all select 'cards', 5000
      union all select 'support', 395 union all select 'tax', 105) as entries`.execute(trx)
    if (db.engine === 'postgres') await sql`analyze`.execute(trx)
  })
}
