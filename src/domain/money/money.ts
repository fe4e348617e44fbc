import type { Currency } from './currency.ts'

/** An amount in minor units (cents, pence), a safe integer of either sign, with its currency beside it. */
export interface Money {
  readonly amount: number
  readonly currency: Currency
}

/** Minor units in one whole unit, the same for every currency of the product. */
export const MINOR_UNITS_PER_UNIT = 100

/** Can this be an amount? True for whole numbers that are exact, of either sign. */
export function isMinorUnits(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

/** Makes an amount of minor units. A fraction, or a number too large to be exact, is a fault: RangeError. */
export function money(amount: number, currency: Currency): Money {
  if (!isMinorUnits(amount)) throw new RangeError('An amount of money is a whole number of minor units')
  // Adding 0 turns -0, which compares and prints in surprising ways, into 0.
  return { amount: amount + 0, currency }
}

/** Makes an amount from whole units: 50 → 5000 minor units. */
export function fromUnits(units: number, currency: Currency): Money {
  if (!Number.isSafeInteger(units)) throw new RangeError('Units are whole')
  return money(units * MINOR_UNITS_PER_UNIT, currency)
}

/** The amount as programs read it, without its currency: a point, two decimals, no grouping. 5 → `0.05`. */
export function decimal(minor: number): string {
  if (!isMinorUnits(minor)) throw new RangeError('An amount of money is a whole number of minor units')
  const size = Math.abs(minor)
  const cents = String(size % MINOR_UNITS_PER_UNIT).padStart(2, '0')
  return `${minor < 0 ? '-' : ''}${Math.trunc(size / MINOR_UNITS_PER_UNIT)}.${cents}`
}

/** No money, in a currency. */
export function zero(currency: Currency): Money {
  return money(0, currency)
}

/** a + b. Two currencies never mix: RangeError. */
export function addMoney(a: Money, b: Money): Money {
  return money(a.amount + b.amount, commonCurrency(a, b))
}

/** a − b, which may be negative. Two currencies never mix: RangeError. */
export function subtractMoney(a: Money, b: Money): Money {
  return money(a.amount - b.amount, commonCurrency(a, b))
}

function commonCurrency(a: Money, b: Money): Currency {
  if (a.currency !== b.currency) throw new RangeError('Amounts of two currencies do not add up')
  return a.currency
}
