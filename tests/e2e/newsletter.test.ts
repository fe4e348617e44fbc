import type { Locator, Page } from '@playwright/test'
import { newAddress, postJson } from '#tests/support/e2e/api.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { senderPath } from '#tests/support/e2e/buyer.ts'
import { dump } from '#tests/support/e2e/dump.ts'
import { linksIn, openLetter } from '#tests/support/e2e/inbox.ts'
import { atScreen } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LANGUAGES, LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** As a browser says the colour of what is wrong (tokens.css). */
const ALARM = 'rgb(163, 18, 31)'

const go = (root: Page | Locator): Promise<void> => root.locator('[data-action="newsletter-submit"]').click()
const step = (root: Page | Locator, n: number): Locator =>
  root.locator(`[data-newsletter] [data-step="${n}"]`)

/** The newsletter's links of the only letter to an address, as its reader sees them. */
const linksTo = async (page: Page, email: string): Promise<string[]> =>
  linksIn(await openLetter(page, email), '/newsletter/')

for (const language of LANGUAGES) {
  test.describe(`in ${language}`, () => {
    test.use({ locale: LOCALES[language] })

    test('the form in the share panel asks one thing after the other, and the mail’s link makes it good', async ({
      page,
      site,
    }) => {
      const email = newAddress()
      const status = () => dump(site).newsletter_subscribers?.find(row => row.email === email)?.status
      await page.goto(senderPath(language, 'ngo-list'))
      await page.locator('.page-foot [data-panel="share"]').click()
      const panel = page.locator('dialog.panel')
      await expect(step(panel, 0)).toBeVisible()
      await go(panel)
      await go(panel)
      await expect(panel.locator('#newsletter-email-error')).toHaveText(
        said(language, 'subscribe-newsletter-input-error-required'),
      )
      await panel.locator('#newsletter-email').fill('ana@')
      await go(panel)
      await expect(panel.locator('#newsletter-email-error')).toHaveText(
        said(language, 'subscribe-newsletter-input-error-mail-incorrect'),
      )
      await panel.locator('#newsletter-email').fill(email)
      await go(panel)
      await expect(panel.locator('#newsletter-name')).toBeFocused()
      // Closed and opened anew, it goes on where it was.
      await page.keyboard.press('Escape')
      await expect(panel).toHaveCount(0)
      await page.goto(senderPath(language, 'how-it-works-donation'))
      await page.locator('.page-foot [data-panel="share"]').click()
      await expect(step(panel, 2)).toBeVisible()
      await panel.locator('#newsletter-name').fill('Ana')
      await go(panel)
      await expect(step(panel, 3)).toBeVisible()
      await expect(panel.locator('[data-share-lead]')).toHaveText(
        said(language, 'newsletter-share-lead-phone'),
      )
      await expectAccessible(page, 'share panel with the newsletter')
      await panel.locator('#newsletter-phone').fill('600 000 000')
      await go(panel)
      await expect(panel.locator('#newsletter-phone-error')).toHaveText(
        said(language, 'newsletter-phone-error'),
      )
      await panel.locator('#newsletter-phone').fill('+34 600 000 000')
      await go(panel)
      await expect(panel.locator('#newsletter-whatsapp-error')).toHaveText(
        said(language, 'newsletter-whatsapp-error'),
      )
      await panel.locator('input[name="newsletter-whatsapp"]').check()
      await go(panel)
      await expect(step(panel, 4)).toHaveText(said(language, 'newsletter-thanks', { name: 'Ana' }))
      expect(status()).toBe('pending')
      await go(panel)
      await expect(step(panel, 0)).toBeVisible()
      expect(await page.evaluate(() => localStorage.getItem('gift:newsletter') ?? '')).not.toContain(email)

      const [confirm = '', leave = ''] = await linksTo(page, email)
      await page.goto(confirm)
      await atScreen(page, 'newsletter-confirm')
      expect(page.url()).not.toContain('token')
      await page.reload()
      await atScreen(page, 'newsletter-confirm')
      expect(status()).toBe('pending')
      await page.locator('[data-action="confirm"]').click()
      await expect(page.getByText(said(language, 'newsletter-confirm-done'))).toBeVisible()
      expect(status()).toBe('active')

      await page.goto(leave)
      await atScreen(page, 'newsletter-unsubscribe')
      // In another language it is the same link, and is no more in its address there.
      for (const other of [language === 'en' ? 'fr' : 'en', language]) {
        await page.locator('details summary').first().click()
        await page.locator(`[data-language="${other}"]`).click()
        await expect(page.locator('html')).toHaveAttribute('lang', other)
        await expect.poll(() => page.url()).not.toContain('token')
      }
      await page.locator('[data-action="confirm"]').click()
      await expect(page.getByText(said(language, 'newsletter-unsubscribe-done'))).toBeFocused()
      // Nothing asks any more what has its answer.
      await expect(page.locator('h1')).toHaveText(said(language, 'newsletter-title'))
      await expect(page).toHaveTitle(new RegExp(`^${said(language, 'newsletter-title')} · `))
      expect(status()).toBeUndefined()
    })
  })
}

test.describe('when something goes wrong', () => {
  test.use({ locale: LOCALES.es })

  test('a failure leads back to where it was, and nothing typed before is lost', async ({ page, watch }) => {
    watch.expectFault(/503/)
    await page.goto('/es/share')
    await go(page)
    await page.locator('#newsletter-email').fill('ana@example.org')
    await go(page)
    await page.locator('#newsletter-name').fill('Ana')
    await go(page)
    await page.route('**/api/ajuda/newsletter/subscribe*', route =>
      route.fulfill({ status: 503, json: { code: 'temporarily-unavailable' } }),
    )
    await go(page)
    await expect(step(page, 5)).toHaveText(said('es', 'subscribe-newsletter-input-submit-error-axios'))
    await go(page)
    await expect(step(page, 3)).toBeVisible()
    await page.locator('[data-action="newsletter-back"]').click()
    await expect(page.locator('#newsletter-name')).toHaveValue('Ana')
  })

  test('an answer that cannot be checked yet says so, and the next press goes on', async ({
    page,
    watch,
  }) => {
    watch.expectFault(/ERR_FAILED|dynamically imported/)
    const [checks, phone] = ['**/_astro/answers.*', '**/_astro/phone.*']
    for (const file of [checks, phone]) await page.route(file, route => route.abort())
    await page.goto('/es/share')
    await go(page)
    const problem = said('es', 'subscribe-newsletter-input-submit-error-axios')
    await page.locator('#newsletter-email').fill('ana@example.org')
    await go(page)
    await expect(page.locator('#newsletter-email-error')).toHaveText(problem)
    await page.unroute(checks)
    await go(page)
    await expect(page.locator('#newsletter-name')).toBeFocused()
    await page.locator('#newsletter-name').fill('Ana')
    await go(page)
    await page.locator('#newsletter-phone').fill('+34 600 000 000')
    await go(page)
    await expect(page.locator('#newsletter-phone-error')).toHaveText(problem)
    await page.unroute(phone)
    await go(page)
    await expect(page.locator('#newsletter-whatsapp-error')).toHaveText(
      said('es', 'newsletter-whatsapp-error'),
    )
  })

  for (const [kind, status, word] of [
    ['confirm', 429, 'problem-too-many-requests'],
    ['unsubscribe', 429, 'problem-too-many-requests'],
    ['unsubscribe', 500, 'problem-something-went-wrong'],
    ['unsubscribe', 0, 'problem-network'],
  ] as const)
    test(`the link of ${kind} says ${word} of an answer ${status}, and can be pressed again`, async ({
      page,
      watch,
    }) => {
      watch.expectFault(/429|500|ERR_FAILED/)
      await page.route(`**/api/**/${kind}*`, route =>
        status === 0
          ? route.abort()
          : route.fulfill({
              status,
              json: { code: status === 429 ? 'too-many-requests' : 'something-went-wrong' },
            }),
      )
      await page.goto(`/es/newsletter/${kind}?token=any`)
      const plain = await page.title()
      const confirm = page.locator('[data-action="confirm"]')
      await confirm.click()
      await expect(page.locator('main [role="status"]')).toHaveText(said('es', word))
      await expect(page.locator('main [role="status"]')).toHaveCSS('color', ALARM)
      await expect(page).toHaveTitle(said('es', 'common-error-title', { title: plain }))
      await expect(confirm).toBeEnabled()
      await page.unroute(`**/api/**/${kind}*`)
      await page.route(`**/api/**/${kind}*`, route => route.fulfill({ json: {} }))
      await confirm.click()
      await expect(page.getByText(said('es', `newsletter-${kind}-done`))).toBeFocused()
      await expect(page).toHaveTitle(new RegExp(`^${said('es', 'newsletter-title')} · `))
    })

  for (const kind of ['confirm', 'unsubscribe'])
    test(`the link of ${kind} without its token is said to be no whole link, and asks nothing`, async ({
      page,
    }) => {
      let asked = 0
      await page.route(`**/api/**/${kind}*`, route => {
        asked++
        return route.fulfill({ json: {} })
      })
      await page.goto(`/es/newsletter/${kind}`)
      await page.locator('[data-action="confirm"]').click()
      await expect(page.getByText(said('es', 'newsletter-link-cut'))).toBeFocused()
      await expect(page.getByText(said('es', 'newsletter-link-cut'))).toHaveCSS('color', ALARM)
      await expect(page.locator('[data-action="confirm"]')).toBeHidden()
      expect(asked).toBe(0)
    })

  test('two presses at once answer one question', async ({ page }) => {
    await page.goto('/es/share')
    await go(page)
    await page.locator('#newsletter-email').fill('ana@example.org')
    await page.locator('[data-newsletter] form').evaluate((form: HTMLFormElement) => {
      form.requestSubmit()
      form.requestSubmit()
    })
    await expect(page.locator('#newsletter-name')).toBeFocused()
    await expect(page.locator('#newsletter-name')).toHaveValue('')
    await expect(step(page, 2)).toBeVisible()
  })

  test('a mail program leaves with one click from wherever it is, and a link that is none says so', async ({
    page,
    site,
    watch,
  }) => {
    watch.expectFault(/404/)
    const email = newAddress()
    await postJson(site, '/api/ajuda/newsletter/subscribe?lang=es', { email, name: 'Eva' })
    const [, leave = ''] = await linksTo(page, email)
    const token = new URL(leave).searchParams.get('token')
    const one = await fetch(`${site.url}/api/newsletter/unsubscribe?token=${token}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: 'https://mail.example' },
      body: 'List-Unsubscribe=One-Click',
    })
    expect(one.status).toBe(204)
    expect(JSON.stringify(dump(site).newsletter_subscribers)).not.toContain(email)

    // What watches for errors comes once the page is painted, and has the last word on its title.
    const settled = page.waitForResponse('**/_astro/sender-settled.*')
    await page.goto(`/es/newsletter/confirm?token=${'x'.repeat(66)}`)
    await settled
    await page.locator('[data-action="confirm"]').click()
    await expect(page.getByText(said('es', 'newsletter-confirm-wrong'))).toBeFocused()
    const over = said('es', 'common-error-title', { title: said('es', 'newsletter-title') })
    await expect(page).toHaveTitle(new RegExp(`^${over} · `))
  })
})
