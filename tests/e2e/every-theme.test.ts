import { isLong } from '#tests/support/counts.ts'
import { buyThroughApi, inviteThroughApi } from '#tests/support/e2e/api.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import {
  invitationScreens,
  newsletterScreens,
  panelScreens,
  positionScreen,
  receiverScreens,
  senderScreens,
  successScreen,
  wellKnownVisitor,
} from '#tests/support/e2e/every-screen.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LANGUAGES, LOCALES } from '#tests/support/e2e/words.ts'

const THEMES = ['palestine', 'lebanon', 'ukraine', 'christmas', 'blueText', 'greenText'] as const

/** Each test takes every third screen, from one of the first three on. */
const THIRDS = [0, 1, 2] as const

/**
 * Every screen in every language and theme in the long run; usually each screen once, a third of them in each language,
 * each third in another theme.
 */
const TURNS = isLong
  ? LANGUAGES.flatMap(language => THEMES.flatMap(theme => THIRDS.map(first => ({ language, theme, first }))))
  : ([
      { language: 'es', theme: 'greenText', first: 0 },
      { language: 'en', theme: 'christmas', first: 1 },
      { language: 'fr', theme: 'ukraine', first: 2 },
    ] as const)

for (const { language, theme, first } of TURNS) {
  test.describe(`in ${language} and ${theme}`, () => {
    test.use({ locale: LOCALES[language], contextOptions: { reducedMotion: 'reduce' } })

    test(`every third screen from number ${first + 1} on can be used by everybody`, async ({
      page,
      site,
      watch,
    }) => {
      test.setTimeout(180_000)
      // An unknown check word.
      watch.expectFault(/status of 404/)
      await wellKnownVisitor(page)
      await page.addInitScript(chosen => localStorage.setItem('gift:theme', chosen), theme)
      const card = await buyThroughApi(site, { language, theme, sender: 'Íñigo' })
      const screens = [
        ...senderScreens(language, theme),
        ...panelScreens(language),
        successScreen(language, card.sessionId),
        ...receiverScreens(card),
        // One that does not exist has no theme.
        ...invitationScreens(language, await inviteThroughApi(site, { language, theme })).slice(0, -1),
        ...newsletterScreens(language),
        // Last, since it answers the consent question.
        positionScreen(language),
      ]
      for (const screen of screens.filter((_, index) => index % THIRDS.length === first)) {
        await screen.open(page)
        await expect(page.locator('html')).toHaveAttribute('data-theme', theme)
        await expectAccessible(page, `${screen.name} in ${language} and ${theme}`)
      }
    })
  })
}
