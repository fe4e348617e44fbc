/**
 * `npm test`: everything, in the order in which a failure is cheapest to learn, ending with one line alone:
 * `N passed, N failed`. A step that cannot run counts as a failure. `--long` runs the full counts.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildWhenNeeded } from '../src/server/app/build.ts'
import { buildStudio } from '../src/server/app/studio/build.ts'
import { installTestBrowsers } from './support/chromium.ts'
import { folderInMemory } from './support/memory-folder.ts'
import {
  type BrowserReport,
  browserOutcome,
  type Outcome,
  type VitestReport,
  vitestOutcome,
} from './support/reports.ts'

const long = process.argv.includes('--long')
const only = process.argv.find(argument => argument.startsWith('--only='))?.slice('--only='.length)
/** What this run makes and no other needs, open to the users that PostgreSQL and nginx run as. A long run makes gigabytes. */
const folder = mkdtempSync(join(long ? tmpdir() : folderInMemory(), 'tests-'))
chmodSync(folder, 0o1777)
process.on('exit', () => {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // A test that was killed left a disk mounted there.
  }
})
let running: ChildProcess | undefined
let isEnding = false
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    isEnding = true
    // It writes into the folder until it has ended.
    if (running?.kill(signal)) running.once('close', () => process.exit(1))
    else process.exit(1)
  })
const environment = {
  ...process.env,
  ASTRO_TELEMETRY_DISABLED: '1',
  // Every file of tests is a process of its own: without it each compiles the packages again, a tenth of its time.
  NODE_COMPILE_CACHE: join(folder, 'compiled'),
  TMPDIR: folder,
  ...(long ? { LONG: '1' } : {}),
}

/** Is this step asked for? */
function wants(step: string): boolean {
  return !only || only.split(',').includes(step)
}

/** Runs a command of node_modules/.bin with its output passed through; resolves to its exit code. */
function run(command: string, args: readonly string[], extra: Record<string, string> = {}): Promise<number> {
  return new Promise(resolve => {
    if (isEnding) return
    const child = spawn(join('node_modules', '.bin', command), args, {
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...environment, ...extra },
    })
    running = child
    child.on('error', () => resolve(127))
    child.on('close', code => resolve(code ?? 1))
  })
}

/** A check that is one pass or one failure. */
const check =
  (command: string, ...args: string[]) =>
  async (): Promise<Outcome> =>
    (await run(command, args)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }

/** Known weaknesses of packages. Where nobody could be asked, that was said, and counts as nothing. */
async function audit(): Promise<Outcome> {
  const code = await run('node', ['tests/audit.ts'])
  if (code === 2) return { passed: 0, failed: 0 }
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

/** What `npm start` would build, and marked as built from these sources, so that no server builds it again. */
async function build(): Promise<Outcome> {
  try {
    await buildWhenNeeded(process.cwd())
    return { passed: 1, failed: 0 }
  } catch (error) {
    console.error(error)
    return { passed: 0, failed: 1 }
  }
}

/**
 * The operator's Studio, for the browser tests that open it: installed and built once for its sources, from the
 * beginning on, since the other steps leave a processor idle now and then.
 */
const studioIsBuilt = wants('studio')
  ? buildStudio({
      folder: join(process.cwd(), 'studio'),
      say: sentence => console.log(`studio: ${sentence}`),
    })
  : Promise.resolve()
// Who fails is told when its turn has come.
studioIsBuilt.catch(() => {})

async function studio(): Promise<Outcome> {
  try {
    await studioIsBuilt
  } catch (error) {
    console.error(error)
    return { passed: 0, failed: 1 }
  }
  const codes = await Promise.all([
    run('../../studio/node_modules/.bin/tsc', ['--noEmit', '-p', 'studio']),
    run('node', ['studio/build/typegen.ts', '--check']),
  ])
  const failed = codes.filter(code => code !== 0).length
  return { passed: 3 - failed, failed }
}

/** @param projects some of vitest.config.ts, or all but some: `!product-*` */
const vitest = (projects: string) => async (): Promise<Outcome> => {
  const file = join(folder, 'vitest.json')
  rmSync(file, { force: true })
  const code = await run('vitest', [
    'run',
    `--project=${projects}`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ])
  return vitestOutcome(readReport<VitestReport>(file), code)
}

async function browser(): Promise<Outcome> {
  installTestBrowsers()
  const file = join(folder, 'playwright.json')
  const code = await run('playwright', ['test', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: file,
  })
  return browserOutcome(readReport<BrowserReport>(file), code)
}

function readReport<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T
  } catch {
    return undefined
  }
}

const STEPS: Readonly<Record<string, () => Promise<Outcome>>> = {
  lint: check('biome', 'ci', '.'),
  types: check('astro', 'check', '--minimumFailingSeverity', 'error'),
  audit,
  vitest: vitest('!product-*'),
  build,
  product: vitest('product-*'),
  studio,
  browser,
}

/** What the machine's processors have done until now, in ms, whoever asked for it. */
function processorTime(): { readonly busy: number; readonly all: number } {
  const times = cpus().map(({ times }) => times)
  const sum = (of: (each: (typeof times)[number]) => number) =>
    times.reduce((total, each) => total + of(each), 0)
  const all = sum(({ user, nice, sys, idle, irq }) => user + nice + sys + idle + irq)
  return { busy: all - sum(({ idle }) => idle), all }
}

let passed = 0
let failed = 0
const failures: string[] = []
for (const [name, step] of Object.entries(STEPS)) {
  if (!wants(name)) continue
  const started = Date.now()
  const before = processorTime()
  console.log(`\n── ${name}`)
  const outcome = await step()
  passed += outcome.passed
  failed += outcome.failed
  if (outcome.failed > 0) failures.push(name, ...(outcome.failures ?? []).map(failure => `  ${failure}`))
  const after = processorTime()
  const busy = Math.round((100 * (after.busy - before.busy)) / Math.max(1, after.all - before.all))
  const seconds = Math.round((Date.now() - started) / 1000)
  console.log(
    `── ${name}: ${outcome.passed} passed, ${outcome.failed} failed, ${seconds} s, processors ${busy} % busy`,
  )
}
// Once more where somebody looks who has only the end of a long output.
if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`)
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
