import { action, atScreen, tryAction } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ locale: LOCALES.en })

test('while a form has an error its title says so, and no longer', async ({ page, watch }) => {
  watch.expectFault(/status of 422/)
  await page.addInitScript(() => {
    localStorage.setItem('gift:package', 'their water')
    localStorage.setItem('gift:mission', '{"kind":"listed","id":"mission-medical","text":""}')
  })
  for (const { screen, wrong, right } of [
    {
      screen: 'volunteering-sender-name',
      wrong: () => tryAction(page, 'continue'),
      right: () => page.locator('main form input').fill('Íñigo'),
    },
    {
      screen: 'donation-sender-name',
      wrong: () => tryAction(page, 'continue'),
      right: () => page.locator('[data-sender="anonymous"] label').click(),
    },
    {
      screen: 'poll-ngo',
      wrong: () => tryAction(page, 'continue'),
      right: async () => {
        for (const question of ['donated', 'postcard'])
          await page.locator(`[data-question="${question}"] label`).first().click()
      },
    },
  ]) {
    await page.goto(`/en/intro/${screen}`)
    await atScreen(page, screen)
    const plain = await page.title()
    const told = said('en', 'common-error-title', { title: plain })
    await wrong()
    await expect(page, screen).toHaveTitle(told)
    await right()
    await expect(page, screen).toHaveTitle(plain)
  }
  // A form that comes back from the server, as without scripts.
  await page.goto('/en/intro/lost-link')
  const plain = await page.title()
  await page.locator('#email').fill('nobody')
  await page.locator('form').evaluate((form: HTMLFormElement) => {
    form.noValidate = true
  })
  await action(page, 'send-links').click()
  await expect(page.locator('#email-error')).toBeVisible()
  await expect(page).toHaveTitle(said('en', 'common-error-title', { title: plain }))
})
