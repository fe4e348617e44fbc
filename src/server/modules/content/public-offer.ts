import { perLanguage } from '#domain/languages.ts'
import { asksForFulfilmentConsent } from '#domain/legal/fulfilment-consent.ts'
import { CURRENCIES, type Currency } from '#domain/money/currency.ts'
import { MINOR_UNITS_PER_UNIT } from '#domain/money/money.ts'
import { ownRange } from '#domain/pricing/own-amount.ts'
import { strategyForLanguage } from '#domain/pricing/strategies.ts'
import { type ContentSnapshot, inLanguage, type PerLanguage } from './snapshot.ts'

/** A text in every language, also where the operator left one blank. */
const inEach = (text: PerLanguage<string>): PerLanguage<string> =>
  perLanguage(language => inLanguage(text, language))

const minor = (units: number): number => units * MINOR_UNITS_PER_UNIT

const perCurrency = <T>(make: (currency: Currency) => T) =>
  Object.fromEntries(CURRENCIES.map(currency => [currency, make(currency)])) as Record<Currency, T>

/** The organisations of the current list, as programs of others read them. */
export const publicOrganisations = ({ ngoList: { year, reviewedAt, ngos } }: ContentSnapshot) => ({
  year,
  reviewedAt,
  ngos: ngos.map(({ id, title, description, links }) => ({
    id,
    title: inEach(title),
    description: inEach(description),
    links: inEach(links),
  })),
})

/** What is sold and in which themes, as programs of others read it: amounts in minor units. */
export const publicPackages = ({ offer, markets, themes }: ContentSnapshot) => ({
  packages: offer.gifts.map(({ id, title, description, prices }) => ({
    id,
    title: inEach(title),
    description: inEach(description),
    prices: perLanguage(language =>
      perCurrency(currency => {
        const { ngoAmount, supportAmount } = prices[strategyForLanguage(language)][currency]
        return { amount: ngoAmount, support_amount: supportAmount }
      }),
    ),
  })),
  markets: perCurrency(currency => {
    const { mostOwn, identityFrom } = markets[currency]
    const range = ownRange(offer, currency, mostOwn)
    return {
      own: range ? { least: minor(range[0]), most: minor(range[1]) } : null,
      donor_from: identityFrom === null ? null : minor(identityFrom),
      fulfilment_consent: asksForFulfilmentConsent(currency),
    }
  }),
  themes: themes.filter(({ isOffered }) => isOffered).map(({ id, names }) => ({ id, name: inEach(names) })),
})
