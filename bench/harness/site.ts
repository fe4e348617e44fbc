import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { dayInUtc } from '#domain/days.ts'
import { sourceName } from '#server/modules/content/client.ts'
import { waitingEntries } from '#server/modules/public-ledger/waiting.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { TEST_CARD_SECRET } from '#tests/builders/server.ts'
import { payThroughApi } from '#tests/support/e2e/api.ts'
import { freePort } from '#tests/support/free-port.ts'
import { startProduct } from '#tests/support/product/product.ts'
import { CHOSEN, fillDatabase, roomOf } from './seed-data.ts'

/** The product as it runs for real, except that the stand-ins may be there. */
export interface BenchSite {
  readonly url: string
  readonly pid: number
  readonly dataDir: string
  /** How many cards its database holds. */
  readonly cards: number
  readonly keys: Keys
  stop(): Promise<void>
}

export interface Keys {
  /** Cards that nobody has used, nor will, by their private keys. */
  readonly active: readonly string[]
  /** More of them, each to be used once. */
  readonly unused: string[]
  /** A card whose credit is given away. */
  readonly consumed: string
  /** The public key of an active card. */
  readonly preview: string
}

const SOLD = 1_000
const UNUSED = 4_000
/** Answers for every service outside of this machine. */
export const SERVICE_MOCKS = fileURLToPath(new URL('service-mocks.ts', import.meta.url))

/** So many payments may begin that nobody waits for their turn: what is measured is the work, not the line. */
export const NO_LINE = 'gateway=60/600000'

export interface SiteOptions {
  /** In its database, beside those that the benchmark has keys of. */
  readonly cards: number
  /** A module that the server's process loads before anything else, to put a fault in. */
  readonly preload?: string
  /** Without them it runs with accounts that nobody answers for, and the content that it had last. */
  readonly standIns?: boolean
}

/** Starts the product with production's settings on a fresh database with cards in it. */
export async function startSite({ cards, preload, standIns = true }: SiteOptions): Promise<BenchSite> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-site-'))
  try {
    const keys = await seedCards(dataDir, cards)
    const port = await freePort()
    const env = {
      NODE_ENV: 'production',
      RATE_LIMITS: '',
      LIMITS: NO_LINE,
      HOST: '127.0.0.1',
      // The load comes from many visitors behind one proxy, so that the limits count and never end it.
      TRUSTED_PROXIES: '127.0.0.1',
      CARD_KEY_SECRET: TEST_CARD_SECRET,
      DATA_DIR: dataDir,
      ...START_ENV,
      LOCAL_SERVICES: 'allow',
      SITE_URL: `http://127.0.0.1:${port}`,
    }
    const loads = standIns ? preload : SERVICE_MOCKS
    if (!standIns) await keepContent(port, env)
    const product = await startProduct({
      port,
      flags: START_FLAGS,
      env: {
        ...env,
        ...(!standIns && ACCOUNTS),
        ...(loads !== undefined && { NODE_OPTIONS: `--import ${loads}` }),
      },
    })
    const { url, pid } = product
    await ledgerWritten(dataDir)
    return {
      url,
      pid,
      dataDir,
      cards: cards + SOLD + UNUSED,
      keys,
      async stop() {
        await product.kill()
        rmSync(dataDir, { recursive: true, force: true })
      },
    }
  } catch (error) {
    rmSync(dataDir, { recursive: true, force: true })
    throw error
  }
}

const { scripts } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly scripts: { readonly start: string }
}
const words = scripts.start.split(' ')
/** How `npm start` runs it: these settings bound the memory. */
export const START_FLAGS = words.filter(word => word.startsWith('--'))
export const START_ENV: Readonly<Record<string, string>> = Object.fromEntries(
  words.slice(0, words.indexOf('node')).map(word => word.split('=') as [string, string]),
)

/** Settings of a site whose services are all elsewhere; a rehearsal, since the key is a test key. */
export const ACCOUNTS = {
  LOCAL_SERVICES: 'allow',
  SITE_URL: 'https://gifts.example',
  STRIPE_SECRET_KEY: 'sk_test_of_nobody',
  STRIPE_WEBHOOK_SECRET: 'whsec_of_nobody_and_long_enough_to_be_one',
  SANITY_PROJECT_ID: 'nobodys1',
  SANITY_WEBHOOK_SECRET: 'a secret of nobody, long enough to be one',
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'gifts@gifts.example',
  OPERATOR_MAIL: 'operator@gifts.example',
  OPERATOR_TOKEN: 'a token of the benchmark alone',
} as const

/**
 * Lets the stand-ins' content be the last that a site without them has had. Its pages are the same, so that what is
 * measured is a server that was started again, whatever was compressed by earlier runs.
 */
async function keepContent(port: number, env: Readonly<Record<string, string>>): Promise<void> {
  const product = await startProduct({ port, env: { ...env, SITE_URL: ACCOUNTS.SITE_URL } })
  await product.stop()
  const file = join(String(env.DATA_DIR), 'content-snapshot.json')
  const kept = JSON.parse(readFileSync(file, 'utf8')) as object
  const source = sourceName({ projectId: ACCOUNTS.SANITY_PROJECT_ID, dataset: 'production' })
  writeFileSync(file, JSON.stringify({ ...kept, source }))
}

const LEDGER_MS = 120_000

/**
 * Waits until the public ledger holds the seeded sales: a shop that has been open a day writes none of them while it serves.
 * @throws Error when it takes longer than two minutes
 */
async function ledgerWritten(dataDir: string): Promise<void> {
  const db = await openDatabase({ dataDir, existing: true, asItIs: true })
  try {
    for (const deadline = performance.now() + LEDGER_MS; ; await wait(100)) {
      if ((await waitingEntries(db, dayInUtc(Date.now()), async () => {})).length === 0) return
      if (performance.now() > deadline) throw new Error('The public ledger is not written')
    }
  } finally {
    await db.close()
  }
}

async function seedCards(dataDir: string, fillers: number): Promise<Keys> {
  const [used, shown, ...rest] = await fillDatabase({ dataDir }, { fillers, sold: SOLD + UNUSED })
  const db = await openDatabase({ dataDir })
  await roomOf(db).redeem(used!.privateKey, CHOSEN)
  await db.close()
  return {
    active: rest.slice(UNUSED).map(({ privateKey }) => privateKey),
    unused: rest.slice(0, UNUSED).map(({ privateKey }) => privateKey),
    consumed: used!.privateKey,
    preview: shown!.publicKey,
  }
}

/** A payment that was made, for the page that the buyer comes back to. */
export async function paidSession(site: BenchSite): Promise<string> {
  const { sessionId } = await payThroughApi({ ...site, logFile: '' })
  return sessionId
}
