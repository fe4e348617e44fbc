import {
  CURRENCIES,
  isAmount,
  isPackageId,
  isReach,
  isSupportFor,
  isTotalPayable,
  OWN_PACKAGE,
} from '../product.ts'
import type { Verdict } from './texts.ts'

/** What a package costs in one currency, as the Studio holds it while somebody is still typing. */
export interface PriceValue {
  readonly amount?: unknown
  readonly support?: unknown
}

export function packageIdVerdict(value: unknown): Verdict {
  if (value === OWN_PACKAGE) return 'This is the id of amounts that buyers type themselves.'
  return (
    isPackageId(value) ||
    'Small letters and digits, with one space or hyphen between words, such as “their schools”.'
  )
}

export function uniquePackageIdVerdict(value: unknown, others: readonly string[]): Verdict {
  return !others.includes(String(value)) || 'Another package has this name already.'
}

export function amountVerdict(value: unknown): Verdict {
  return (
    isAmount(value) ||
    'A whole number from 1 to 100,000: cards are divided by whole points, and pages show no cents.'
  )
}

export function supportVerdict(support: unknown, amount: unknown): Verdict {
  return isSupportFor(amount, support) || 'A whole number, from 0 to the amount beside it.'
}

export function reachVerdict(value: unknown): Verdict {
  return isReach(value) || 'A number from 0.1 to 40, with two decimals at most.'
}

/** With the slider at its end, can the payment still be charged? */
export function totalVerdict(prices: unknown, reach: unknown): Verdict {
  if (typeof prices !== 'object' || prices === null || !isReach(reach)) return true
  const each = CURRENCIES.map(currency => (prices as Readonly<Record<string, PriceValue>>)[currency])
  const tooMuch = each.some(
    price =>
      price &&
      isAmount(price.amount) &&
      isSupportFor(price.amount, price.support) &&
      !isTotalPayable({ amount: price.amount, support: price.support, multiplier: reach }),
  )
  return (
    !tooMuch || 'With the slider at its end a payment would be above 999,999: lower the amount or the reach.'
  )
}

/**
 * Why a package cannot be taken away now; undefined where it can.
 * @param isPublished a draft that nobody saw may go
 * @param others how many other packages are published; undefined while nobody has answered that
 */
export function lastPackageReason(isPublished: boolean, others: number | undefined): string | undefined {
  if (!isPublished || (others !== undefined && others > 0)) return undefined
  return others === undefined
    ? 'One moment: the Studio looks whether there is another package.'
    : 'This is the last package: without one nothing could be sold. Publish another one first.'
}
