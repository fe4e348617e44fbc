/**
 * Loaded before a server (`node --import`): makes it the version after this one. Its steps change the tables that a
 * redemption writes in each of the ways in which steps have changed tables with rows.
 */
import { registerHooks } from 'node:module'
import { sql } from 'kysely'
import type { MigrationTools } from '#server/platform/db/migration-tools.ts'
import { MIGRATIONS } from '#server/platform/db/migrations.ts'

type Step = (typeof MIGRATIONS)[number]

/** SQLite makes the table anew with all its rows; PostgreSQL reads all of them. */
const changeChecksOfCards: Step['up'] = ({ changeChecks }) =>
  changeChecks('cards', [
    {
      from: "status in ('active', 'left', 'consumed', 'frozen', 'cancelling', 'revoked')",
      to: "status in ('active', 'left', 'consumed', 'frozen', 'cancelling', 'revoked', 'of the next version')",
    },
  ])

async function addColumns({ trx, integer }: MigrationTools): Promise<void> {
  await trx.schema.alterTable('cards').addColumn('next_number', integer).execute()
  await trx.schema
    .alterTable('redemptions')
    .addColumn('next_note', 'text', c => c.notNull().defaultTo('before').check(sql`next_note <> ''`))
    .execute()
  // Every row is written.
  await sql`update cards set next_number = credit`.execute(trx)
}

async function addRules({ trx, table, refuseRows }: MigrationTools): Promise<void> {
  await trx.schema.createIndex('cards_of_next').on('cards').columns(['next_number', 'id']).execute()
  await table('next_rows')
    .addColumn('card_id', 'text', c => c.notNull().primaryKey().references('cards.id'))
    .execute()
  await refuseRows('cards', {
    name: 'cards_of_next_version',
    before: ['insert', 'update of status'],
    when: "new.status = 'of the next version'",
    says: 'not yet',
  })
}

const STEPS: readonly Step[] = [
  { name: '9001-checks-of-next', up: changeChecksOfCards },
  { name: '9002-columns-of-next', up: addColumns },
  { name: '9003-rules-of-next', up: addRules },
]
const HERE = 'stepsOfTheNextVersion'
Object.assign(globalThis, { [HERE]: STEPS })

/** The last step, as the bundle of the server has it. */
const LAST = new RegExp(`(name: "${MIGRATIONS.at(-1)?.name}",\\s*up: \\w+\\s*\\})`)

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context)
    if (!url.includes('/dist/start/')) return loaded
    const source = String(loaded.source)
    return LAST.test(source) ? { ...loaded, source: source.replace(LAST, `$1, ...${HERE}`) } : loaded
  },
})
