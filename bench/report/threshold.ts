import type { GoalId } from './goals.ts'

/** One thing that was measured. */
export interface Figure {
  /** Tells it from every other figure of its part, whatever its line says: what runs are compared by. */
  readonly id: string
  readonly part: string
  /** What was measured, as the table's line calls it. */
  readonly what: string
  readonly unit: string
  /** NaN or Infinity where it never happened (no first paint). */
  readonly measured: number
  /** The middle half of the single measurements, as a share of the median; missing for what does not vary. */
  readonly spread?: number
  /** The same measured beside it on what it is compared with; a goal then limits the ratio. */
  readonly reference?: number
  readonly goal?: Goal
  /** The part failed and nothing was measured: missed, whatever else. */
  readonly failed?: true
}

/** What a figure is held against. */
export interface Goal {
  /** Of report/goals.ts. */
  readonly id: GoalId
  /** Of the ratio where there is a reference, else of the measured value. */
  readonly atMost: number
  /** Noise allowed above it, as a share of it, before the run fails. 0 for what is counted. */
  readonly tolerance: number
}

/** `near`: above the goal, within its tolerance. `–`: nothing to reach. */
export type Status = 'ok' | 'near' | 'missed' | '–'

export const ratioOf = ({ measured, reference }: Figure): number | undefined =>
  reference === undefined ? undefined : measured / reference

/** Judges a figure by its goal. What could not be measured is missed. */
export function statusOf(figure: Figure): Status {
  const { goal, measured, failed } = figure
  if (failed) return 'missed'
  if (goal === undefined) return '–'
  const value = ratioOf(figure) ?? measured
  if (value <= goal.atMost) return 'ok'
  return value <= goal.atMost * (1 + goal.tolerance) ? 'near' : 'missed'
}

export const missed = (figures: readonly Figure[]): Figure[] =>
  figures.filter(figure => statusOf(figure) === 'missed')
