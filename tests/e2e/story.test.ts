/** What the story of a gift shows beside its sentences: the envelope, how far one is, the amount, until when. */
import type { Page } from '@playwright/test'
import { autoDonateAt } from '#domain/card/term.ts'
import { lastDayBefore } from '#domain/dates.ts'
import { VOLUNTEERING_SCREENS } from '#domain/receiver/volunteering-introductions.ts'
import { buyThroughApi, giftPath, inviteThroughApi } from '#tests/support/e2e/api.ts'
import { STORY } from '#tests/support/e2e/recipient.ts'
import { action, atScreen } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LANGUAGES, LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ locale: LOCALES.es })

const begun = (page: Page) => page.addInitScript(() => sessionStorage.setItem('gift:opened', '1'))
const flap = (page: Page) => page.locator('.envelope .flap')
const plain = (text: string | null): string => (text ?? '').replace(/\s+/g, ' ').trim()

test('the envelope of either kind stands on the first screen from its first frame, and turns open before the words', async ({
  page,
  site,
}) => {
  const card = await buyThroughApi(site, { sender: 'Íñigo', theme: 'christmas' })
  const invitation = await inviteThroughApi(site, { sender: 'Íñigo' })
  await begun(page)
  for (const path of [
    giftPath(card.privateKey, 'introduction-1'),
    `/gift-card-volunteering/${invitation.key}/introduction`,
  ]) {
    await page.goto(path)
    await expect(page.locator('.envelope')).toHaveText(said('es', 'envelope-from', { name: 'Íñigo' }))
    const [animation] = await flap(page).evaluateAll(parts =>
      parts.map(part => {
        const { animationName, animationDelay, animationDuration } = getComputedStyle(part)
        return { animationName, animationDelay, animationDuration }
      }),
    )
    expect(animation).toEqual({ animationName: 'flap', animationDelay: '1.4s', animationDuration: '0.6s' })
    // Nothing but transforms moves, and the sentence comes when the flap is open.
    const moved = await page.evaluate(() =>
      document.getAnimations().flatMap(animation => {
        const effect = animation.effect as KeyframeEffect
        if (!effect.target?.closest('.envelope, h1')) return []
        const own = ['offset', 'computedOffset', 'easing', 'composite']
        return effect.getKeyframes().flatMap(frame => Object.keys(frame).filter(key => !own.includes(key)))
      }),
    )
    expect([...new Set(moved)].sort()).toEqual(['opacity', 'transform'])
    await expect(page.locator('h1')).toHaveCSS('animation-delay', '2s')
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.finish()
    })
    await expect(flap(page)).toHaveCSS('transform', 'matrix(1, 0, 0, -1, 0, 0)')
  }
})

for (const still of ['reduced motion', 'the calm switch'] as const)
  test(`with ${still} the envelope stays as it is, closed`, async ({ page, site }) => {
    const { privateKey } = await buyThroughApi(site)
    await begun(page)
    if (still === 'reduced motion') await page.emulateMedia({ reducedMotion: 'reduce' })
    else await page.addInitScript(() => localStorage.setItem('gift:calm', 'on'))
    await page.goto(giftPath(privateKey, 'introduction-1'))
    await expect(page.locator('.envelope')).toHaveText(said('es', 'envelope-for-you'))
    await expect(flap(page)).toHaveCSS('transform', 'none')
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
  })

test('each screen says how far one is, to eyes as segments and to ears in words, and has a title of its own', async ({
  page,
  site,
}) => {
  const { privateKey } = await buyThroughApi(site, { sender: 'Íñigo' })
  const { key } = await inviteThroughApi(site, { sender: 'Íñigo' })
  await begun(page)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const walk = async (screens: readonly string[], first: string): Promise<void> => {
    const titles = new Set<string>()
    await page.goto(first)
    for (const [index, screen] of screens.entries()) {
      await atScreen(page, screen)
      await expect(page.locator('.steps i')).toHaveCount(screens.length)
      await expect(page.locator('.steps .done')).toHaveCount(index + 1)
      await expect(page.locator('.steps')).toHaveAttribute('aria-hidden', 'true')
      const words = said('es', 'story-step', { at: index + 1, of: screens.length })
      await expect(page.locator('#story-step')).toHaveText(words)
      if (screen !== screens.at(-1) || screens.length === 6)
        await expect(page.locator('h1')).toHaveAccessibleDescription(words)
      const title = await page.title()
      expect(title).not.toContain('Íñigo')
      expect(title).not.toMatch(/\d/)
      titles.add(title)
      if (index < screens.length - 1) await action(page, 'skip').click()
    }
    expect(titles.size).toBe(screens.length)
  }
  await walk(
    STORY.map(([screen]) => screen),
    giftPath(privateKey, 'introduction-1'),
  )
  const before = await page.title()
  await action(page, 'skip').click()
  await atScreen(page, 'select-ngo')
  expect(await page.title()).not.toBe(before)
  await walk(VOLUNTEERING_SCREENS, `/gift-card-volunteering/${key}/introduction`)
})

for (const language of LANGUAGES)
  test.describe(`in ${language}`, () => {
    test.use({ locale: LOCALES[language] })

    test('the fourth screen says the amount once, large, and who has paid it', async ({ page, site }) => {
      const card = await buyThroughApi(site, { language, currency: 'CAD' })
      await begun(page)
      await page.emulateMedia({ reducedMotion: 'reduce' })
      const sentence = async (path: string): Promise<string> => {
        await page.goto(path)
        await atScreen(page, 'introduction-4')
        return plain(await page.locator('h1').textContent())
      }
      const paid = await sentence(giftPath(card.privateKey, 'introduction-4'))
      expect(paid).toMatch(language === 'en' ? /^C\$50 / : /^50 C\$ /)
      expect(paid).toContain(plain(said(language, 'introduction-4-title')))
      const amount = page.locator('.story-amount')
      // 22 % of 390 px.
      await expect(amount).toHaveCSS('font-size', '85.8px')
      await expect(amount).toHaveCSS('font-variant-numeric', /tabular-nums/)

      await page.addInitScript(() => localStorage.setItem('gift:currency', 'GBP'))
      const tried = await sentence(giftPath('giftcard-try', 'introduction-4'))
      expect(tried).toContain('£')
      expect(tried).toContain(plain(said(language, 'introduction-4-title-try')))
    })
  })

test('the last screen says until when, but not of the try card', async ({ page, site }) => {
  const untilOf = (boughtAt: number) =>
    said('es', 'introduction-until', { date: lastDayBefore(autoDonateAt(boughtAt), 'es') })
  const before = untilOf(Date.now())
  const { privateKey } = await buyThroughApi(site)
  // Midnight may come while it is bought.
  const after = untilOf(Date.now())
  await begun(page)
  await page.goto(giftPath(privateKey, 'introduction-7'))
  await expect(page.locator('.story-until')).toHaveText(new RegExp(`^\\s*(?:${before}|${after})\\s*$`))
  await page.goto(giftPath('giftcard-try', 'introduction-7'))
  await atScreen(page, 'introduction-7')
  await expect(page.locator('.story-until')).toHaveCount(0)
})

test('on a large screen the story grows, and a form does not', async ({ page, site }) => {
  const { privateKey } = await buyThroughApi(site)
  await begun(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto(giftPath(privateKey, 'introduction-2'))
  // 5 % of 1280 px, in a column of 44 rem; a rem is the body text's 17 px.
  await expect(page.locator('h1')).toHaveCSS('font-size', '64px')
  await expect(page.locator('main')).toHaveCSS('max-width', `${44 * 17}px`)
  await expect(page.locator('.top')).toHaveCSS('max-width', `${44 * 17}px`)
  await page.goto(giftPath(privateKey, 'select-ngo'))
  await expect(page.locator('main')).toHaveCSS('max-width', `${34 * 17}px`)
})
