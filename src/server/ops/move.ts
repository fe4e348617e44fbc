import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  areEarlierRowsProtected,
  protectEarlierRows,
} from '#server/modules/gifts/cards/protect-earlier-rows.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { audit } from '#server/modules/operator/audit.ts'
import { readSummary } from '#server/modules/reports/summary.ts'
import { type Database, OPERATOR_TIMEOUTS, openDatabase, type Writer } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { aloneInSqlite, SQLITE_FILE } from '#server/platform/db/sqlite.ts'
import { readArguments } from './arguments.ts'
import { keysHere, refuseWrongSecret } from './card-secret.ts'
import { type Command, Refusal, type Tools } from './command.ts'

/** Every table that is moved, in an order in which no table refers to a later one. */
export const TABLES_IN_ORDER = [
  'legal_texts',
  'legal_releases',
  'theme_releases',
  'link_looks',
  'orders',
  'cards',
  'volunteering_cards',
  'redemptions',
  'allocations',
  'gift_answers',
  'gift_messages',
  'batch_rows',
  'wishes',
  'letter_stops',
  'sendings',
  'sending_stops',
  'card_holds',
  'book_downloads',
  'ledger_entries',
  'reversals',
  'card_reversals',
  'many_pages',
  'disputes',
  'charges',
  'donor_identities',
  'receipt_series',
  'receipt_numbers',
  'certificate_years',
  'certificates',
  'invoice_years',
  'invoices',
  'bank_refunds',
  'provider_movements',
  'provider_payout_parts',
  'withdrawals',
  'withdrawal_statements',
  'jobs',
  'ended_sessions',
  'free_campaigns',
  'free_claims',
  'newsletter_subscribers',
  'analytics_salts',
  'analytics_sessions',
  'analytics_events',
  'consent_records',
  'poll_answers',
  'periodic_jobs',
  'paces',
  'waiting_rooms',
  'draws',
  'draw_announcements',
  'draw_cards',
  'payee_accounts',
  'payout_runs',
  'payouts',
  'payout_allocations',
  'payout_advices',
  'sightings',
  'refund_calls',
  'audit_log',
  'people',
  'passkeys',
  'partners',
  'partner_orders',
  'used_challenges',
  'secret_checks',
  'checkpoints',
  'public_entries',
  'ledger_leaves',
  'ledger_leaf_entries',
  'ledger_heads',
  'ledger_nonces',
  'ledger_cosignatures',
  'chain_days',
  'disturbances',
  'ledger_forks',
] as const satisfies readonly (keyof Schema)[]

/** `move --to postgres://…`: everything from the embedded database into an empty PostgreSQL. */
export const move: Command = {
  name: 'move',
  usage: '--to postgres://…',
  summary: 'moves everything from the embedded database to PostgreSQL; stop the site first',
  async run(tools, args) {
    const { value } = readArguments(args, { names: ['to'] })
    const to = value('to') ?? ''
    if (!/^postgres(ql)?:\/\//.test(to)) throw new Refusal('move --to postgres://user:password@host/name')
    const { dataDir, databaseUrl, sandbox } = tools.place
    if (databaseUrl !== undefined) throw new Refusal('The site uses PostgreSQL already (DATABASE_URL).')
    const path = join(dataDir, SQLITE_FILE)
    if (!existsSync(path)) throw new Refusal(`There is no database in ${dataDir}.`)
    // The tables are brought up to date. A database that a newer program wrote is refused.
    await closeSource(tools, await openDatabase({ dataDir, sandbox }))
    if (!(await aloneInSqlite(dataDir)))
      throw new Refusal('A site (or another program) has the database open. Stop it first.')
    // A sandbox's stays one: making the tables there marks it.
    const there = { dataDir, databaseUrl: to, sandbox, timeouts: OPERATOR_TIMEOUTS }
    const target = await openDatabase(there)
    try {
      const rows = await moveInto(target, path, tools)
      await audit(target, { actor: 'terminal', action: 'move', outcome: 'done' }, tools.clock())
      const lines = [
        `${rows} rows moved; both databases have the same rows in each table and the same totals.`,
        'Set DATABASE_URL to the new one, and CARD_KEY_SECRET to what DATA_DIR/local/card-key-secret holds',
        'where it is not set yet: without it every link that was given stops working; LEDGER_KEY likewise to what',
        'local/ledger-key holds: the public ledger is signed with it. Then start the site.',
      ]
      return { lines, data: { rows }, ok: true }
    } finally {
      await target.close()
    }
  },
}

/** Encrypts what an earlier version kept in clear, before it is moved. @throws Refusal where the secret is missing */
async function closeSource(tools: Tools, source: Database): Promise<void> {
  try {
    if (await areEarlierRowsProtected(source)) return
    const here = { ...tools, database: async () => source }
    await refuseWrongSecret(here)
    const { keys } = await keysHere(here)
    if (keys === undefined)
      throw new Refusal('CARD_KEY_SECRET is not set here: what is moved is closed with it before it leaves.')
    await protectEarlierRows(source, keys, tools.clock())
  } finally {
    await source.close()
  }
}

async function moveInto(target: Database, path: string, tools: Tools): Promise<number> {
  const source = new DatabaseSync(path, { readOnly: true })
  try {
    let rows = 0
    // Everything is one transaction, so that the target stays empty when the move fails.
    await target.transaction(async trx => {
      rows = 0
      for (const table of TABLES_IN_ORDER) {
        const there = await countOf(trx, table)
        if (there > 0) throw new Refusal(`The target is not empty: its table ${table} has ${there} rows.`)
      }
      for (const table of TABLES_IN_ORDER) {
        const moved = await copyTable(source, trx, table, done => tools.progress(`${table}: ${done} rows`))
        const arrived = await countOf(trx, table)
        if (arrived !== moved) throw new Error(`${table}: ${moved} rows were sent and ${arrived} arrived`)
        rows += moved
      }
    })
    await compare(target, tools)
    return rows
  } finally {
    source.close()
  }
}

const ROWS_AT_ONCE = 1_000

async function copyTable(
  source: DatabaseSync,
  trx: Writer,
  table: (typeof TABLES_IN_ORDER)[number],
  onProgress: (rows: number) => void,
): Promise<number> {
  const page = source.prepare(
    `select rowid as its_place, * from "${table}" where rowid > ? order by rowid limit ${ROWS_AT_ONCE}`,
  )
  let last = -1
  let rows = 0
  for (;;) {
    const some = page.all(last)
    if (some.length === 0) return rows
    last = Number(some.at(-1)?.its_place)
    const values = some.map(({ its_place: _, ...row }) => row)
    await trx
      .insertInto(table)
      .values(values as never)
      .execute()
    rows += some.length
    onProgress(rows)
  }
}

async function countOf(trx: Writer, table: (typeof TABLES_IN_ORDER)[number]): Promise<number> {
  const { rows } = await trx
    .selectFrom(table)
    .select(eb => eb.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow()
  return Number(rows)
}

/** Compares the totals of both databases. @throws Error when they differ, which is not expected */
async function compare(target: Database, tools: Tools): Promise<void> {
  tools.progress('comparing the totals')
  const source = await tools.database()
  const at = tools.clock()
  const [before, after] = await Promise.all(
    [source, target].map(db => db.snapshot(reader => readSummary(reader, at))),
  )
  if (JSON.stringify(before) !== JSON.stringify(after))
    throw new Error('The totals of the two databases differ.')
  const { keys } = await keysHere(tools)
  const seals = { keys, now: at }
  const findings = await checkLedger(target, seals)
  const known = await checkLedger(source, seals)
  if (findings.length !== known.length) throw new Error('The ledger of the target is not in order.')
}
