import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { CMS_NEWS_PATH, PROVIDER_EVENTS_PATH } from '#paths'
import { type Database, type Location, openDatabase } from '#server/platform/db/database.ts'
import { TEST_CARD_SECRET } from '#tests/builders/server.ts'
import { freePort } from '#tests/support/free-port.ts'
import { startPooler } from '#tests/support/pooler.ts'
import { call } from '#tests/support/product/call.ts'
import { type Product, startProduct } from '#tests/support/product/product.ts'
import { type SmtpSink, startSmtpSink } from '#tests/support/smtp-sink.ts'
import { openDatabases } from './databases.ts'
import { type Balancer, startBalancer } from './nginx.ts'
import { postgresMicroseconds, processorMicroseconds } from './processor.ts'
import { fill } from './seed-data.ts'
import { startContent, startProvider } from './services.ts'
import { ACCOUNTS, NO_LINE, SERVICE_MOCKS, START_ENV, START_FLAGS } from './site.ts'

/** Two server processes on one PostgreSQL behind nginx; content, payments and mail are services outside of both. */
export interface Cluster {
  readonly balancer: Balancer
  /** Where a visitor pays. */
  readonly paymentUrl: string
  /** Whose content it is: the operator edits here. */
  readonly content: Product
  readonly mails: SmtpSink['mails']
  readonly db: Database
  ports(): readonly number[]
  /** Ends a server and starts it again; `drained`: once the load balancer sends nobody there any more. */
  restart(n: number, drained: boolean): Promise<void>
  /** The content service tells one of the servers, whichever nginx chooses. */
  tellOfPublish(): Promise<void>
  /** Processor time used so far, µs. */
  spent(): Promise<Spent>
  /** Everything that all servers have said so far, those that have ended as well. */
  output(): string
  stop(): Promise<void>
}

/** What runs where visitors see it; the stand-ins of services are none of it. */
export interface Spent {
  readonly servers: number
  /** PostgreSQL, with the pooler in front of it. */
  readonly database: number
  readonly balancer: number
}

const SERVERS = 2

interface ClusterOptions {
  /** Cards that nobody has used in their year, waiting for the first server that looks. */
  readonly due: number
  /** PgBouncer stands between the servers and PostgreSQL. */
  readonly pooled?: true
  /** An empty database that is there already; one is made where it is missing. */
  readonly databaseUrl?: string
  /** Of all servers, beside their own. */
  readonly settings?: Readonly<Record<string, string>>
}

/** Starts it, on a fresh database. */
export async function startCluster({
  due,
  pooled,
  databaseUrl: given,
  settings,
}: ClusterOptions): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-cluster-'))
  const endings: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
  const stop = async (): Promise<void> => {
    for (const end of endings.splice(0).reverse()) await end()
  }
  const newDatabase = async (): Promise<Location> => {
    const databases = await openDatabases('postgres')
    endings.push(databases.remove)
    return databases.create('site')
  }
  try {
    const location = given === undefined ? await newDatabase() : { dataDir: folder, databaseUrl: given }
    const db = await openDatabase(location)
    endings.push(db.close)
    const databaseUrl = location.databaseUrl ?? ''
    const pooler = pooled && (await startPooler(databaseUrl))
    if (pooler) endings.push(pooler.stop)
    await fill(db, { name: 'due', count: due, dueAt: Date.now() - 60_000 })

    const content = await startProduct({ env: { DATA_DIR: join(folder, 'content') } })
    endings.push(content.kill)
    const contentService = await startContent(content)
    endings.push(contentService.stop)
    const sink = await startSmtpSink()
    endings.push(sink.close)
    const ports = await Promise.all(Array.from({ length: SERVERS }, freePort))
    let balancer: Balancer | undefined
    const provider = await startProvider({
      dataDir: join(folder, 'provider'),
      webhookSecret: ACCOUNTS.STRIPE_WEBHOOK_SECRET,
      webhookUrl: () => `${balancer?.url}${PROVIDER_EVENTS_PATH}`,
    })
    endings.push(provider.stop)
    const servicePorts = {
      [`${ACCOUNTS.SANITY_PROJECT_ID}.api.sanity.io`]: contentService.port,
      'api.stripe.com': provider.port,
    }
    const launch = (n: number): Promise<Product> =>
      startProduct({
        port: ports[n]!,
        flags: START_FLAGS,
        env: {
          ...ACCOUNTS,
          NODE_ENV: 'production',
          RATE_LIMITS: '',
          LIMITS: NO_LINE,
          SMTP_URL: sink.url,
          DATABASE_URL: pooler ? pooler.urlOf(databaseUrl) : databaseUrl,
          DATA_DIR: join(folder, `server-${n}`),
          CARD_KEY_SECRET: TEST_CARD_SECRET,
          TRUSTED_PROXIES: '127.0.0.1',
          ...START_ENV,
          SERVICE_PORTS: JSON.stringify(servicePorts),
          NODE_OPTIONS: `--import ${SERVICE_MOCKS}`,
          ...settings,
        },
      })
    // The first brings the tables up to date, as the guide says.
    const servers: Product[] = []
    for (let n = 0; n < SERVERS; n++) {
      servers.push(await launch(n))
      endings.push(() => servers[n]!.kill())
    }
    balancer = await startBalancer(ports)
    endings.push(balancer.stop)
    const running = balancer
    let said = ''
    return {
      balancer: running,
      paymentUrl: provider.url,
      content,
      mails: sink.mails,
      db,
      ports: () => ports,
      async restart(n, drained) {
        if (drained) await running.sendTo(ports.filter((_, other) => other !== n))
        await servers[n]!.stop()
        said += servers[n]!.output()
        servers[n] = await launch(n)
        if (drained) await running.sendTo(ports)
      },
      async tellOfPublish() {
        const body = '{}'
        const at = Date.now()
        const digest = createHmac('sha256', ACCOUNTS.SANITY_WEBHOOK_SECRET)
          .update(`${at}.${body}`)
          .digest('base64url')
        const headers = {
          'Content-Type': 'application/json',
          'sanity-webhook-signature': `t=${at},v1=${digest}`,
        }
        const { status } = await call(running.url + CMS_NEWS_PATH, { method: 'POST', headers, body })
        if (status !== 204) throw new Error(`the news of a publish were answered with ${status}`)
      },
      async spent() {
        const pid = await db.transaction(trx =>
          sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx),
        )
        const sum = (pids: readonly number[]) =>
          pids.reduce((all, each) => all + processorMicroseconds(each), 0)
        return {
          servers: sum(servers.map(server => server.pid)),
          database: postgresMicroseconds(pid.rows[0]!.pid) + (pooler ? processorMicroseconds(pooler.pid) : 0),
          balancer: sum(running.workers()),
        }
      },
      output: () => said + servers.map(server => server.output()).join(''),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Waits until what is due is done, mails included; for half a minute at most. */
export async function workDone(db: Database): Promise<void> {
  const waiting = () =>
    db.read(reader =>
      reader
        .selectFrom('jobs')
        .select('id')
        .where('done_at', 'is', null)
        .where('run_at', '<=', Date.now())
        .executeTakeFirst(),
    )
  for (let tries = 0; tries < 300 && (await waiting()) !== undefined; tries++) await pause(100)
}
