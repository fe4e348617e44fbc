/** Somebody who waits for a turn. */
export interface Waiting {
  /** How much of the visitor's own limit is left, 0 to 1: who has pressed little goes before who has pressed much. */
  readonly left: number
  /** Since when, by a clock that never steps. */
  readonly since: number
}

/**
 * Who comes first: whoever has used least of what is theirs, and among those who came first. So whoever presses at their
 * limit from however many addresses keeps back none but each other.
 */
export function byTurn(one: Waiting, other: Waiting): number {
  // A press more or less is the same: a buyer who presses twice is not behind all who have pressed once.
  return laneOf(one.left) - laneOf(other.left) || one.since - other.since
}

export const STEPS = 4

/** In which step somebody waits who has so much left, 0 to 1: 0 is the first, `STEPS` is for whoever has nothing left. */
export const laneOf = (left: number): number => STEPS - Math.ceil(left * STEPS)
