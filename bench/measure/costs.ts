import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { EngineName, Location } from '#server/platform/db/database.ts'
import { buyCards, cardApi, selectionOf } from '#tests/support/product/buy.ts'
import { post } from '#tests/support/product/call.ts'
import { type Product, startProduct } from '#tests/support/product/product.ts'
import { callTogether } from '../harness/client.ts'
import { ENGINE_NAMES, openDatabases } from '../harness/databases.ts'
import { postgresMicroseconds, processorMicroseconds } from '../harness/processor.ts'
import type { Profile } from '../harness/profile.ts'
import { cardPage, event, publishedPage, readCard } from '../harness/requests.ts'
import type { Figure } from '../report/threshold.ts'

const EVENTS = 5_000
const VIEWS = 2_000
const CALLERS = 4
/** Events are written once a second. */
const WRITTEN_MS = 2_500
const WARM_UP = 20

/** What a card, a view and an event cost: processor time and bytes, for docs/scale.md. */
export async function measureCosts(
  engine: EngineName,
  { costCards }: Pick<Profile, 'costCards'>,
): Promise<Figure[]> {
  const part = `What one costs, on ${ENGINE_NAMES[engine]}`
  const databases = await openDatabases(engine)
  const folder = mkdtempSync(join(tmpdir(), 'bench-costs-'))
  const location = engine === 'sqlite' ? { dataDir: folder } : await databases.create('costs')
  const { databaseUrl } = location
  const product = await startProduct({
    env: { DATA_DIR: folder, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) },
  })
  try {
    const [shown] = await buyCards(product, WARM_UP)
    const key = shown!.privateKey
    const costs = async (what: string, count: number, work: () => Promise<unknown>, weighed = true) => {
      const before = await look(product, location)
      await work()
      const after = await look(product, location)
      const each = (of: (state: State) => number): number => (of(after) - of(before)) / count
      const line = (measure: string, unit: string, measured: number): Figure => ({
        id: `${what}: ${measure}`,
        part,
        what: `${what}: ${measure}`,
        unit,
        measured,
      })
      return [
        line(
          'processor of the server',
          'µs',
          each(({ server }) => server),
        ),
        ...(engine === 'postgres'
          ? [
              line(
                'processor of the database',
                'µs',
                each(state => state.database),
              ),
            ]
          : []),
        ...(weighed
          ? [
              line(
                'bytes kept',
                'B',
                each(state => state.bytes),
              ),
            ]
          : []),
        ...(weighed && engine === 'postgres'
          ? [
              line(
                'bytes of write-ahead log',
                'B',
                each(state => state.log),
              ),
            ]
          : []),
      ]
    }
    const { url } = product
    let bought: Awaited<ReturnType<typeof buyCards>> = []
    return [
      ...(await costs('a card bought (payment stand-in and mail included)', costCards, async () => {
        bought = await buyCards(product, costCards)
        await settled()
      })),
      ...(await costs('a card given away', costCards, async () => {
        for (const { privateKey } of bought)
          await post(url + cardApi(privateKey), selectionOf({ 'ngo-msf': 50 }))
      })),
      ...(await costs('an event', EVENTS, async () => {
        await callTogether(CALLERS, EVENTS, () => event(url))
        await settled()
      })),
      ...(await costs(
        'a view of a published page',
        VIEWS,
        () => callTogether(CALLERS, VIEWS, () => publishedPage(url)),
        false,
      )),
      ...(await costs(
        'a view of a card’s page',
        VIEWS,
        () => callTogether(CALLERS, VIEWS, () => cardPage(url, key)),
        false,
      )),
      ...(await costs(
        'a card read',
        VIEWS,
        () => callTogether(CALLERS, VIEWS, () => readCard(url, key)),
        false,
      )),
    ]
  } finally {
    await product.stop()
    await databases.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

const settled = (): Promise<void> => new Promise(resolve => setTimeout(resolve, WRITTEN_MS))

interface State {
  /** Processor time so far, µs. */
  readonly server: number
  readonly database: number
  readonly bytes: number
  readonly log: number
}

async function look(product: Product, { dataDir, databaseUrl }: Location): Promise<State> {
  const server = processorMicroseconds(product.pid)
  if (databaseUrl !== undefined) return { server, ...(await lookAtPostgres(databaseUrl)) }
  const db = new DatabaseSync(join(dataDir, 'database.sqlite'), { timeout: 5_000 })
  try {
    db.exec('pragma wal_checkpoint(truncate)')
    const number = (pragma: string): number =>
      Number(Object.values(db.prepare(`pragma ${pragma}`).get() ?? {})[0])
    const pages = number('page_count') - number('freelist_count')
    return { server, database: 0, bytes: pages * number('page_size'), log: 0 }
  } finally {
    db.close()
  }
}

async function lookAtPostgres(databaseUrl: string): Promise<Omit<State, 'server'>> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query(
      `select pg_database_size(current_database()) as bytes, pg_backend_pid() as pid,
        pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as log`,
    )
    const { bytes, pid, log } = rows[0] as { bytes: string; pid: number; log: string }
    return { database: postgresMicroseconds(pid), bytes: Number(bytes), log: Number(log) }
  } finally {
    await client.end()
  }
}
