import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { SETTING_NAMES } from '#server/platform/settings/schema.ts'
import { TEST_INVOICE_ACCOUNTS } from '#tests/support/invoice-accounts.ts'
import { freePort, giveBack, takeAgain } from '../free-port.ts'
import { call } from './call.ts'
import { ROOT } from './root.ts'

/** A server process: what `npm start` runs. */
export interface Product {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Everything that it has written so far. */
  output(): string
  /** From the process's start to its first 200 of /health/ready. */
  readonly readyAfter: Elapsed
  /** SIGTERM, and wait for the end. @returns the exit code */
  stop(): Promise<number | null>
  /** SIGKILL, and wait until it is gone. */
  kill(): Promise<void>
}

export interface Elapsed {
  readonly wallMs: number
  /** Of all its threads: the same however busy the machine is. */
  readonly processorMs: number
}

export interface StartOptions {
  readonly env: Readonly<Record<string, string>>
  /** Where to listen; when missing, a free port, which the next server may have once this one has ended. */
  readonly port?: number
  /** Node's own flags. */
  readonly flags?: readonly string[]
  /** How long it may take to be ready. */
  readonly giveUpMs?: number
}

const GIVE_UP_MS = 100_000
const LOOK_EVERY_MS = 10
/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10

/** Starts a server and waits until it is ready. @throws Error with its output when it ends before */
export async function startProduct({
  env,
  port,
  flags,
  giveUpMs = GIVE_UP_MS,
}: StartOptions): Promise<Product> {
  const listensAt = port ?? (await freePort())
  takeAgain(listensAt)
  const startedAt = performance.now()
  const running = run(
    { RATE_LIMITS: 'off', INVOICE_ACCOUNTS: TEST_INVOICE_ACCOUNTS, ...env, PORT: String(listensAt) },
    flags,
  )
  if (port === undefined) void running.ended.then(() => giveBack(listensAt))
  const url = `http://127.0.0.1:${listensAt}`
  await untilUp(running, () => isReady(url), { giveUpMs, says: 'The server did not become ready' })
  const wallMs = performance.now() - startedAt
  return {
    url,
    port: listensAt,
    pid: running.pid,
    readyAfter: { wallMs, processorMs: processorMs(running.pid) },
    ...endsOf(running),
  }
}

/** A process that only works: what `npm run worker` runs. */
export type WorkerProcess = Pick<Product, 'output' | 'stop' | 'kill'>

/** Starts a worker and waits until it is at work. @throws Error with its output when it ends before */
export async function startWorker({ env }: Pick<StartOptions, 'env'>): Promise<WorkerProcess> {
  const running = run(env, [], ['--worker'])
  await untilUp(running, () => running.output().includes('worker-started'), {
    giveUpMs: GIVE_UP_MS,
    says: 'The worker did not start',
  })
  return endsOf(running)
}

type Running = ReturnType<typeof run>

/** Looks again and again whether a process is up. @throws Error with its output when it ends before, or takes too long */
async function untilUp(
  running: Running,
  isUp: () => boolean | Promise<boolean>,
  { giveUpMs, says }: { readonly giveUpMs: number; readonly says: string },
): Promise<void> {
  const startedAt = performance.now()
  while (!(await isUp())) {
    if (running.hasEnded() || performance.now() - startedAt > giveUpMs) {
      running.signal('SIGKILL')
      throw new Error(`${says}:\n${running.output()}`)
    }
    await wait(LOOK_EVERY_MS)
  }
}

/** What a process has written, and the two ways to end it. */
const endsOf = (running: Running): WorkerProcess => ({
  output: running.output,
  async stop() {
    running.signal('SIGTERM')
    return running.ended
  },
  async kill() {
    running.signal('SIGKILL')
    await running.ended
  },
})

/** Runs a server that is expected to refuse these settings. */
export async function runToEnd(env: Readonly<Record<string, string>>) {
  const running = run(env)
  return { exitCode: await running.ended, output: running.output() }
}

function run(
  env: Readonly<Record<string, string>>,
  flags: readonly string[] = [],
  words: readonly string[] = [],
) {
  const child = spawn(process.execPath, [...flags, join(ROOT, 'src/server/app/main.ts'), ...words], {
    // A setting that is there and empty is not read from a developer's .env either.
    env: {
      PATH: process.env.PATH,
      ...blankSettings(),
      STUDIO: 'off',
      // As `npm start` does.
      NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/server'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
  }
  // 'close' comes after the last of the output.
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return {
    pid: child.pid ?? 0,
    ended,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    output: () => said,
    signal: (name: NodeJS.Signals) => void child.kill(name),
  }
}

const blankSettings = (): Record<string, string> => Object.fromEntries(SETTING_NAMES.map(name => [name, '']))

async function isReady(url: string): Promise<boolean> {
  return call(`${url}/health/ready`).then(
    ({ status }) => status === 200,
    () => false,
  )
}

/** Fields 14 and 15 of /proc/pid/stat: user and system time. */
export function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}
