import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { goalOf } from './goals.ts'
import { type Figure, ratioOf } from './threshold.ts'

/** What was measured last and kept: what docs/figures.md shows, and what the next run is held against. */
export interface Kept {
  /** ISO 8601, UTC. */
  readonly takenAt: string
  /** quick, full or long. */
  readonly size: string
  readonly node: string
  readonly processors: number
  /** Of the machine when the part began and ended, over one minute. */
  readonly load: readonly [number, number]
  readonly seconds: number
  readonly figures: readonly Figure[]
}

export type Baseline = Readonly<Record<string, Kept>>

const FILE = fileURLToPath(new URL('baseline.json', import.meta.url))
/** JSON knows no Infinity: what never happened is written as null. */
const NEVER = Number.POSITIVE_INFINITY

/** What is kept is judged by the goals of today, which may be stricter than those of its day. */
export function readBaseline(): Baseline {
  if (!existsSync(FILE)) return {}
  const kept = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Kept>
  const whole = (figure: Figure): Figure => ({
    ...figure,
    measured: figure.measured ?? NEVER,
    ...(figure.goal && { goal: goalOf(figure.goal.id) }),
    ...(figure.reference === null && { reference: NEVER }),
  })
  return Object.fromEntries(
    Object.entries(kept).map(([name, part]) => [name, { ...part, figures: part.figures.map(whole) }]),
  )
}

export const writeBaseline = (baseline: Baseline): void =>
  writeFileSync(FILE, `${JSON.stringify(baseline, null, 1)}\n`)

/** Bytes and counts repeat themselves; a minified name may be a byte longer. */
const COUNTED = { share: 0.03, least: 0.2 }
/** Ratios of one run vary with what else the machine does. */
const TIMED = { share: 0.35, least: 0.1 }
const COUNTED_UNITS: readonly string[] = ['kB', '']

/**
 * Is a figure clearly worse than it was? Times without a reference beside them say more about the machine than about
 * the product: their goals judge them, nothing else does.
 */
export function isWorse(now: Figure, before: Figure): boolean {
  const [value, was] = [ratioOf(now), ratioOf(before)]
  if (value !== undefined && was !== undefined)
    return exceeds(value, was, now.unit === 'kB' ? COUNTED : TIMED)
  return COUNTED_UNITS.includes(now.unit) && exceeds(now.measured, before.measured, COUNTED)
}

const exceeds = (value: number, was: number, { share, least }: typeof COUNTED): boolean =>
  !(value <= was + Math.max(least, was * share))

/** The figures that a run made worse. */
export function worsened(now: readonly Figure[], before: readonly Figure[]): Figure[] {
  return now.filter(figure => {
    const was = before.find(({ part, id }) => part === figure.part && id === figure.id)
    return was !== undefined && isWorse(figure, was)
  })
}
