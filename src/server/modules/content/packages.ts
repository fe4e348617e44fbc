import { z } from 'zod'
import { CURRENCIES } from '#domain/money/currency.ts'
import { MINOR_UNITS_PER_UNIT } from '#domain/money/money.ts'
import type { Offer, Price, Prices } from '#domain/pricing/offer.ts'
import {
  AMOUNT_RULE,
  isAmount,
  isReach,
  isSupportFor,
  isTotalPayable,
  MOST_PACKAGES,
  REACH_RULE,
  SUPPORT_RULE,
  TOTAL_RULE,
} from '#domain/pricing/offer-rules.ts'
import { OWN_PACKAGE } from '#domain/pricing/own-amount.ts'
import { isPackageId } from '#domain/pricing/packages.ts'
import { STRATEGY_IDS } from '#domain/pricing/strategy-ids.ts'
import { inEveryLanguage, link, listOf, text } from './fields.ts'
import { firstOffer } from './first-offer.ts'

/** What is sold: packages, prices, citations (product.md#packages). In the Studio amounts are whole units. */

const id = z
  .string()
  .max(60)
  .refine(isPackageId, 'words of small letters and digits')
  .refine(given => given !== OWN_PACKAGE, 'the id of own amounts')

const inEveryCurrency = <T extends z.ZodType>(price: T) =>
  z.object(
    Object.fromEntries(CURRENCIES.map(currency => [currency, price])) as Record<
      (typeof CURRENCIES)[number],
      T
    >,
  )

const inEveryStrategy = <T extends z.ZodType>(prices: T) =>
  z.object(
    Object.fromEntries(STRATEGY_IDS.map(strategy => [strategy, prices])) as Record<
      (typeof STRATEGY_IDS)[number],
      T
    >,
  )

const written = z
  .object({
    amount: z.number().refine(isAmount, AMOUNT_RULE),
    support: z.number(),
  })
  .refine(({ amount, support }) => isSupportFor(amount, support), {
    path: ['support'],
    message: SUPPORT_RULE,
  })

const reach = z.number().refine(isReach, REACH_RULE)

type Written = Readonly<Record<(typeof CURRENCIES)[number], z.infer<typeof written>>>

/** Prices as the operator wrote them, in minor units. */
function pricesOf(prices: Written, multiplier: number): Prices {
  const priceOf = ({ amount, support }: z.infer<typeof written>): Price => ({
    ngoAmount: amount * MINOR_UNITS_PER_UNIT,
    supportAmount: support * MINOR_UNITS_PER_UNIT,
    multiplier,
  })
  return Object.fromEntries(
    CURRENCIES.map(currency => [currency, priceOf(prices[currency])]),
  ) as unknown as Prices
}

const isPayable = (prices: Written, multiplier: number): boolean =>
  CURRENCIES.every(currency => isTotalPayable({ ...prices[currency], multiplier }))

const citation = z
  .object({
    title: inEveryLanguage(text),
    place: inEveryLanguage(text),
    links: inEveryLanguage(link),
  })
  .nullish()
  .transform(given => given ?? null)

const giftTexts = {
  id,
  title: inEveryLanguage(text),
  subtitleStart: inEveryLanguage(text),
  subtitleKeep: inEveryLanguage(text),
  description: inEveryLanguage(text),
  citation,
}

const gift = z
  .object({ ...giftTexts, reach, prices: inEveryStrategy(inEveryCurrency(written)) })
  .refine(({ prices, reach }) => STRATEGY_IDS.every(strategy => isPayable(prices[strategy], reach)), {
    path: ['prices'],
    message: TOTAL_RULE,
  })
  .transform(({ reach, prices, ...rest }) => ({
    ...rest,
    prices: Object.fromEntries(
      STRATEGY_IDS.map(strategy => [strategy, pricesOf(prices[strategy], reach)]),
    ) as Offer['gifts'][number]['prices'],
  }))

const benefits = listOf(inEveryLanguage(text)).min(1)

const invitation = z
  .object({ id, title: inEveryLanguage(text), benefits, reach, prices: inEveryCurrency(written) })
  .refine(({ prices, reach }) => isPayable(prices, reach), { path: ['prices'], message: TOTAL_RULE })
  .transform(({ reach, prices, ...rest }) => ({ ...rest, prices: pricesOf(prices, reach) }))

/**
 * As the Content Lake answers. Content that knows no packages at all was written before they were the operator's, and
 * has the first offer; from the first document on it has to be whole.
 */
export const publishedOffer = z
  .object({ gifts: z.array(gift).max(MOST_PACKAGES), invitation: invitation.nullish() })
  .transform((given, context): Offer => {
    const { gifts, invitation } = given
    if (gifts.length === 0 && !invitation) return firstOffer()
    const missing = (path: string, message: string) => {
      context.addIssue({ code: 'custom', path: [path], message })
      return z.NEVER
    }
    if (gifts.length === 0) return missing('gifts', 'at least one package')
    if (!invitation) return missing('invitation', 'the volunteering package is missing')
    const ids = [...gifts, invitation].map(each => each.id)
    if (new Set(ids).size < ids.length) return missing('gifts', 'two packages of one id')
    return { gifts, invitation }
  })

const minorUnits = z.int().min(0).multipleOf(MINOR_UNITS_PER_UNIT)
const storedPrices = inEveryCurrency(
  z.object({
    ngoAmount: minorUnits.min(MINOR_UNITS_PER_UNIT),
    supportAmount: minorUnits,
    multiplier: reach,
  }),
)

/** As a snapshot on disk holds it, and as an order's version does. */
export const storedOffer = z.object({
  gifts: z
    .array(z.object({ ...giftTexts, prices: inEveryStrategy(storedPrices) }))
    .min(1)
    .max(MOST_PACKAGES),
  invitation: z.object({ id, title: inEveryLanguage(text), benefits, prices: storedPrices }),
})
