import type { BrowserContext, Page } from '@playwright/test'
import { isLong } from '#tests/support/counts.ts'
import { arrive, choosePackage, chooseSender, chooseSupport } from '#tests/support/e2e/buyer.ts'
import { action, screenIs } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LANGUAGES, LOCALES } from '#tests/support/e2e/words.ts'

interface Step {
  readonly screen: string
  readonly choose?: (page: Page) => Promise<void>
  /** What the visitor chose here is there. */
  readonly shows?: (page: Page) => Promise<void>
  /** Where somebody without any choice is led from here; else they may stay. */
  readonly missing?: string
}

const checked =
  (value: string) =>
  (page: Page): Promise<void> =>
    expect(page.locator(`input[value="${value}"]`)).toBeChecked()

const PACKAGES: Step = {
  screen: 'packages-donation',
  choose: page => choosePackage(page, {}),
  shows: checked('their water'),
}
const NAME: Step = {
  screen: 'donation-sender-name',
  choose: page => chooseSender(page, 'Íñigo'),
  shows: page => expect(page.locator('#sender-name')).toHaveValue('Íñigo'),
  missing: 'packages-donation',
}
const LAST: readonly Step[] = [
  {
    screen: 'donation-packages-support-amount',
    choose: page => chooseSupport(page, 30),
    shows: page => expect(page.locator('#support')).toHaveValue('30'),
    missing: 'packages-donation',
  },
  {
    screen: 'donation-prepayment',
    shows: page => expect(page.locator('[data-chosen="donation-sender-name"]')).toContainText('Íñigo'),
    missing: 'packages-donation',
  },
]
const WAYS: Readonly<Record<'long' | 'short', readonly Step[]>> = {
  long: [
    { screen: 'intro' },
    {
      screen: 'choose-theme',
      choose: page => page.locator('[data-theme-choice="ukraine"] label').click(),
      shows: checked('ukraine'),
    },
    {
      screen: 'choose',
      choose: page => page.locator('[data-gift-kind="donation"] label').click(),
      shows: checked('donation'),
    },
    { screen: 'gift-card-design-donation' },
    { screen: 'how-it-works-donation' },
    { screen: 'ngo-list' },
    NAME,
    PACKAGES,
    ...LAST,
  ],
  short: [PACKAGES, NAME, ...LAST],
}

const blockStorage = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(() => {
    for (const storage of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, storage, {
        get() {
          throw new DOMException('denied', 'SecurityError')
        },
      })
  })

/** Everything in the long run; usually each way once, one with storage and one without. */
const WALKS = isLong
  ? LANGUAGES.flatMap(language =>
      (['long', 'short'] as const).flatMap(way => [true, false].map(stores => ({ language, way, stores }))),
    )
  : ([
      { language: 'es', way: 'long', stores: true },
      { language: 'fr', way: 'short', stores: false },
    ] as const)

for (const { language, way, stores } of WALKS) {
  test.describe(`in ${language}, the ${way} way, ${stores ? 'with' : 'without'} storage`, () => {
    test.use({ locale: LOCALES[language], contextOptions: { reducedMotion: 'reduce' } })

    test('each step outlives a reload and Back; another tab and a deep link begin where they can', async ({
      page,
      context,
      visitor,
    }) => {
      test.setTimeout(180_000)
      const steps = WAYS[way]
      if (!stores) await blockStorage(context)
      // The question comes again where no answer can be kept: an advert's visitor goes straight on.
      if (stores) await arrive(page, way === 'long' ? '/' : '/AdGirlEs1')
      else await page.goto(`/${language}/intro${way === 'long' ? '' : '/packages-donation'}`)

      for (const [index, { screen, choose, shows, missing = screen }] of steps.entries()) {
        const isHere = async (): Promise<void> => {
          await screenIs(page, screen)
          await expect(page.locator('html')).toHaveAttribute('lang', language)
          await shows?.(page)
        }
        await screenIs(page, screen)
        await choose?.(page)
        await page.reload()
        await isHere()

        await test.step(`${screen}, another tab`, async () => {
          const other = stores ? await context.newPage() : await visitor({ locale: LOCALES[language] })
          await other.goto(page.url())
          // A new tab is on the short way, where the package comes before the name.
          const ahead = !stores || (screen === NAME.screen && way === 'long')
          await screenIs(other, ahead ? missing : screen)
          if (!ahead) await shows?.(other)
          await other.close()
        })
        await test.step(`${screen}, a deep link`, async () => {
          const stranger = await visitor({ locale: LOCALES[language] })
          await stranger.goto(page.url())
          await screenIs(stranger, missing)
          await stranger.close()
        })

        const next = steps[index + 1]
        if (!next) return
        const isTelling = (await action(page, 'skip').count()) > 0
        await action(page, isTelling ? 'skip' : 'continue').click()
        await screenIs(page, next.screen)
        await page.goBack()
        await isHere()
        await page.goForward()
      }
    })
  })
}
