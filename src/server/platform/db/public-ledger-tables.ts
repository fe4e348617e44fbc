import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { dayInUtc } from '#domain/days.ts'
import { publicCauseOf } from '#domain/public-ledger/entries.ts'
import { summed } from '#domain/public-ledger/leaf.ts'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'

/** The public ledger: what stands in it, the signed heads, and the nonces that tie a line to its card. */
export async function createPublicLedger({ trx, integer, table, appendOnly }: MigrationTools): Promise<void> {
  await table('public_entries')
    .addColumn('id', 'text', c => c.notNull().primaryKey())
    .addColumn('day', 'text', c => c.notNull().check(sql`length(day) = 10`))
    .addColumn('cause', 'text', c => c.notNull())
    .addColumn('currency', 'text', c => c.notNull())
    .addColumn('amounts', 'text', c => c.notNull())
    .execute()
  await appendOnly('public_entries')
  await table('ledger_leaves')
    // Of two servers that write the same place, one fails here, whatever their leases say.
    .addColumn('seq', integer, c => c.notNull().primaryKey().check(sql`seq >= 0`))
    .addColumn('leaf', 'text', c => c.notNull())
    .addColumn('hash', 'text', c => c.notNull().unique())
    .execute()
  await appendOnly('ledger_leaves')
  await table('ledger_leaf_entries')
    // An entry is in one leaf, ever.
    .addColumn('entry_id', 'text', c => c.notNull().primaryKey().references('public_entries.id'))
    .addColumn('seq', integer, c => c.notNull().references('ledger_leaves.seq'))
    .execute()
  await appendOnly('ledger_leaf_entries')
  await table('ledger_heads')
    .addColumn('size', integer, c => c.notNull().primaryKey().check(sql`size > 0`))
    .addColumn('root', 'text', c => c.notNull())
    .addColumn('note', 'text', c => c.notNull())
    .addColumn('at', integer, c => c.notNull())
    .execute()
  await appendOnly('ledger_heads')
  await table('ledger_nonces')
    .addColumn('entry_id', 'text', c => c.notNull().primaryKey().references('public_entries.id'))
    .addColumn('card_id', 'text')
    .addColumn('order_id', 'text')
    .addColumn('nonce', 'text', c => c.notNull())
    .execute()
  for (const index of [
    sql`ledger_entries_sets on ledger_entries (set_id)`,
    sql`ledger_leaf_entries_of on ledger_leaf_entries (seq)`,
    sql`ledger_nonces_of_card on ledger_nonces (card_id) where card_id is not null`,
    sql`ledger_nonces_of_order on ledger_nonces (order_id) where order_id is not null`,
  ])
    await sql`create index ${index}`.execute(trx)
  await enterEarlierSets(trx as unknown as Kysely<Earlier>)
}

/** The tables of this step, as it found and made them. */
interface Earlier {
  readonly ledger_entries: {
    readonly id: string
    readonly set_id: string
    readonly account: string
    readonly currency: string
    readonly amount: number
    readonly card_id: string | null
    readonly order_id: string | null
    readonly cause: string
    readonly created_at: number
  }
  readonly public_entries: Readonly<Record<'id' | 'day' | 'cause' | 'currency' | 'amounts', string>>
  readonly ledger_nonces: {
    readonly entry_id: string
    readonly card_id: string | null
    readonly order_id: string | null
    readonly nonce: string
  }
}

const SETS_AT_ONCE = 200

/** What was booked before there was a public ledger stands in it too. */
async function enterEarlierSets(trx: Kysely<Earlier>): Promise<void> {
  for (let last = ''; ; ) {
    const sets = await trx
      .selectFrom('ledger_entries')
      .select('set_id')
      .distinct()
      .where('set_id', '>', last)
      .orderBy('set_id')
      .limit(SETS_AT_ONCE)
      .execute()
    if (sets.length === 0) return
    last = sets.at(-1)!.set_id
    const rows = await trx
      .selectFrom('ledger_entries')
      .selectAll()
      .where(
        'set_id',
        'in',
        sets.map(({ set_id }) => set_id),
      )
      .execute()
    const found = [...Map.groupBy(rows, ({ set_id }) => set_id)]
    await trx
      .insertInto('public_entries')
      .values(
        found.map(([id, lines]) => ({
          id,
          day: dayInUtc(lines[0]!.created_at),
          cause: publicCauseOf(
            lines[0]!.cause,
            lines.map(({ account }) => account),
          ),
          currency: lines[0]!.currency,
          amounts: JSON.stringify(summed(lines.map(({ account, amount }) => [account, amount] as const))),
        })),
      )
      .execute()
    await trx
      .insertInto('ledger_nonces')
      .values(
        found.map(([id, [line]]) => ({
          entry_id: id,
          card_id: line!.card_id,
          order_id: line!.order_id,
          nonce: randomBytes(32).toString('hex'),
        })),
      )
      .execute()
  }
}
