import type { Currency } from '../money/currency.ts'

/**
 * Where the law lets a buyer withdraw for some days, a gift that is opened at once needs their consent to that before
 * the payment (product.md#texts-of-the-law): in the Union and in the United Kingdom. Everywhere else nothing is asked.
 */
const ASKED_IN: Readonly<Record<Currency, boolean>> = { EUR: true, GBP: true, USD: false, CAD: false }

/** Has a buyer who pays in this currency to agree that the gift is fulfilled when it is used? */
export const asksForFulfilmentConsent = (currency: Currency): boolean => ASKED_IN[currency]
