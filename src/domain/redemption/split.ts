import { allocate } from '../money/allocate.ts'
import { MINOR_UNITS_PER_UNIT, type Money, money } from '../money/money.ts'
import { type FieldProblem, Problem } from '../problems.ts'

/** What a recipient gives to one organisation: whole points, one point being one currency unit. */
export interface Selection {
  readonly ngoId: string
  readonly points: number
}

/** What one organisation receives of a card. */
export interface Allocation {
  readonly ngoId: string
  readonly amount: Money
  readonly points: number
}

/** Sums the repeats of an organisation; the order is that of its first appearance (product.md#split). */
export function sumSelection(selection: readonly Selection[]): Selection[] {
  const points = new Map<string, number>()
  for (const choice of selection) points.set(choice.ngoId, (points.get(choice.ngoId) ?? 0) + choice.points)
  return Array.from(points, ([ngoId, sum]) => ({ ngoId, points: sum }))
}

/**
 * Refuses a selection that the card cannot give: Problem `invalid-fields` when it is empty, when points are
 * not whole numbers ≥ 1 or when they exceed the credit, Problem `ngo-not-listed` for an organisation that is
 * not of the current list. Field paths: `selection`, `selection.<index>.points`, `selection.<index>.ngoId`.
 */
export function checkSelection(
  selection: readonly Selection[],
  credit: Money,
  listedNgoIds: Iterable<string>,
): void {
  const listed = new Set(listedNgoIds)
  const wrongPoints: FieldProblem[] = []
  const unlisted: FieldProblem[] = []
  for (const [index, { ngoId, points }] of selection.entries()) {
    const counts = Number.isSafeInteger(points) && points >= 1
    if (!counts) wrongPoints.push({ path: `selection.${index}.points`, rule: 'whole-and-positive' })
    if (!listed.has(ngoId)) unlisted.push({ path: `selection.${index}.ngoId`, rule: 'listed' })
  }
  if (wrongPoints.length > 0) throw new Problem('invalid-fields', { fields: wrongPoints })
  if (selection.length === 0) throw refused('not-empty')
  if (sumOfPoints(selection) * MINOR_UNITS_PER_UNIT > credit.amount) throw refused('within-credit')
  if (unlisted.length > 0) throw new Problem('ngo-not-listed', { fields: unlisted })
}

/**
 * Splits the whole credit: each chosen organisation gets its points as units, and what is left over is shared
 * in proportion to the points, to the minor unit (product.md#split). The amounts sum to the credit exactly.
 * Takes a selection that `checkSelection` let pass; anything else is a fault: RangeError.
 */
export function splitCredit(credit: Money, selection: readonly Selection[]): Allocation[] {
  const chosen = sumSelection(selection)
  const shares = allocate(
    leftoverOf(credit, chosen).amount,
    chosen.map(({ points }) => points),
  )
  return chosen.map(({ ngoId, points }, index) => ({
    ngoId,
    amount: money(points * MINOR_UNITS_PER_UNIT + shares[index]!, credit.currency),
    points,
  }))
}

/**
 * Splits an amount in proportion to parts, to the minor unit, by largest remainder (product.md#own-money): what `splitCredit`
 * gives of a credit with as many points, of any amount. The amounts sum to the whole exactly.
 * @param parts each organisation once, with a whole number of parts ≥ 1 as its `points`; not empty, else RangeError
 * @returns as points, the whole units of each amount
 */
export function splitInProportion(amount: Money, parts: readonly Selection[]): Allocation[] {
  const shares = allocate(
    amount.amount,
    parts.map(({ points }) => points),
  )
  return parts.map(({ ngoId }, index) => ({
    ngoId,
    amount: money(shares[index]!, amount.currency),
    points: Math.floor(shares[index]! / MINOR_UNITS_PER_UNIT),
  }))
}

/** The part of the credit that has no points. `splitCredit` shares it in proportion to the points. */
export function leftoverOf(credit: Money, chosen: readonly { readonly points: number }[]): Money {
  return money(credit.amount - sumOfPoints(chosen) * MINOR_UNITS_PER_UNIT, credit.currency)
}

/** How much of an organisation's amount comes from the part without points. */
export function shareOfLeftover({ amount, points }: Allocation): Money {
  return money(amount.amount - points * MINOR_UNITS_PER_UNIT, amount.currency)
}

function sumOfPoints(selection: readonly { readonly points: number }[]): number {
  return selection.reduce((sum, { points }) => sum + points, 0)
}

function refused(rule: string): Problem {
  return new Problem('invalid-fields', { fields: [{ path: 'selection', rule }] })
}
