import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { HOUR_MS } from '#domain/durations.ts'
import type { EngineName } from '#server/platform/db/database.ts'
import { SQLITE_FILE } from '#server/platform/db/sqlite.ts'
import { count } from '#tests/support/counts.ts'
import { freePort } from '#tests/support/free-port.ts'
import { startHangingProxy } from '#tests/support/hanging-proxy.ts'
import { call } from '#tests/support/product/call.ts'
import { CARD_KEY_SECRET, TOKEN } from '#tests/support/product/operator.ts'
import { type Product, startProduct } from '#tests/support/product/product.ts'
import { openTestEnvironment, type TestEnvironment } from '#tests/support/product/test-environment.ts'
import { type LineProxy, startProxy } from '#tests/support/proxy.ts'
import { type SmtpSink, startSmtpSink } from '#tests/support/smtp-sink.ts'
import type { Reach } from './faulty-services.ts'
import { canHaveSmallDisk, smallDisk } from './small-disk.ts'

/** What can break outside of the product, and how. */
export const FAULTS = {
  database: ['down', 'slow', 'flapping'],
  mail: ['down', 'slow', 'flapping'],
  provider: ['down', 'slow', 'flapping'],
  content: ['down', 'slow', 'flapping'],
  /** A disk that is slow is a database that is slow. */
  disk: ['down', 'flapping'],
  /** An hour ahead, an hour behind, now this and now that. */
  clock: ['ahead', 'behind', 'flapping'],
} as const

export type Fault = keyof typeof FAULTS
export type Mode = (typeof FAULTS)[Fault][number]

/** The product, and a fault injector for each service that it needs. */
export interface SystemUnderTest {
  readonly engine: EngineName
  readonly environment: TestEnvironment
  readonly product: Product
  /** The mail server that its mails reach. */
  readonly sink: SmtpSink
  break(fault: Fault, mode: Mode): Promise<void>
  /** The product's clock is so much ahead until it is mended. */
  setClockAhead(ms: number): Promise<void>
  /** Everything works again. */
  mend(): Promise<void>
  close(): Promise<void>
}

export const SLOW_MS = 10_000
/** A long run writes more, and its disk is to be full where the test fills it alone. */
const DISK_MB = count({ usual: 64, long: 512 })
const FLAP_MS = 400

/** Sets one service to a state. */
type FaultInjector = (state: Reach) => void | Promise<void>

export async function openSystemUnderTest(engine: EngineName): Promise<SystemUnderTest> {
  const disk = canHaveSmallDisk ? smallDisk(DISK_MB) : undefined
  const elsewhere = mkdtempSync(join(tmpdir(), 'gc-elsewhere-'))
  const environment = await onDisk(disk?.folder, () => openTestEnvironment(engine))
  const sink = await startSmtpSink()
  const [mailPort, faultPort] = [await freePort(), await freePort()]
  const mail = await startProxy({ port: mailPort, host: '127.0.0.1' }, { port: sink.port, host: '127.0.0.1' })
  const { DATABASE_URL: databaseUrl } = environment.env
  const database = databaseUrl === undefined ? undefined : await startHangingProxy(databaseUrl)
  const product = await startProduct({
    env: {
      ...environment.env,
      ...(database && { DATABASE_URL: database.url }),
      CARD_KEY_SECRET,
      OPERATOR_TOKEN: TOKEN,
      SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
      MAIL_FROM: 'Cards <cards@example.org>',
      NODE_OPTIONS: `--import ${fileURLToPath(new URL('./faulty-services.ts', import.meta.url))}`,
      NODE_NO_WARNINGS: '1',
      FAULT_PORT: String(faultPort),
      PROVIDER_DIR: join(elsewhere, 'provider'),
      CONTENT_DIR: join(elsewhere, 'content'),
    },
  })

  const tell = async (query: string) => void (await call(`http://127.0.0.1:${faultPort}/?${query}`))
  const throughProxy =
    (proxy: LineProxy): FaultInjector =>
    state => {
      if (state === 'up') proxy.goOn()
      else if (state === 'down') proxy.cutOff()
      else proxy.slowDown(state)
    }
  const injectors: Record<Exclude<Fault, 'clock'>, FaultInjector> = {
    database: database ? throughProxy(database) : writeLock(environment.dataDir),
    mail: throughProxy(mail),
    provider: state => tell(`provider=${state}`),
    content: state => tell(`content=${state}`),
    disk: state => {
      if (state === 'up') return disk?.empty()
      if (!database) shrinkJournal(environment.dataDir)
      disk?.fill()
    },
  }

  let flapping: ReturnType<typeof setInterval> | undefined
  let flap: Promise<void> = Promise.resolve()
  let broken: Fault | undefined
  const flapBetween = (states: readonly (() => void | Promise<void>)[]) => {
    let turn = 0
    const next = () => {
      const state = states[turn++ % states.length]!
      flap = flap.then(state)
    }
    next()
    flapping = setInterval(next, FLAP_MS)
  }
  return {
    engine,
    environment,
    product,
    sink,
    async break(fault, mode) {
      broken = fault
      if (fault === 'clock') {
        const to = (ms: number) => () => tell(`clock=${ms}`)
        if (mode === 'flapping') return flapBetween([to(HOUR_MS), to(0), to(-HOUR_MS), to(0)])
        return to(mode === 'ahead' ? HOUR_MS : -HOUR_MS)()
      }
      const inject = injectors[fault]
      if (mode === 'flapping') return flapBetween([() => inject('down'), () => inject('up')])
      await inject(mode === 'slow' ? SLOW_MS : 'down')
    },
    async setClockAhead(ms) {
      broken = 'clock'
      await tell(`clock=${ms}`)
    },
    async mend() {
      clearInterval(flapping)
      await flap
      if (broken === 'clock') await tell('clock=0')
      else if (broken) await injectors[broken]('up')
      broken = undefined
    },
    async close() {
      clearInterval(flapping)
      await product.kill()
      mail.stop()
      database?.stop()
      await sink.close()
      await environment.close()
      rmSync(elsewhere, { recursive: true, force: true })
      disk?.remove()
    },
  }
}

/** Makes what `work` makes in the system's folder for such things in another one instead. */
async function onDisk<T>(folder: string | undefined, work: () => Promise<T>): Promise<T> {
  const usual = process.env.TMPDIR
  if (folder !== undefined) process.env.TMPDIR = folder
  try {
    return await work()
  } finally {
    if (usual === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = usual
  }
}

/** What the journal has taken of the disk it could write on without asking for more. */
function shrinkJournal(dataDir: string): void {
  const connection = new DatabaseSync(join(dataDir, SQLITE_FILE), { timeout: 5_000 })
  connection.exec('pragma wal_checkpoint(truncate)')
  connection.close()
}

/** An embedded database is never away: what befalls it is somebody else who holds its one lock, for long or for ever. */
function writeLock(dataDir: string): FaultInjector {
  let holder: DatabaseSync | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const letGo = () => {
    clearTimeout(timer)
    holder?.close()
    holder = undefined
  }
  return state => {
    letGo()
    if (state === 'up') return
    holder = new DatabaseSync(join(dataDir, SQLITE_FILE), { timeout: 5_000 })
    holder.exec('begin immediate')
    if (state !== 'down') timer = setTimeout(letGo, state)
  }
}
