import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '#server/platform/db/database.ts'
import { notAsRoot } from '#tests/support/debian.ts'
import { commandsIn, type Said, say } from '#tests/support/guide-commands.ts'
import { postgresBinaries } from '#tests/support/postgres-binaries.ts'
import {
  askForCard,
  type BoughtCard,
  buyCard,
  cardApi,
  openPayment,
  pay,
  selectionOf,
} from '#tests/support/product/buy.ts'
import { post } from '#tests/support/product/call.ts'
import { CARD_KEY_SECRET } from '#tests/support/product/operator.ts'
import { type Product, startProduct } from '#tests/support/product/product.ts'

/** A PostgreSQL of this file's own, and an operator who has read the guide and says what stands in it. */
const GUIDE = 'docs/guides/postgres-any-instant.md'
const guide = commandsIn(GUIDE)
const folder = mkdtempSync(join(tmpdir(), 'gc-instant-'))
const [data, archive] = [join(folder, 'data'), join(folder, 'archive')]
const user = notAsRoot(folder)
const databaseUrl = `postgres://postgres@localhost/site?host=${encodeURIComponent(folder)}`
const settings = { DATA_DIR: join(folder, 'site'), DATABASE_URL: databaseUrl, CARD_KEY_SECRET }
let site: Product | undefined

/** In the place of the first block of the guide: where things are, and who starts them, on this machine. */
const HERE = `
as() { ${user.uid === undefined ? '"$@"' : 'runuser -u postgres -- "$@"'}; }
ops() { DATA_DIR=${settings.DATA_DIR} DATABASE_URL='${databaseUrl}' CARD_KEY_SECRET='${CARD_KEY_SECRET}' '${process.execPath}' src/server/ops/main.ts "$@"; }
systemctl() {
  case "$*" in
    *gifts) ;;
    "stop $SERVICE") as pg_ctl -D "$DATA" -m fast stop ;;
    "$1 $SERVICE") as pg_ctl -D "$DATA" -l "$FOLDER/log" -w "$1" ;;
    *) return 9 ;;
  esac
}`

const operator = (commands: string | undefined, before = HERE): Promise<Said> =>
  say(commands ?? 'false', before, {
    PATH: `${postgresBinaries()}:${process.env.PATH}`,
    FOLDER: folder,
    SERVICE: 'postgresql@15-main',
    DATA: data,
    ARCHIVE: archive,
    PGHOST: folder,
    PGUSER: 'postgres',
  })

/** Says the blocks beneath a heading, one after the other, and expects each to end well. @returns all that was said */
async function done(heading: string, ...numbers: readonly number[]): Promise<string> {
  const said: string[] = []
  for (const number of numbers) {
    const { code, output } = await operator(guide.get(heading)?.[number])
    expect(code, `${heading}, block ${number}: ${output}`).toBe(0)
    said.push(output)
  }
  return said.join('')
}

beforeAll(async () => {
  mkdirSync(settings.DATA_DIR)
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale']
  execFileSync(join(postgresBinaries(), 'initdb'), initdb, { cwd: folder, ...user, stdio: 'ignore' })
  appendFileSync(
    join(data, 'postgresql.conf'),
    `listen_addresses = ''\nunix_socket_directories = '${folder}'\nmax_connections = 50\n`,
  )
  const { code, output } = await operator('systemctl start "$SERVICE"; as createdb site')
  expect(code, output).toBe(0)
})
afterAll(async () => {
  await site?.kill()
  await operator('as pg_ctl -D "$DATA" -m immediate stop')
  rmSync(folder, { recursive: true, force: true })
})

const redeem = (card: BoughtCard) =>
  post(`${site?.url}${cardApi(card.privateKey)}`, selectionOf({ 'ngo-msf': 50 }))

it('brings a site back by the commands of the guide, after a lost disk and to an instant, and gives nothing twice', async () => {
  expect(guide.get('Any instant, with PostgreSQL')?.[0]).toContain('export SERVICE=postgresql@15-main DATA=')
  await done('The log leaves the machine', 0, 1)
  site = await startProduct({ env: settings })
  const early = await buyCard(site)
  await done('A copy each week', 0, 1)

  const used = await buyCard(site)
  expect((await redeem(used)).status).toBe(200)
  const unpaid = await openPayment(site)
  // What the next commits are after.
  const { output: at } = await operator(`as psql -qAtc "select clock_timestamp()"`)
  await pay(site, unpaid)
  expect((await askForCard(site, unpaid)).status).toBe(200)
  expect((await redeem(early)).status).toBe(200)
  await operator('as psql -qc "select pg_switch_wal()"')
  await expect
    .poll(
      async () => (await operator('as psql -Atc "select last_archived_wal from pg_stat_archiver"')).output,
      { timeout: 30_000 },
    )
    .not.toBe('')
  const segments = () =>
    readdirSync(join(archive, 'log')).filter(name => /^[0-9A-F]{24}\.gz$/.test(name)).length
  const { output: current } = await operator(`as psql -qAtc "select pg_walfile_name(pg_current_wal_lsn())"`)
  await expect.poll(segments, { timeout: 30_000 }).toBeGreaterThan(1)
  expect(current).toMatch(/^[0-9A-F]{24}/)

  // The machine is lost, its disk with it.
  await site.kill()
  process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
  rmSync(data, { recursive: true, maxRetries: 10 })
  rmSync(join(folder, '.s.PGSQL.5432.lock'))

  await goBack()
  expect(await usedCards()).toBe(2)
  await done('A copy each week', 0, 1)

  // A mistake: back to just before the last payment, from the first copy.
  await goBack(`AT='${at.trim()}'\nCOPY=$(ls -d "$ARCHIVE"/base/2* | head -n 1)`)
  expect(await usedCards()).toBe(1)

  expect(await done('Before the site starts', 0)).toContain('The ledger is in order.')
  site = await startProduct({ env: settings })
  expect((await redeem(early)).status).toBe(503)
  const [asked] = guide.get('Afterwards') ?? []
  const reconciled = await operator(asked)
  expect(reconciled.output).toContain('Made anew: 1 card,')
  expect(reconciled.code).toBe(1)
  expect((await askForCard(site, unpaid)).status).toBe(200)
  const ended = await operator('ops reconcile --done && ops check')
  expect(ended.code, ended.output).toBe(0)
  // The recipient's own choice is not known any more; the card is still good, once.
  expect((await redeem(early)).status).toBe(200)
  expect((await operator('ops check')).output).toContain('The ledger is in order.')
})

/** @param choice instead of the guide's: the newest state */
async function goBack(choice?: string): Promise<void> {
  const [stopped, newest, bring] = guide.get('Going back') ?? []
  const { code, output } = await operator([stopped, choice ?? newest, bring].join('\n'))
  expect(code, `${output}${readFileSync(join(folder, 'log'), 'utf8').slice(-2_000)}`).toBe(0)
}

async function usedCards(): Promise<number> {
  const db = await openDatabase({ dataDir: settings.DATA_DIR, databaseUrl, existing: true, asItIs: true })
  try {
    const rows = await db.read(reader => reader.selectFrom('redemptions').select('card_id').execute())
    return rows.length
  } finally {
    await db.close()
  }
}
