import type { Page } from '@playwright/test'
import { isLong } from '#tests/support/counts.ts'
import { newAddress } from '#tests/support/e2e/api.ts'
import {
  arrive,
  choosePackage,
  chooseSender,
  goToPrepayment,
  payWith,
  pressPay,
  readLinks,
  senderPath,
  walkIntroduction,
} from '#tests/support/e2e/buyer.ts'
import { arrowTo, tabTo } from '#tests/support/e2e/keyboard.ts'
import { action, atScreen, screenIs } from '#tests/support/e2e/screens.ts'
import { expect, STILL, test } from '#tests/support/e2e/test.ts'
import { LANGUAGES, LOCALES, said } from '#tests/support/e2e/words.ts'

/** Every screen this tab shows from now on, in order. The entry shows nothing of its own: it leads on. */
async function follow(page: Page): Promise<string[]> {
  const seen: string[] = []
  await page.exposeFunction('note', (screen: string) => void (screen !== 'entry' && seen.push(screen)))
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => {
      const { note } = window as unknown as { note: (screen: string) => void }
      note(document.querySelector<HTMLElement>('main')?.dataset.screen ?? '')
    }),
  )
  return seen
}

const LONG = [
  'cookies-settings',
  'intro',
  'choose-theme',
  'choose',
  'gift-card-design-donation',
  'how-it-works-donation',
  'ngo-list',
  'donation-sender-name',
  'packages-donation',
  'donation-packages-support-amount',
  'donation-prepayment',
  'hosted-payment',
]
const SHORT = [
  'cookies-settings',
  'packages-donation',
  'donation-sender-name',
  'donation-packages-support-amount',
  'donation-prepayment',
  'hosted-payment',
]
/** Tabs to a control and presses it. */
async function press(page: Page, name: string): Promise<void> {
  await tabTo(page, `[data-action="${name}"]`)
  await page.keyboard.press('Enter')
}

/** Tabs into a group of options and takes one by the arrows. */
async function take(page: Page, group: string, option: string): Promise<void> {
  await tabTo(page, `input[name="${group}"]`)
  await page.keyboard.press('Space')
  await arrowTo(page, option)
}

/** What both ways ask, by keyboard alone. */
const BY_KEYBOARD: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  'cookies-settings': page => press(page, 'reject'),
  intro: page => press(page, 'continue'),
  'choose-theme': async page => {
    await press(page, 'continue')
    await expect(page.locator('#choice-missing')).not.toBeEmpty()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Space')
    await arrowTo(page, '[value="lebanon"]')
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'lebanon')
    await expect(page.locator('#choice-missing')).toBeEmpty()
    await press(page, 'continue')
  },
  choose: async page => {
    await take(page, 'kind', '[value="donation"]')
    await press(page, 'continue')
  },
  'gift-card-design-donation': page => press(page, 'continue'),
  'how-it-works-donation': page => press(page, 'continue'),
  'ngo-list': page => press(page, 'continue'),
  'donation-sender-name': async page => {
    await take(page, 'sender', '#sender-name, [value="own"]')
    await expect(page.locator('#sender-name')).toBeFocused()
    await page.keyboard.type('Íñigo')
    await page.keyboard.press('Enter')
  },
  'packages-donation': async page => {
    await take(page, 'package', '[value="their water"]')
    await press(page, 'continue')
  },
  'donation-packages-support-amount': async page => {
    await tabTo(page, '#support')
    await page.keyboard.press('ArrowRight')
    await press(page, 'continue')
  },
  'donation-prepayment': async page => {
    await tabTo(page, '[data-consent="fulfilment"]')
    await page.keyboard.press('Space')
    await press(page, 'pay')
  },
}

const stepText = (page: Page) => page.locator('[data-step]:visible')

for (const language of LANGUAGES) {
  test.describe(`in ${language}`, () => {
    // The waits are the same in every language: one of them waits.
    test.use({ locale: LOCALES[language], ...(language === 'es' ? {} : STILL) })

    test('the long way leads from the splash over every screen to the payment', async ({ page }) => {
      const seen = await follow(page)
      expect(await arrive(page)).toBe('intro')
      await goToPrepayment(page, { language, sender: 'Íñigo', support: 10 })
      await expect(stepText(page)).toHaveText(said(language, 'common-step', { step: 6, total: 6 }))
      await pressPay(page)
      await atScreen(page, 'hosted-payment')
      expect(seen).toEqual(LONG)
      expect(seen.length).toBeLessThanOrEqual(13)
      await payWith(page, '4242 4242 4242 4242', newAddress())
      expect((await readLinks(page)).secret).toContain('/gift-card/')
    })

    test('the short way leads from an advert to the packages and on to the payment', async ({ page }) => {
      const seen = await follow(page)
      expect(await arrive(page, '/AdGirlEs1')).toBe('packages-donation')
      await goToPrepayment(page, { language, support: 0 })
      await expect(stepText(page)).toHaveText(said(language, 'common-step', { step: 4, total: 4 }))
      await pressPay(page)
      await atScreen(page, 'hosted-payment')
      expect(seen).toEqual(SHORT)
      expect(seen.length).toBeLessThanOrEqual(8)
    })
  })
}

// Keys are the same in every language: in the usual run one of them is typed through.
for (const language of isLong ? LANGUAGES : (['es'] as const)) {
  test.describe(`in ${language}`, () => {
    test.use({ locale: LOCALES[language], ...STILL })

    for (const [way, path, screens] of [
      ['long', '/', LONG],
      ['short', '/AdGirlEs1', SHORT],
    ] as const)
      test(`the ${way} way is walked by keyboard alone`, async ({ page }) => {
        await page.goto(path)
        for (const screen of screens) {
          await screenIs(page, screen)
          await BY_KEYBOARD[screen]?.(page)
        }
      })
  })
}

test.describe('in Spanish', () => {
  test.use({ locale: LOCALES.es, ...STILL })

  test('each screen of the long way goes back to the one before, as it was left', async ({ page }) => {
    await arrive(page)
    await walkIntroduction(page, 'christmas')
    await screenIs(page, 'donation-sender-name')
    await chooseSender(page, 'Íñigo')
    await action(page, 'continue').click()
    await screenIs(page, 'packages-donation')
    for (const screen of [
      'donation-sender-name',
      'ngo-list',
      'how-it-works-donation',
      'gift-card-design-donation',
      'choose',
      'choose-theme',
    ]) {
      await action(page, 'back').click()
      await atScreen(page, screen)
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'christmas')
    }
    await expect(page.locator('[value="christmas"]')).toBeChecked()
    await expect(page.locator('[data-action="back"]')).toHaveCount(0)
    for (const screen of ['choose', 'gift-card-design-donation', 'how-it-works-donation']) {
      await page.goBack()
      await atScreen(page, screen)
      if (screen === 'choose') await expect(page.locator('[value="donation"]')).toBeChecked()
    }
  })

  test('a reload keeps every choice of the long way', async ({ page }) => {
    await arrive(page)
    await action(page, 'skip').click()
    await atScreen(page, 'choose-theme')
    await page.locator('[data-theme-choice="ukraine"] label').click()
    await page.reload()
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'ukraine')
    await expect(page.locator('[value="ukraine"]')).toBeChecked()
    await expect(action(page, 'continue')).toHaveAttribute('aria-disabled', 'false')
    await action(page, 'continue').click()
    await atScreen(page, 'choose')
    await page.locator('[data-gift-kind="donation"] label').click()
    await page.reload()
    await expect(page.locator('[value="donation"]')).toBeChecked()
  })

  test('a Continue that is not ready says what is missing; where there is one choice it is made', async ({
    page,
  }) => {
    for (const screen of ['choose-theme', 'choose'] as const) {
      await page.goto(senderPath('es', screen))
      await atScreen(page, screen)
      const options = page.locator('form [type="radio"]')
      if ((await options.count()) === 1) {
        await expect(options).toBeChecked()
        await expect(action(page, 'continue')).toHaveAttribute('aria-disabled', 'false')
        await action(page, 'continue').press('Enter')
        await atScreen(page, 'gift-card-design-donation')
        continue
      }
      await expect(action(page, 'continue')).toHaveAttribute('aria-disabled', 'true')
      await action(page, 'continue').press('Enter')
      await expect(page.locator('#choice-missing')).toHaveText(said('es', `${screen}-missing`))
      await atScreen(page, screen)
    }
  })

  test('on the long way the packages ask for the name first; a deep link alone does not', async ({
    page,
    context,
  }) => {
    await page.goto(senderPath('es', 'choose-theme'))
    await atScreen(page, 'choose-theme')
    await page.goto(senderPath('es', 'packages-donation'))
    await screenIs(page, 'donation-sender-name')
    // Another tab is another session: it takes the short way.
    const other = await context.newPage()
    await other.goto(senderPath('es', 'packages-donation'))
    await screenIs(other, 'packages-donation')
    await expect(stepText(other)).toHaveText(said('es', 'common-step', { step: 1, total: 4 }))
    await other.goto(senderPath('es', 'ngo-list'))
    await action(other, 'continue').click()
    await atScreen(other, 'packages-donation')
  })

  test('two tabs each wear their own theme; a new one begins with the last', async ({ page, context }) => {
    await page.goto(senderPath('es', 'choose-theme'))
    await page.locator('[data-theme-choice="ukraine"] label').click()
    const other = await context.newPage()
    await other.goto(senderPath('es', 'choose-theme'))
    await expect(other.locator('html')).toHaveAttribute('data-theme', 'ukraine')
    await other.locator('[data-theme-choice="lebanon"] label').click()
    for (const [tab, theme] of [
      [page, 'ukraine'],
      [other, 'lebanon'],
      [await context.newPage(), 'lebanon'],
    ] as const) {
      await tab.goto(senderPath('es', 'choose-theme'))
      await expect(tab.locator('html')).toHaveAttribute('data-theme', theme)
      await expect(tab.locator(`[value="${theme}"]`)).toBeChecked()
    }
  })

  test('with blocked storage the long way holds its choices and its order', async ({ page, context }) => {
    await context.addInitScript(() => {
      for (const storage of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, storage, {
          get() {
            throw new DOMException('denied', 'SecurityError')
          },
        })
    })
    await arrive(page)
    await walkIntroduction(page, 'lebanon')
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'lebanon')
    await chooseSender(page)
    await action(page, 'continue').click()
    await choosePackage(page, {})
    await expect(stepText(page)).toHaveText(said('es', 'common-step', { step: 4, total: 6 }))
    const order = (): Promise<(string | undefined)[]> =>
      page
        .locator('[data-kind]:visible')
        .evaluateAll(cards => cards.map(card => (card as HTMLElement).dataset.kind))
    const drawn = await order()
    await page.reload()
    await screenIs(page, 'packages-donation')
    await expect(page.locator('[data-cards]')).toHaveAttribute('data-ready', '')
    expect(await order()).toEqual(drawn)
    await action(page, 'continue').click()
    await atScreen(page, 'donation-packages-support-amount')
  })

  test('what somebody wrote by hand into the memory of the entry spoils no screen', async ({ page }) => {
    await page.goto(senderPath('es', 'donate-us'))
    await page.evaluate(() => {
      for (const storage of [localStorage, sessionStorage])
        for (const [key, text] of Object.entries({
          'gift:theme': 'gold',
          'gift:kind': 'yacht',
          'gift:way': 'sideways',
          'gift:entry': '{"campaign":{"kind":"free","code":"<b>","source":"reddit"},"strategy":"free"}',
          'gift:visitor': '[7]',
          'gift:sessions': '-1',
          'gift:card-order': '["yacht"]',
        }))
          storage.setItem(key, text)
    })
    for (const screen of ['intro', 'packages-donation', 'ngo-list', 'choose-theme', 'choose'] as const) {
      await page.goto(screen === 'intro' ? '/es/intro' : senderPath('es', screen))
      await screenIs(page, screen)
      if (screen === 'packages-donation')
        await expect(page.locator('[data-package="their water"] .amount')).toHaveText('50 €')
    }
    await page.goto('/es/intro')
    await action(page, 'skip').click()
    await atScreen(page, 'choose-theme')
  })

  test('switching the language keeps the screen, the way and the choice', async ({ page }) => {
    await page.goto(senderPath('es', 'choose-theme'))
    await page.locator('[data-theme-choice="ukraine"] label').click()
    await action(page, 'continue').click()
    await atScreen(page, 'choose')
    await page.locator('details.switch summary').click()
    await page.locator('a[data-language="fr"]').click()
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
    await atScreen(page, 'choose')
    await expect(page.locator('html')).toHaveAttribute('data-theme', 'ukraine')
    await expect(stepText(page)).toHaveText(said('fr', 'common-step', { step: 2, total: 6 }))
  })

  test('the tip page stands beside the way and leads back to it', async ({ page }) => {
    await goToPrepayment(page, { language: 'es', support: 0 })
    await page.goto(senderPath('es', 'donation-packages-support-amount'))
    await screenIs(page, 'donation-packages-support-amount')
    await action(page, 'donate-us').click()
    await atScreen(page, 'donate-us')
    await expect(action(page, 'tip')).toHaveAttribute('href', /^https:\/\//)
    await action(page, 'back').click()
    await atScreen(page, 'donation-packages-support-amount')

    // Whatever the language becomes there.
    await action(page, 'donate-us').click()
    await atScreen(page, 'donate-us')
    for (const language of ['fr', 'en'] as const) {
      await page.locator('details.switch summary').click()
      await page.locator(`a[data-language="${language}"]`).click()
      await expect(page.locator('html')).toHaveAttribute('lang', language)
    }
    await page.reload()
    await action(page, 'back').click()
    await atScreen(page, 'donation-packages-support-amount')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  })
})
