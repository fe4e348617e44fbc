import { expect, it } from 'vitest'
import { CURRENCIES } from '#domain/money/currency.ts'
import { EVERYTHING_PUBLISHED } from '#server/modules/content/queries.ts'

/** Nothing else notices a market that is not asked for: it would have the product's own rules, whatever the operator set. */
it('the content is asked for the market of every currency', () => {
  for (const currency of CURRENCIES)
    expect(EVERYTHING_PUBLISHED).toMatch(new RegExp(`\\b${currency} \\{ months, `))
})
