import { z } from 'zod'
import { perLanguage } from '#domain/languages.ts'
import { CURRENCIES, type Currency } from '#domain/money/currency.ts'
import { defineContract } from './contract.ts'

const words = z.object(perLanguage(() => z.string()))
const amount = z.int().min(0)

const perCurrency = <T>(one: T) =>
  Object.fromEntries(CURRENCIES.map(currency => [currency, one])) as Record<Currency, T>

/** The organisations of this year's list, for anybody. Texts are in every language. */
export const listOrganisations = defineContract({
  method: 'GET',
  path: '/api/public/organisations',
  request: z.undefined(),
  response: z
    .object({
      year: z.int(),
      reviewedAt: z.string(),
      ngos: z.array(z.object({ id: z.string(), title: words, description: words, links: words })).readonly(),
    })
    .transform(({ year, reviewedAt, ngos }) => ({
      year,
      reviewed: reviewedAt,
      organisations: ngos.map(({ title, links, ...each }) => ({ ...each, name: title, links })),
    }))
    .pipe(
      z.object({
        year: z.int(),
        reviewed: z.iso.date(),
        organisations: z.array(z.object({ id: z.string(), name: words, description: words, links: words })),
      }),
    ),
})

const price = z.object({
  amount: amount.describe('What the organizations get, in minor units.'),
  support_amount: amount.describe('What is for this site, in minor units.'),
})

/**
 * What is sold, for anybody, and what has to be said with an order: amounts are minor units, prices for each language those
 * that its visitors see.
 */
export const listPackages = defineContract({
  method: 'GET',
  path: '/api/public/packages',
  request: z.undefined(),
  response: z.object({
    packages: z
      .array(
        z.object({
          id: z.string(),
          title: words,
          description: words,
          prices: z.object(perLanguage(() => z.object(perCurrency(price)))),
        }),
      )
      .readonly(),
    markets: z.object(
      perCurrency(
        z.object({
          own: z
            .object({ least: amount, most: amount })
            .nullable()
            .describe(
              'The range of amounts for the package own, in minor units, whole units alone; null: none is taken.',
            ),
          donor_from: amount
            .nullable()
            .describe('The amount, in minor units, from which a giver says who they are; null: never.'),
          fulfilment_consent: z
            .boolean()
            .describe('Has the buyer to agree that the gift is fulfilled when it is used?'),
        }),
      ),
    ),
    themes: z.array(z.object({ id: z.string(), name: words })).readonly(),
    terms: z
      .object({ version: z.string(), links: words })
      .nullable()
      .describe('The terms in force; null: nothing can be bought at the moment.'),
  }),
})
