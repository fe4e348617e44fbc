/**
 * `npm run bench`: measures the speed that the product promises, prints one table and writes `.data/bench.json`.
 * Ends with code 1 when a goal is missed by more than its tolerance.
 *
 *   --quick         a short look (about two minutes)
 *   --long          a million cards, more of everything
 *   --only=a,b      of screens, paint, taps, journey, server, redemptions
 *   --prove         plants faults and shows that each measurement turns red
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { buildWhenNeeded } from '../src/server/web/build.ts'
import { EFFORTS } from './effort.ts'
import { type Figure, judge, missed, ratioOf } from './judge.ts'
import { PARTS, type PartName, withTools } from './parts.ts'
import { linesOf } from './proof.ts'
import { proveAll } from './prove.ts'
import { tableOf } from './table.ts'

const REPORT = '.data/bench.json'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    prove: { type: 'boolean', default: false },
    only: { type: 'string', default: Object.keys(PARTS).join(',') },
  },
})
const size = options.quick ? 'quick' : options.long ? 'long' : 'full'
const startedAt = new Date()
const busy = loadavg()[0] ?? 0

await buildWhenNeeded(process.cwd())
process.exitCode = (await (options.prove ? prove() : measure())) ? 0 : 1

async function measure(): Promise<boolean> {
  const effort = EFFORTS[size]
  const names = options.only.split(',').map(partName)
  const figures: Figure[] = []
  await withTools({ cards: effort.cards }, async tools => {
    for (const name of names) {
      const startedMs = performance.now()
      figures.push(
        ...(await PARTS[name](tools, effort).catch((error: unknown) => [notMeasured(name, error)])),
      )
      console.error(`${name}: ${((performance.now() - startedMs) / 1_000).toFixed(0)} s`)
    }
  })
  writeReport(figures)
  const failures = missed(figures)
  console.log(`\n${tableOf(figures)}\n`)
  console.log(`${failures.length === 0 ? 'No goal' : `${failures.length} goals`} missed. ${conditions()}`)
  return failures.length === 0
}

async function prove(): Promise<boolean> {
  const proofs = await proveAll()
  console.log(`\n${linesOf(proofs)}\n`)
  return proofs.every(({ holds }) => holds)
}

/** The other parts go on; the run as a whole has failed. */
function notMeasured(name: PartName, error: unknown): Figure {
  console.error(error)
  const goal = { atMost: 0, tolerance: 0 }
  return { part: name, what: 'could not be measured', unit: '', measured: Number.NaN, goal }
}

function partName(name: string): PartName {
  if (!Object.hasOwn(PARTS, name))
    throw new Error(`There is no part ${name}: ${Object.keys(PARTS).join(', ')}`)
  return name as PartName
}

/** What the reader has to know to judge the figures. */
function conditions(): string {
  const seconds = Math.round((Date.now() - startedAt.getTime()) / 1_000)
  const cores = availableParallelism()
  const isBusy = busy > cores / 2
  return `${size} run, ${seconds} s, ${cores} processors, load ${busy.toFixed(1)} at the start${isBusy ? ': the machine was busy, times are too high' : ''}.`
}

function writeReport(figures: readonly Figure[]): void {
  const rows = figures.map(figure => ({ ...figure, ratio: ratioOf(figure), verdict: judge(figure) }))
  const report = { takenAt: startedAt.toISOString(), size, node: process.version, load: busy, figures: rows }
  mkdirSync('.data', { recursive: true })
  writeFileSync(REPORT, `${JSON.stringify(report, null, 2)}\n`)
}
