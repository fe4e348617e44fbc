import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import type { EngineName } from '#server/platform/db/database.ts'
import { SQLITE_FILE } from '#server/platform/db/sqlite.ts'
import { freePort } from '#tests/support/free-port.ts'
import { startHangingProxy } from '#tests/support/hanging-proxy.ts'
import { call } from '#tests/support/product/call.ts'
import { CARD_KEY_SECRET, TOKEN } from '#tests/support/product/operator.ts'
import { openPremises, type Premises } from '#tests/support/product/premises.ts'
import { type Product, startProduct } from '#tests/support/product/product.ts'
import { type LineProxy, startProxy } from '#tests/support/proxy.ts'
import { type SmtpSink, startSmtpSink } from '#tests/support/smtp-sink.ts'
import type { Reach } from './outside.ts'
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

/** The product, and a lever for each thing that it leans on. */
export interface World {
  readonly engine: EngineName
  readonly premises: Premises
  readonly product: Product
  /** The mail server that its mails reach. */
  readonly sink: SmtpSink
  break(fault: Fault, mode: Mode): Promise<void>
  /** Everything works again. */
  mend(): Promise<void>
  close(): Promise<void>
}

export const SLOW_MS = 10_000
const FLAP_MS = 400
const HOUR_MS = 3_600_000

/** One lever: sets the thing to a state. */
type Lever = (state: Reach) => void | Promise<void>

export async function openWorld(engine: EngineName): Promise<World> {
  const disk = canHaveSmallDisk ? smallDisk() : undefined
  const elsewhere = mkdtempSync(join(tmpdir(), 'gc-elsewhere-'))
  const premises = await onDisk(disk?.folder, () => openPremises(engine))
  const sink = await startSmtpSink()
  const [mailPort, faultPort] = [await freePort(), await freePort()]
  const mail = await startProxy({ port: mailPort, host: '127.0.0.1' }, { port: sink.port, host: '127.0.0.1' })
  const { DATABASE_URL: databaseUrl } = premises.env
  const database = databaseUrl === undefined ? undefined : await startHangingProxy(databaseUrl)
  const product = await startProduct({
    env: {
      ...premises.env,
      ...(database && { DATABASE_URL: database.url }),
      CARD_KEY_SECRET,
      OPERATOR_TOKEN: TOKEN,
      SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
      MAIL_FROM: 'Cards <cards@example.org>',
      NODE_OPTIONS: `--import ${fileURLToPath(new URL('./outside.ts', import.meta.url))}`,
      NODE_NO_WARNINGS: '1',
      FAULT_PORT: String(faultPort),
      PROVIDER_DIR: join(elsewhere, 'provider'),
      CONTENT_DIR: join(elsewhere, 'content'),
    },
  })

  const tell = async (query: string) => void (await call(`http://127.0.0.1:${faultPort}/?${query}`))
  const throughProxy =
    (proxy: LineProxy): Lever =>
    state => {
      if (state === 'up') proxy.goOn()
      else if (state === 'down') proxy.cutOff()
      else proxy.slowDown(state)
    }
  const levers: Record<Exclude<Fault, 'clock'>, Lever> = {
    database: database ? throughProxy(database) : writeLock(premises.dataDir),
    mail: throughProxy(mail),
    provider: state => tell(`provider=${state}`),
    content: state => tell(`content=${state}`),
    disk: state => {
      if (state === 'up') return disk?.empty()
      if (!database) shrinkJournal(premises.dataDir)
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
    premises,
    product,
    sink,
    async break(fault, mode) {
      broken = fault
      if (fault === 'clock') {
        const to = (ms: number) => () => tell(`clock=${ms}`)
        if (mode === 'flapping') return flapBetween([to(HOUR_MS), to(0), to(-HOUR_MS), to(0)])
        return to(mode === 'ahead' ? HOUR_MS : -HOUR_MS)()
      }
      const lever = levers[fault]
      if (mode === 'flapping') return flapBetween([() => lever('down'), () => lever('up')])
      await lever(mode === 'slow' ? SLOW_MS : 'down')
    },
    async mend() {
      clearInterval(flapping)
      await flap
      if (broken === 'clock') await tell('clock=0')
      else if (broken) await levers[broken]('up')
      broken = undefined
    },
    async close() {
      clearInterval(flapping)
      await product.kill()
      mail.stop()
      database?.stop()
      await sink.close()
      await premises.close()
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
function writeLock(dataDir: string): Lever {
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
