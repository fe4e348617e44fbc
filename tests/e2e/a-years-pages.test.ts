import { expect, ledgerTest } from '#tests/support/e2e/ledger-site.ts'
import { LANGUAGES } from '#tests/support/e2e/words.ts'
import { publishYear, YEAR } from '#tests/support/e2e/year-of-lines.ts'

/** What a public page may weigh, as it is sent, after a year of a site with many organisations. */
const PAGE_BYTES = 10_240

const test = ledgerTest(async (db, url) => {
  await publishYear(db, url)
  return YEAR
})

for (const path of ['/ledger', '/transparency'])
  test(`${path} weighs at most ten kilobytes after a year of three currencies and twelve organizations`, async ({
    page,
    prepared: year,
  }) => {
    expect(year).toEqual({ organisations: 12, currencies: 3, months: 12 })
    for (const language of LANGUAGES) {
      const answer = await page.request.get(`/${language}${path}`, { headers: { 'accept-encoding': 'br' } })
      expect(answer.headers()['content-encoding']).toBe('br')
      const bytes = Number(answer.headers()['content-length'])
      expect(bytes, `${language}${path}`).toBeLessThanOrEqual(PAGE_BYTES)
    }
  })
