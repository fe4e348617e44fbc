/** The packages on somebody else's page, on another origin: shown, reached by the keyboard, and sold. */
import { readFileSync } from 'node:fs'
import type { Language } from '#domain/languages.ts'
import { CURRENCIES } from '#domain/money/currency.ts'
import { formatMoney } from '#domain/money/format.ts'
import { money } from '#domain/money/money.ts'
import { senderPath } from '#paths'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { buyFrom, FALLBACK, openPartner, test } from '#tests/support/e2e/partner-page.ts'
import { atScreen } from '#tests/support/e2e/screens.ts'
import { expect, STILL } from '#tests/support/e2e/test.ts'
import { LANGUAGES, LOCALES } from '#tests/support/e2e/words.ts'
import { listPackages } from '#wire/public-offer.ts'

/** The packages, with one that is chosen already. */
function packagePath(language: Language, packageId: string, currency: string): string {
  const query = new URLSearchParams({ package: packageId, currency })
  return `${senderPath(language, 'packages-donation')}?${query}`
}

test.use({ ...STILL, locale: LOCALES.en })

for (const language of LANGUAGES)
  test(`a partner’s page shows the packages in ${language}, accessible, framing and keeping nothing`, async ({
    page,
    partner,
    site,
    watch,
  }) => {
    watch.expectFault(/foreign request: http:\/\/127\.0\.0\.2/)
    const link = await openPartner(page, partner, language)
    await expect(page.locator('gifts-that-give section')).toHaveAttribute('lang', language)
    expect(await link.nth(2).getAttribute('href')).toBe(
      site.url + packagePath(language, 'their water', 'USD'),
    )
    await expect(page.getByText(FALLBACK)).toBeHidden()
    // The checker is no script of the partner's.
    await expectAccessible(page, `widget in ${language}`)
    expect(page.frames()).toHaveLength(1)
    expect(await page.context().cookies()).toEqual([])
  })

test('a page that writes its language in capitals, and a currency that there is not, shows the packages too', async ({
  page,
  partner,
  watch,
}) => {
  watch.expectFault(/foreign request: http:\/\/127\.0\.0\.2/)
  const packages = await openPartner(page, partner, 'es')
  await page.locator('gifts-that-give').evaluate(widget => {
    widget.setAttribute('currency', 'constructor')
    widget.setAttribute('lang', 'FR')
  })
  await expect(page.locator('gifts-that-give section')).toHaveAttribute('lang', 'fr')
  await expect(packages).toHaveCount(5)
})

test('each price is written as it is here, in every language and currency', async ({
  page,
  partner,
  site,
  watch,
}) => {
  watch.expectFault(/foreign request: http:\/\/127\.0\.0\.2/)
  const answer = await fetch(site.url + listPackages.path)
  const { packages } = listPackages.response.parse(await answer.json())
  await openPartner(page, partner, 'es')
  const widget = page.locator('gifts-that-give')
  for (const language of LANGUAGES)
    for (const currency of CURRENCIES) {
      await widget.evaluate(
        (element, [lang, currency]) => {
          element.setAttribute('lang', lang)
          element.setAttribute('currency', currency)
        },
        [language, currency] as const,
      )
      const shown = packages.map(({ prices }) => {
        const { amount, support_amount: support } = prices[language][currency]
        return formatMoney(money(amount + support, currency), language, 'when-needed')
      })
      await expect(widget.locator('b')).toHaveText(shown)
    }
})

test('a partner’s page sells a card: by the keyboard from the package there to the links here', async ({
  page,
  partner,
  watch,
}) => {
  watch.expectFault(/foreign request: http:\/\/127\.0\.0\.2/)
  await openPartner(page, partner, 'es')
  const { secret } = await buyFrom(page)
  expect(secret).toContain('/gift-card/')
})

test('what was chosen here after a partner’s page is kept by a reload', async ({ page }) => {
  await page.goto(packagePath('es', 'their food', 'GBP'))
  await expect(page.locator('[data-package="their food"] input')).toBeChecked()
  await expect(page.locator('[data-action="continue"]')).toContainText('£')
  await page.locator('[data-package="their homes"] label').click()
  await page.reload()
  await expect(page.locator('[data-package="their homes"] input')).toBeChecked()
})

test('a package that is not sold chooses nothing', async ({ page }) => {
  await page.goto(packagePath('es', 'constructor', 'XXX'))
  await expect(page.locator('[data-cards]')).toHaveAttribute('data-ready', '')
  await expect(page.locator('input[name="package"]:checked')).toHaveCount(0)
})

test('where the offer cannot be read, the partner’s own link stays', async ({ page, partner, watch }) => {
  watch.expectFault(/foreign request: http:\/\/127\.0\.0\.2|ERR_FAILED/)
  await page.route('**/api/public/packages', route => route.abort())
  await page.goto(partner.at('fr'))
  await page.waitForFunction(() => document.querySelector('gifts-that-give')?.shadowRoot)
  await expect(page.getByRole('link', { name: FALLBACK })).toBeVisible()
})

test('the widget is below five kilobytes, and it and the packages alone are for other origins', async ({
  site,
}) => {
  expect(readFileSync('public/widget.js').length).toBeLessThan(5_000)
  const headers = async (path: string) => (await fetch(site.url + path)).headers
  const paths = [
    '/widget.js',
    '/favicon.svg',
    '/sw.js',
    '/es/developers',
    '/api/public/packages',
    '/api/public/organisations',
    '/api/public/figures',
    '/api/openapi.json',
  ]
  for (const path of paths) {
    const answered = await headers(path)
    expect(answered.get('cross-origin-resource-policy'), path).toBe(
      path === '/widget.js' ? 'cross-origin' : 'same-origin',
    )
    expect(answered.get('access-control-allow-origin'), path).toBe(
      path === '/api/public/packages' ? '*' : null,
    )
  }
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the partner’s page has a link to the packages', async ({ page, partner, watch }) => {
    watch.expectFault(/foreign request: http:\/\/127\.0\.0\.2/)
    await page.goto(partner.at('es'))
    await page.getByRole('link', { name: FALLBACK }).click()
    await atScreen(page, 'packages-donation')
  })
})

test('the widget has its words in every language of the product', () => {
  const text = readFileSync('public/widget.js', 'utf8')
  for (const language of LANGUAGES) expect(text).toMatch(new RegExp(`^ {4}${language}: \\[`, 'm'))
})
