/**
 * `npm run bench`: measures what the product promises, prints one table and writes it to `.data/bench.txt` and
 * `.data/bench.json`. Its first lines say what missed. Ends with code 1 when a goal is missed by more than its
 * tolerance or has no figure, or when a figure is clearly worse than the one kept in bench/report/baseline.json.
 *
 *   screens paint …   only these parts; `--help` names them all
 *   --quick           a short look at everything (a quarter of an hour)
 *   --long            as many cards, loads and requests as the goals name
 *   --soak=2h         how long the soak lasts (s, m or h)
 *   --pages=a,b       Lighthouse looks only at pages whose address ends so; never kept
 *   --write           keeps the figures: bench/report/baseline.json, and from it the tables in docs/figures.md and docs/figures
 *   --prove           plants faults and shows that each measurement turns red
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { buildWhenNeeded } from '../src/server/app/build.ts'
import { PROFILES, type Profile, secondsOf } from './harness/profile.ts'
import { LONG_ENOUGH_S } from './measure/soak.ts'
import { PARTS, type PartName, partNames, SLOW_PARTS, withTools } from './parts.ts'
import { type Kept, readBaseline, worsened, writeBaseline } from './report/baseline.ts'
import { writeFigures } from './report/figures.ts'
import { GOALS, type GoalId, goalsWithoutFigure } from './report/goals.ts'
import { judgedValue, limitOf, tableOf } from './report/table.ts'
import { type Figure, missed, ratioOf, statusOf } from './report/threshold.ts'
import { linesOf } from './self-test/fault-checks.ts'
import { runSelfTest } from './self-test/self-test.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    soak: { type: 'string' },
    pages: { type: 'string' },
    write: { type: 'boolean', default: false },
    prove: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
const size = options.quick ? 'quick' : options.long ? 'long' : 'full'
const profile: Profile = {
  ...PROFILES[size],
  ...(options.soak !== undefined && { soakSeconds: secondsOf(options.soak) }),
  ...(options.pages !== undefined && { lighthouseOf: options.pages.split(',') }),
}
const startedAt = new Date()
const COULD_NOT = 'could not be measured'
const load = (): number => Number((loadavg()[0] ?? 0).toFixed(1))

if (options.help) console.log(`npm run bench -- [--quick|--long] [--write] ${partNames().join(' ')}`)
else {
  await buildWhenNeeded(process.cwd())
  process.exitCode = (await (options.prove ? selfTest() : measure(wanted()))) ? 0 : 1
}

async function measure(names: readonly PartName[]): Promise<boolean> {
  const before = readBaseline()
  const results: Record<string, Kept> = {}
  await withTools({ cards: profile.cards }, async tools => {
    for (const name of names) {
      const begun = { ms: performance.now(), load: load() }
      const figures = await PARTS[name](tools, profile).catch((error: unknown) => [notMeasured(name, error)])
      const seconds = Math.round((performance.now() - begun.ms) / 1_000)
      results[name] = {
        takenAt: new Date().toISOString(),
        size,
        node: process.version,
        processors: availableParallelism(),
        load: [begun.load, load()],
        seconds,
        figures,
      }
      // Kept at once: a run that is broken off has measured something.
      report(results, before)
      console.error(`${name}: ${seconds} s, load ${begun.load} to ${load()}`)
    }
  })
  const figures = Object.values(results).flatMap(part => part.figures)
  const worse = Object.entries(results).flatMap(([name, now]) =>
    worsened(now.figures, before[name]?.figures ?? []),
  )
  console.log(report(results, before))
  if (options.write && options.pages === undefined) {
    const measured = Object.entries(results).filter(([, part]) => part.figures.every(isMeasured))
    writeBaseline({ ...before, ...Object.fromEntries(measured) })
    writeFigures(readBaseline())
  }
  return missed(figures).length === 0 && worse.length === 0 && withoutFigure(results).length === 0
}

async function selfTest(): Promise<boolean> {
  const checks = await runSelfTest()
  console.log(`\n${linesOf(checks)}\n`)
  return checks.every(({ holds }) => holds)
}

/** Promises that nothing was measured for: an error of the benchmark, not a matter of taste. */
function withoutFigure(results: Readonly<Record<string, Kept>>): readonly GoalId[] {
  const whole = Object.entries(results).filter(([, part]) => part.figures.every(isMeasured))
  return goalsWithoutFigure(Object.fromEntries(whole), profile.soakSeconds >= LONG_ENOUGH_S)
}

/** The other parts go on; the run as a whole has failed. */
function notMeasured(name: PartName, error: unknown): Figure {
  console.error(error)
  return { id: 'failed', part: name, what: COULD_NOT, unit: '', measured: Number.NaN, failed: true }
}

function isMeasured({ failed }: Figure): boolean {
  return !failed
}

/** @throws Error at a part that there is not */
function wanted(): readonly PartName[] {
  const unknown = positionals.find(name => !Object.hasOwn(PARTS, name))
  if (unknown !== undefined) throw new Error(`There is no part ${unknown}: ${partNames().join(', ')}`)
  if (positionals.length > 0) return positionals as PartName[]
  return partNames().filter(name => size === 'long' || !SLOW_PARTS.includes(name))
}

/** Writes down what is measured so far. @returns the table, and what the reader has to know to judge it */
function report(results: Readonly<Record<string, Kept>>, before: Readonly<Record<string, Kept>>): string {
  const figures = Object.values(results).flatMap(part => part.figures)
  const kept = Object.keys(results).flatMap(name => before[name]?.figures ?? [])
  const worse = worsened(figures, kept)
  const misses = missed(figures)
  const without = withoutFigure(results)
  const seconds = Math.round((Date.now() - startedAt.getTime()) / 1_000)
  const loads = Object.values(results).flatMap(part => part.load)
  const most = Math.max(...loads)
  // What is measured keeps the processors busy itself.
  const isBusy = (loads[0] ?? 0) > availableParallelism() / 2
  const text = [
    '',
    `${misses.length === 0 ? 'No goal' : `${misses.length} figures`} missed, ${worse.length} figures worse than kept. ${size} run, ${seconds} s, ${availableParallelism()} processors, load ${loads[0]} at the start, at most ${most}${isBusy ? ': the machine was busy, times are too high' : ''}.`,
    ...misses.map(
      figure => `missed: ${figure.part}: ${figure.what}: ${judgedValue(figure)} (${limitOf(figure)})`,
    ),
    ...worse.map(({ part, what }) => `worse: ${part}: ${what}`),
    ...without.map(id => `not measured: ${GOALS[id].says}`),
    '',
    tableOf(figures, kept),
    '',
  ].join('\n')
  mkdirSync('.data', { recursive: true })
  writeFileSync('.data/bench.txt', text)
  const rows = figures.map(figure => ({ ...figure, ratio: ratioOf(figure), verdict: statusOf(figure) }))
  const json = { takenAt: startedAt.toISOString(), size, node: process.version, loads, figures: rows }
  writeFileSync('.data/bench.json', `${JSON.stringify(json, null, 2)}\n`)
  return text
}
