import type { Currency } from '#domain/money/currency.ts'

/** Where a card was issued, as the provider's price list tells regions apart. */
export type Region = 'eea' | 'uk' | 'elsewhere'

/** What a payment costs: a share of its amount in hundredths of a percent, and a fixed part in minor units. */
interface Price {
  readonly share: number
  readonly fixed: number
  readonly description: string
}

/** The double's price list: an account in the euro area, prices of the provider's public page in 2026, before any tax. */
export const CARD_PRICES: Readonly<Record<Region, Price>> = {
  eea: { share: 150, fixed: 25, description: 'Stripe processing fees' },
  uk: { share: 250, fixed: 25, description: 'Stripe processing fees' },
  elsewhere: { share: 325, fixed: 25, description: 'Stripe processing fees' },
}

export const DEBIT_PRICE: Price = { share: 0, fixed: 35, description: 'Stripe processing fees' }

/** Beside the price of the payment, where it is settled in another currency. */
export const CONVERSION_PRICE: Price = { share: 200, fixed: 0, description: 'Stripe currency conversion fee' }

/** Of a dispute, when its funds are withdrawn; kept by the provider also where the dispute is won. */
export const DISPUTE_PRICE: Price = { share: 0, fixed: 2_000, description: 'Dispute fee' }

/** The European Economic Area. */
const EEA = new Set(
  'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IS IT LV LI LT LU MT NL NO PL PT RO SK SI ES SE'.split(' '),
)

export function regionOf(country: string): Region {
  if (EEA.has(country)) return 'eea'
  return country === 'GB' ? 'uk' : 'elsewhere'
}

export function costOf(amount: number, { share, fixed }: Price): number {
  return Math.round((amount * share) / 10_000) + fixed
}

/** What one unit is worth in euros; the market moves it by up to one percent from day to day. */
const IN_EUROS: Readonly<Record<string, number>> = {
  eur: 1,
  usd: 0.92,
  cad: 0.68,
  gbp: 1.17,
} satisfies Record<Lowercase<Currency>, number>
const DAY_S = 86_400

/** The rate from a currency to another on the day of an epoch second, six decimals. */
export function rateOn(second: number, from: string, to: string): number {
  const day = Math.floor(second / DAY_S)
  const moved = (currency: string) =>
    (IN_EUROS[currency]! * (1000 + ((day * currency.charCodeAt(0)) % 21) - 10)) / 1000
  return Math.round((moved(from) / moved(to)) * 1e6) / 1e6
}
