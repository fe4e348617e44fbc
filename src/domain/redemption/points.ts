import { MINOR_UNITS_PER_UNIT, type Money } from '../money/money.ts'
import type { Selection } from './split.ts'

/**
 * The points a recipient has given so far, by organisation: whole numbers ≥ 1, an organisation without points
 * is absent. Every move below gives a new table and never more points than the credit has.
 */
export type Points = Readonly<Record<string, number>>

/** How many points a credit has: one per whole currency unit. */
export function creditPoints(credit: Money): number {
  return Math.floor(credit.amount / MINOR_UNITS_PER_UNIT)
}

/** The points of one organisation, 0 when it has none. */
export function pointsOf(points: Points, ngoId: string): number {
  return Object.hasOwn(points, ngoId) ? points[ngoId]! : 0
}

/** How many points are left to give. @param credit the card's points */
export function pointsLeft(points: Points, credit: number): number {
  return credit - Object.values(points).reduce((sum, given) => sum + given, 0)
}

/** The share of the credit's points (`credit`) that one organisation has, from 0 to 1. */
export function partOfCredit(points: Points, ngoId: string, credit: number): number {
  return credit === 0 ? 0 : pointsOf(points, ngoId) / credit
}

/** One more point, while there is one left. */
export function addPoint(points: Points, ngoId: string, credit: number): Points {
  return setPoints(points, ngoId, pointsOf(points, ngoId) + 1, credit)
}

/** One point less; the last one takes the organisation out of the table. */
export function removePoint(points: Points, ngoId: string): Points {
  return put(points, ngoId, Math.max(0, pointsOf(points, ngoId) - 1))
}

/**
 * Sets an organisation's points to the number typed, as far as the credit reaches: a fraction is cut, a negative or
 * unreadable number (NaN) is 0, and what is too much stops at what is left.
 */
export function setPoints(points: Points, ngoId: string, wanted: number, credit: number): Points {
  const most = pointsOf(points, ngoId) + pointsLeft(points, credit)
  const given = Number.isNaN(wanted) ? 0 : Math.trunc(wanted)
  return put(points, ngoId, Math.max(0, Math.min(given, most)))
}

/**
 * The same whole points for each of these organisations, as many as the credit has for all; what is left over is then
 * shared in the same proportion, to the minor unit, so that the parts are even. A credit of fewer points than there are
 * organisations reaches as many as it has points, one each, drawn by lot.
 * @param random gives numbers from 0 up to, not including, 1
 */
export function shareEvenly(ngoIds: readonly string[], credit: number, random: () => number): Points {
  if (ngoIds.length === 0) return clearPoints()
  const each = Math.floor(credit / ngoIds.length)
  const reached = each > 0 ? ngoIds : drawSome(ngoIds, credit, random)
  return Object.fromEntries(reached.map(ngoId => [ngoId, Math.max(each, 1)]))
}

/** A random choice of so many organisations. Every set of that size is equally likely. */
function drawSome(ngoIds: readonly string[], count: number, random: () => number): string[] {
  const rest = [...ngoIds]
  return Array.from({ length: count }, () => rest.splice(Math.floor(random() * rest.length), 1)[0]!)
}

/** All the points still left, to one organisation. */
export function restHere(points: Points, ngoId: string, credit: number): Points {
  return setPoints(points, ngoId, credit, credit)
}

/** The table with no points given. */
export function clearPoints(): Points {
  return {}
}

/** The table as a selection, in the order in which the organisations are listed. */
export function toSelection(points: Points, ngoIds: readonly string[]): Selection[] {
  return ngoIds
    .map(ngoId => ({ ngoId, points: pointsOf(points, ngoId) }))
    .filter(selection => selection.points > 0)
}

function put(points: Points, ngoId: string, given: number): Points {
  const others = Object.entries(points).filter(([id]) => id !== ngoId)
  return Object.fromEntries(given === 0 ? others : [...others, [ngoId, given]])
}
