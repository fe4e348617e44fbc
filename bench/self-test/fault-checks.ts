import type { GoalId } from '../report/goals.ts'
import { judgedValue } from '../report/table.ts'
import { type Figure, ratioOf, statusOf } from '../report/threshold.ts'

/** What a planted fault did to a figure. */
export interface FaultCheck {
  readonly fault: string
  readonly clean: Figure
  readonly planted: Figure
  /** It turned the figure red, and it was the fault that did. */
  readonly holds: boolean
}

/** A figure that is red already proves something only when the fault makes it worse by a quarter. */
const WORSE = 1.25

export function detects(clean: Figure, planted: Figure): boolean {
  const before = ratioOf(clean) ?? clean.measured
  const after = ratioOf(planted) ?? planted.measured
  return statusOf(planted) === 'missed' && (statusOf(clean) !== 'missed' || after >= before * WORSE)
}

/**
 * Pairs the figures of two runs by their ids, as far as they are held against one of these goals.
 * @throws Error when there is none: a fault that nothing looks at proves nothing
 */
export function faultChecksOf(
  fault: string,
  clean: readonly Figure[],
  planted: readonly Figure[],
  goals: readonly GoalId[],
): FaultCheck[] {
  const checks = planted
    .filter(({ goal }) => goal !== undefined && goals.includes(goal.id))
    .map(figure => {
      const before = clean.find(({ part, id }) => part === figure.part && id === figure.id)
      if (!before) throw new Error(`${figure.what} was not measured without the fault`)
      return { fault, clean: before, planted: figure, holds: detects(before, figure) }
    })
  if (checks.length === 0) throw new Error(`nothing was measured with ${fault}`)
  return checks
}

/** One line per check. */
export function linesOf(checks: readonly FaultCheck[]): string {
  const lines = checks.map(({ fault, clean, planted, holds }) => [
    holds ? 'red' : 'NOT SEEN',
    fault,
    `${judgedValue(clean)} → ${judgedValue(planted)}`,
    planted.what,
  ])
  const widths = [0, 1, 2].map(column => Math.max(...lines.map(line => line[column]!.length)))
  return lines.map(line => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n')
}
