import type { Page } from '@playwright/test'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { arrive, buyACard, readLinks } from '#tests/support/e2e/buyer.ts'
import { dump } from '#tests/support/e2e/dump.ts'
import { action, atScreen, tryAction } from '#tests/support/e2e/screens.ts'
import type { Site } from '#tests/support/e2e/server.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LANGUAGES, LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

const pick = (page: Page, question: string, option: string): Promise<void> =>
  page
    .locator(`[data-question="${question}"] label`, { has: page.locator(`input[value="${option}"]`) })
    .click()

async function answerFirst(page: Page): Promise<void> {
  await atScreen(page, 'poll-ngo')
  await pick(page, 'donated', 'no-answer')
  await pick(page, 'impact', '4')
  await pick(page, 'postcard', 'yes')
  await action(page, 'continue').click()
}

async function answerSecond(page: Page, texts: { readonly known: string }): Promise<void> {
  await pick(page, 'age', '25-34')
  await pick(page, 'informed', 'a-little')
  await pick(page, 'drink', 'tea')
  for (const tradition of ['diwali', 'christmas', 'carnival']) await pick(page, 'traditions', tradition)
  await expect(page.locator('input[value="ramadan"]')).toBeDisabled()
  await pick(page, 'studying', 'no')
  await page.locator('textarea[name="known"]').fill(texts.known)
  await action(page, 'continue').click()
}

const answersOf = (site: Site, value: string) =>
  dump(site).poll_answers?.filter(row => row.value === value) ?? []

for (const language of LANGUAGES) {
  test.describe(`in ${language}`, () => {
    test.use({ locale: LOCALES[language] })

    test('a poll visitor answers both, and goes on; what was said is kept by itself', async ({
      page,
      site,
    }) => {
      const known = `MSF ${language} ${Date.now()}`
      expect(await arrive(page, '/poll', 'reject')).toBe('poll-ngo')
      const calls: string[] = []
      page.on('request', request => {
        if (request.url().includes('/api/')) calls.push(new URL(request.url()).pathname)
      })
      await expectAccessible(page, 'poll-ngo')
      await expect(page.locator('[data-question]')).toHaveCount(4)
      await expect(action(page, 'continue')).toHaveAttribute('aria-disabled', 'true')
      await tryAction(page, 'continue')
      const missing = page.locator('[data-missing]')
      await expect(missing).toBeFocused()
      await expect(missing.getByRole('link')).toHaveText([
        said(language, 'poll-1-donated'),
        said(language, 'poll-1-postcard'),
      ])
      for (const question of ['donated', 'postcard'])
        await expect(page.locator(`[data-question="${question}"]`)).toHaveAccessibleDescription(
          said(language, 'poll-missing-here'),
        )
      await expect(page.locator('[data-question="donated"]')).toBeInViewport({ ratio: 1 })
      await expectAccessible(page, 'poll-ngo, not answered')

      // A reload loses nothing.
      await pick(page, 'postcard', 'no')
      await expect(missing.getByRole('link')).toHaveText([said(language, 'poll-1-donated')])
      await expect(page.locator('[data-question="postcard"] .error')).toBeHidden()
      await page.reload()
      await expect(page.locator('input[name="postcard"][value="no"]')).toBeChecked()
      await answerFirst(page)
      await atScreen(page, 'poll-2-intro')
      await expectAccessible(page, 'poll-2-intro')
      await action(page, 'accept').click()
      await atScreen(page, 'poll-2')
      await expectAccessible(page, 'poll-2')
      await expect(page.locator('[data-question]')).toHaveCount(10)
      await expect(page.locator('[data-question="education"] li')).toHaveCount(language === 'en' ? 4 : 5)
      await expect(
        page.getByText(
          said(language, language === 'en' ? 'poll-income-under-2000' : 'poll-income-under-900'),
        ),
      ).toBeVisible()
      await expect(page.locator('[data-question="income"] li:visible')).toHaveCount(4)
      await answerSecond(page, { known })
      await atScreen(page, 'intro')

      // After "reject" only what was submitted is sent, and nothing that says by whom.
      expect(calls).toEqual(Array(2).fill('/api/analytics/general/new-event/poll-submitted'))
      await expect.poll(() => answersOf(site, known).length).toBe(1)
      const [row] = answersOf(site, known)
      expect(Object.keys(row ?? {}).sort()).toEqual(['day', 'id', 'language', 'poll', 'question', 'value'])
      expect(row).toMatchObject({ poll: 'poll-2', question: 'known', language })
      await page.goto(`/${language}`)
      await atScreen(page, 'intro')
    })
  })
}

test.describe('that does not arrive', () => {
  test.use({ locale: LOCALES.es })

  test('is kept and sent again by the next pages, after a "reject" too, and only then complete', async ({
    page,
    site,
    watch,
  }) => {
    watch.expectFault(/status of 503/)
    watch.expectFault(/Unable to save event/)
    const known = `lost ${Date.now()}`
    await arrive(page, '/encuesta', 'reject')
    const call = '**/new-event/poll-submitted'
    const kept = (key: string) =>
      page.evaluate(name => sessionStorage.getItem(name) ?? localStorage.getItem(name), key)
    await page.route(call, route => route.fulfill({ status: 503, body: '{}' }))
    await answerFirst(page)
    await atScreen(page, 'poll-2-intro')
    expect(await kept('gift:polls-unsent')).toContain('no-answer')
    expect(await kept('gift:poll-1-completed')).toBeNull()
    await action(page, 'accept').click()
    await answerSecond(page, { known })
    await atScreen(page, 'intro')
    expect(answersOf(site, known)).toEqual([])
    // The page that is open may send it as well as the next one, whichever comes first.
    const sent = page.waitForResponse(
      answer => answer.url().endsWith('/new-event/poll-submitted') && answer.status() === 200,
    )
    await page.unroute(call)
    await page.goto('/es/who-we-are')
    await sent
    await expect.poll(() => kept('gift:polls-unsent')).toBeNull()
    expect(await kept('gift:poll-1-completed')).toBe('yes')
    expect(await kept('gift:poll-2-completed')).toBe('yes')
    await expect.poll(() => answersOf(site, known).length).toBe(1)
  })

  test('leaves nothing behind when it is put off, and never more than the tab has', async ({ page }) => {
    await arrive(page, '/encuesta', 'reject')
    await atScreen(page, 'poll-ngo')
    await pick(page, 'donated', 'yes')
    const keys = () => page.evaluate(() => [Object.keys(localStorage), Object.keys(sessionStorage)])
    expect((await keys())[0]).toEqual(['gift:consent'])
    expect((await keys())[1]).toContain('gift:poll-1')
    await action(page, 'skip').click()
    await atScreen(page, 'intro')
    expect((await keys())[1]).not.toContain('gift:poll-1')
  })

  test('has no answer in it that its visitor cannot see any more', async ({ page }) => {
    await arrive(page, '/encuesta', 'reject')
    await page.evaluate(() => localStorage.setItem('gift:currency', 'USD'))
    await page.goto('/es/intro/poll-2')
    await pick(page, 'income', 'under-2000')
    await page.evaluate(() => {
      for (const place of [localStorage, sessionStorage]) place.setItem('gift:currency', 'EUR')
    })
    await page.reload()
    await expect(page.locator('[data-question="income"] li:visible input:checked')).toHaveCount(0)
    const sent = page.waitForRequest('**/new-event/poll-submitted')
    await answerSecond(page, { known: 'none' })
    expect((await sent).postData()).not.toContain('under-2000')
    expect((await sent).postData()).toContain('"isOptional":false')
  })
})

test.describe('by touch', () => {
  test.use({ locale: LOCALES.en, hasTouch: true })

  test('a scale begins without an answer, a tap on a dot is one, and nothing moves under the finger', async ({
    page,
  }) => {
    await arrive(page, '/poll', 'reject')
    await atScreen(page, 'poll-ngo')
    const dots = (question: string) => page.locator(`[data-question="${question}"] input[type="radio"]`)
    for (const question of ['impact', 'sharing']) {
      await expect(dots(question)).toHaveCount(6)
      await expect(page.locator(`[data-question="${question}"] :checked`)).toHaveCount(0)
    }
    await expect(page.getByRole('radio', { name: '0 Not at all' })).toHaveCount(2)
    const first = (await dots('impact').first().boundingBox())!
    await page.touchscreen.tap(first.x + first.width / 2, first.y + first.height / 2)
    await expect(dots('impact').first()).toBeChecked()
    // As a number, as it always was sent.
    const kept = () => page.evaluate(() => JSON.parse(sessionStorage.getItem('gift:poll-1') ?? '{}'))
    expect(await kept()).toEqual({ impact: 0 })
    await dots('sharing').first().focus()
    await page.keyboard.press('ArrowRight')
    expect(await kept()).toEqual({ impact: 0, sharing: 1 })
    await page.reload()
    await expect(dots('impact').first()).toBeChecked()
    await expect(dots('sharing').nth(1)).toBeChecked()

    await tryAction(page, 'continue')
    const option = page.locator('[data-question="donated"] label').last()
    const before = await option.boundingBox()
    await option.tap()
    expect(Math.abs((await option.boundingBox())!.y - before!.y)).toBeLessThan(2)
  })
})

test.describe('after a payment', () => {
  test.use({ locale: LOCALES.es })

  test('Continue leads through the polls and back to the same links', async ({ page }) => {
    const { secret } = await buyACard(page, { language: 'es' })
    await action(page, 'continue').click()
    await answerFirst(page)
    await atScreen(page, 'donation-2-intro-poll-postpayment')
    await action(page, 'accept').click()
    await atScreen(page, 'donation-2-poll-postpayment')
    await answerSecond(page, { known: 'UNICEF' })
    await atScreen(page, 'checkout')
    expect((await readLinks(page)).secret).toBe(secret)
    await expect(action(page, 'continue')).toHaveCount(0)
  })

  test('whoever would rather not is back at the links with one press each', async ({ page }) => {
    const { secret } = await buyACard(page, { language: 'es' })
    await action(page, 'continue').click()
    await atScreen(page, 'poll-ngo')
    await action(page, 'skip').click()
    await atScreen(page, 'checkout')
    expect((await readLinks(page)).secret).toBe(secret)
  })
})
