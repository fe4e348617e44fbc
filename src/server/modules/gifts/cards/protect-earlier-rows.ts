import { sql } from 'kysely'
import { isAwaited, type OrderState } from '#domain/payment/order-states.ts'
import { type CardKeys, KEYED } from '#server/modules/gifts/cards/keys.ts'
import type { Database, Writer } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'

const NAME = 'rows-closed'
const BATCH = 1_000

/** Columns that held a plain SHA-256 before, each with the one by which its rows are gone through. */
const DIGESTS = [
  ['orders', 'checkout_session_digest', 'id'],
  ['orders', 'request_digest', 'id'],
  ['free_claims', 'address_digest', 'card_id'],
  ['newsletter_subscribers', 'address_digest', 'id'],
] as const satisfies readonly (readonly [keyof Schema, string, string])[]

/** Has what an earlier version kept in clear, or guessable, been closed already? */
export async function areEarlierRowsProtected(db: Database): Promise<boolean> {
  const done = await db.read(reader =>
    reader.selectFrom('secret_checks').select('name').where('name', '=', NAME).executeTakeFirst(),
  )
  return done !== undefined
}

/**
 * Closes what an earlier version kept: the ids of Checkout sessions in clear, and digests that a guess could confirm.
 * No step of the tables can do it, since it needs the secret. In one transaction: done whole, or not at all, and once,
 * however many servers start together.
 * @returns how many values were closed
 */
export function protectEarlierRows(db: Database, keys: CardKeys, now: number): Promise<number> {
  return db.transaction(async trx => {
    const isOurs = await trx
      .insertInto('secret_checks')
      .values({ name: NAME, digest: keys.digest(NAME), created_at: now })
      .onConflict(conflict => conflict.column('name').doNothing())
      .returning('name')
      .executeTakeFirst()
    if (!isOurs) return 0
    let closed = await closeSessions(trx, keys)
    for (const [table, column, by] of DIGESTS) closed += await keyDigests(trx, keys, [table, column, by])
    return closed
  })
}

interface ClearSession {
  readonly id: string
  readonly status: OrderState
  readonly session: string
}

/** A session is read again only while its order is open; of the others the digest is enough. */
async function closeSessions(trx: Writer, keys: CardKeys): Promise<number> {
  let closed = 0
  for (;;) {
    const { rows } = await sql<ClearSession>`select id, status, checkout_session_id as session from orders
      where checkout_session_id is not null limit ${sql.lit(BATCH)}`.execute(trx)
    if (rows.length === 0) return closed
    for (const { id, status, session } of rows) {
      const sealed = isAwaited(status) ? keys.seal(session, id) : null
      await sql`update orders set checkout_session_id = null, checkout_url = null,
        checkout_session_sealed = ${sealed}, checkout_session_digest = ${keys.keyedDigest(session)}
        where id = ${id}`.execute(trx)
    }
    closed += rows.length
  }
}

async function keyDigests(
  trx: Writer,
  keys: CardKeys,
  [table, column, by]: readonly [string, string, string],
): Promise<number> {
  const [rowsOf, digest, place] = [sql.table(table), sql.ref(column), sql.ref(by)]
  let closed = 0
  let after = ''
  for (;;) {
    const { rows } = await sql<{ place: string; digest: string }>`
      select ${place} as place, ${digest} as digest from ${rowsOf}
      where ${place} > ${after} and ${digest} not like ${`${KEYED}%`}
      order by ${place} limit ${sql.lit(BATCH)}`.execute(trx)
    const last = rows.at(-1)
    if (last === undefined) return closed
    const values = rows.map(row => sql`(${row.place}, ${keys.keyedDigestOf(row.digest)})`)
    await sql`update ${rowsOf} set ${digest} = closed.column2
      from (values ${sql.join(values)}) as closed where ${sql.ref(`${table}.${by}`)} = closed.column1`.execute(
      trx,
    )
    closed += rows.length
    after = last.place
  }
}
