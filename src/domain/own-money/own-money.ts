import type { Currency } from '../money/currency.ts'
import { money } from '../money/money.ts'
import type { PricingEntry } from '../pricing/strategies.ts'
import { entryOfTyped, type OnSale, supportOf } from '../pricing/typed-price.ts'
import { Problem } from '../problems.ts'
import { toSelection } from '../redemption/points.ts'
import { type Allocation, type Selection, splitInProportion } from '../redemption/split.ts'
import { readTypedPoints, type SplitFaults, type TypedPoints } from '../redemption/typed-points.ts'

/** The fields of the form by which a recipient adds own money, beside the parts of each organisation. */
export const OWN_MONEY_FIELDS = ['currency', 'amount', 'support'] as const

/** What was written, exactly as it was; '' for what is missing. */
export interface WrittenOwnMoney extends Readonly<Record<(typeof OWN_MONEY_FIELDS)[number], string>> {
  /** In the form's order; an organisation may come twice. */
  readonly parts: readonly (readonly [ngoId: string, text: string])[]
}

/** Own money as it can be paid, amounts in minor units (product.md#own-money). */
export interface OwnMoneyChoice {
  readonly entry: PricingEntry
  readonly supportAmount: number
  readonly currency: Currency
  /** In the order of the list: the parts of each organisation stand as its points. */
  readonly parts: readonly Selection[]
  /** What each of them gets, to the minor unit. */
  readonly allocations: readonly Allocation[]
}

/** What has to be written otherwise. */
export interface OwnMoneyFaults {
  /** The amount is not sold. */
  readonly amount: boolean
  /** `tooSmall`: some organisation would get nothing of so small a part. */
  readonly parts:
    | (Pick<SplitFaults, 'unreadable' | 'empty' | 'listChanged'> & { readonly tooSmall: boolean })
    | undefined
}

/** Parts are proportions: there is no credit that they could exceed. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER

/**
 * Reads what was written, and says all that has to be written otherwise.
 * @param listed the current list, in its order
 * @returns `typed`: the parts of the listed organisations, to show them again
 */
export function readOwnMoney(
  written: WrittenOwnMoney,
  currency: Currency,
  listed: readonly string[],
  onSale: OnSale,
): { readonly typed: TypedPoints } & (
  | { readonly choice: OwnMoneyChoice }
  | { readonly faults: OwnMoneyFaults }
) {
  const entry = entryOfTyped(written.amount, currency, onSale)
  const { typed, points, faults } = readTypedPoints(written.parts, listed, NO_LIMIT)
  const parts = toSelection(points, listed)
  const allocations =
    entry === undefined || faults ? [] : splitInProportion(money(entry.ngoAmount, currency), parts)
  const tooSmall = allocations.some(({ amount }) => amount.amount === 0)
  if (entry === undefined || faults || tooSmall) {
    const { unreadable, empty, listChanged } = faults ?? { unreadable: [], empty: false, listChanged: false }
    const amiss = faults || tooSmall ? { unreadable, empty, listChanged, tooSmall } : undefined
    return { typed, faults: { amount: entry === undefined, parts: amiss } }
  }
  const supportAmount = supportOf(entry, Number(written.support))
  return { typed, choice: { entry, supportAmount, currency, parts, allocations } }
}

/**
 * Refuses parts by which own money cannot be given (product.md#own-money). Only a program of somebody else's sends them:
 * forms read theirs by `readOwnMoney`.
 * @throws Problem invalid-fields, ngo-not-listed
 */
export function checkParts(amount: number, parts: readonly Selection[], listed: readonly string[]): void {
  const ids = parts.map(({ ngoId }) => ngoId)
  const areCounts = parts.every(({ points }) => Number.isSafeInteger(points) && points >= 1)
  const isSplit =
    parts.length > 0 &&
    areCounts &&
    new Set(ids).size === ids.length &&
    splitInProportion(money(amount, 'EUR'), parts).every(each => each.amount.amount > 0)
  if (!isSplit) throw new Problem('invalid-fields', { fields: [{ path: 'parts', rule: 'divides' }] })
  if (!isStillListed(parts, listed))
    throw new Problem('ngo-not-listed', { fields: [{ path: 'parts', rule: 'listed' }] })
}

/** Can all of these organisations be given to? A list that was replaced counts as long as they are on the new one. */
export const isStillListed = (parts: readonly Selection[], listed: readonly string[]): boolean =>
  parts.every(({ ngoId }) => listed.includes(ngoId))
