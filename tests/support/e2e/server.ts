import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { TEST_INVOICE_ACCOUNTS } from '#tests/support/invoice-accounts.ts'
import { freePort, giveBack } from '../free-port.ts'

/** A running product: where it answers, and what it keeps. */
export interface Site {
  readonly url: string
  readonly dataDir: string
  /** Everything the server has written to its output. */
  readonly logFile: string
}

export interface RunningSite extends Site {
  stop(): Promise<void>
  /**
   * Ends the server as a power cut would, and starts it again at the same address with what it has kept.
   * @param meanwhile done while nothing runs: what it writes is the server's, whose own work is not beside it
   */
  crashAndRestart(meanwhile?: () => Promise<unknown>): Promise<void>
}

/** A first start may have to build the site. */
const READY_WITHIN_MS = 120_000
const ENDED_WITHIN_MS = 10_000

/** What a developer's own `.env` could change: the stand-ins run in these tests. */
const UNSET = [
  'NODE_ENV',
  'DATABASE_URL',
  'CARD_KEY_SECRET',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'SANITY_PROJECT_ID',
  'SMTP_URL',
  'TRUSTED_PROXIES',
  'OPERATOR_TOKEN',
  'SANDBOX',
]

/**
 * Starts the product on a free port with a fresh data folder and these settings, and waits until it is ready.
 * @param prepare writes what the database has before the first start
 */
export async function startSite(
  settings: Readonly<Record<string, string>> = {},
  prepare?: (site: Site) => Promise<void>,
): Promise<RunningSite> {
  const folder = mkdtempSync(join(tmpdir(), 'e2e-'))
  const dataDir = join(folder, 'data')
  const logFile = join(folder, 'server.txt')
  const port = await freePort()
  const url = `http://localhost:${port}`
  const launch = (): ChildProcess => {
    const output = openSync(logFile, 'a')
    const launched = spawn(resolve('node_modules/.bin/node'), ['src/server/app/main.ts'], {
      stdio: ['ignore', output, output],
      env: {
        ...process.env,
        ...Object.fromEntries(UNSET.map(name => [name, ''])),
        PORT: String(port),
        HOST: '127.0.0.1',
        SITE_URL: url,
        DATA_DIR: dataDir,
        RATE_LIMITS: 'off',
        // As `npm start` does.
        NODE_COMPILE_CACHE: resolve('node_modules/.cache/server'),
        // Prepared only for the tests that open it.
        STUDIO: 'off',
        INVOICE_ACCOUNTS: TEST_INVOICE_ACCOUNTS,
        ...settings,
      },
    })
    closeSync(output)
    return launched
  }
  await prepare?.({ url, dataDir, logFile })
  let server = launch()
  const stop = async (): Promise<void> => {
    await end(server)
    giveBack(port)
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await ready(url, server)
  } catch (error) {
    const said = readFileSync(logFile, 'utf8')
    await stop()
    throw new Error(`The product did not start:\n${said}`, { cause: error })
  }
  const crashAndRestart: RunningSite['crashAndRestart'] = async meanwhile => {
    const ended = once(server, 'exit')
    server.kill('SIGKILL')
    await ended
    await meanwhile?.()
    server = launch()
    try {
      await ready(url, server)
    } catch (error) {
      throw new Error(`The product did not start again:\n${readFileSync(logFile, 'utf8')}`, { cause: error })
    }
  }
  return { url, dataDir, logFile, stop, crashAndRestart }
}

async function ready(url: string, server: ChildProcess): Promise<void> {
  const until = Date.now() + READY_WITHIN_MS
  while (Date.now() < until) {
    const ended = server.exitCode ?? server.signalCode
    if (ended !== null) throw new Error(`it ended with ${ended}`)
    const answer = await fetch(`${url}/health/ready`).catch(() => undefined)
    if (answer?.status === 200) return
    await pause(100)
  }
  throw new Error('it took too long')
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  const late = setTimeout(() => server.kill('SIGKILL'), ENDED_WITHIN_MS)
  await ended
  clearTimeout(late)
}
