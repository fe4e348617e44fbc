/** product.md: a form that comes back shows what is wrong, with and without scripts. */
import type { Page } from '@playwright/test'
import { buyThroughApi, giftPath, newAddress } from '#tests/support/e2e/api.ts'
import { sendForMeLink } from '#tests/support/e2e/inbox.ts'
import { action, atScreen } from '#tests/support/e2e/screens.ts'
import { expect, STILL, test } from '#tests/support/e2e/test.ts'
import { type Language, LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ ...STILL, locale: LOCALES.es })

/** A press as a finger makes it: at a place, after the page was moved there. */
async function press(page: Page, name: string): Promise<void> {
  const button = action(page, name)
  await button.scrollIntoViewIfNeeded()
  const box = (await button.boundingBox())!
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}

/** The form has come back: this has the focus, and its reader sees all of it. */
async function isSeen(page: Page, what: string): Promise<void> {
  await expect(page).toHaveTitle(new RegExp(said('es', 'common-error-title', { title: '.+' })))
  await expect(page.locator(what)).toBeFocused()
  await expect(page.locator(what)).toBeInViewport({ ratio: 1 })
  // Of a field, its reason stands below it.
  const [reason] = (await page.locator(what).getAttribute('aria-describedby'))?.split(' ') ?? []
  if (reason !== undefined) await expect(page.locator(`#${reason}`)).toBeInViewport({ ratio: 1 })
}

/** Three cards of 25 €, as they stand before the payment. */
async function lookOverMany(page: Page): Promise<void> {
  await page.locator('#amount').fill('25')
  await page.locator('#count').fill('3')
  await press(page, 'check-many')
  await expect(page.locator('main')).toHaveAttribute('data-step', 'review')
}

/** The browser itself keeps other days out. */
const allowAnyDay = (page: Page): Promise<void> =>
  page.locator('form').evaluate((form: HTMLFormElement) => {
    form.noValidate = true
  })

async function payWithoutConsent(page: Page): Promise<void> {
  await page.locator('#amount').fill('37')
  await page.locator('[data-ngo="ngo-msf"] input').fill('50')
  await press(page, 'check')
  await press(page, 'pay')
}

async function withdrawAsNobody(page: Page): Promise<void> {
  await page.locator('#name').fill(' ')
  await page.locator('#email').fill('aina@example.org')
  await press(page, 'state-withdrawal')
}

async function askForLinksOfNobody(page: Page): Promise<void> {
  await page.locator('#email').fill('aina@example')
  await press(page, 'send-links')
}

/** By form: what the visitor does before the refusal, and what then has the focus. */
const FORMS: readonly {
  readonly name: string
  readonly path: string | ((card: { readonly privateKey: string }) => string)
  readonly send: (page: Page) => Promise<void>
  readonly focused: string
}[] = [
  {
    name: 'many cards without an amount',
    path: '/es/many-cards',
    send: page => press(page, 'check-many'),
    focused: '.many-problems',
  },
  {
    name: 'many cards of which nobody has agreed to the use',
    path: '/es/many-cards',
    async send(page) {
      await lookOverMany(page)
      await press(page, 'pay')
    },
    focused: '[data-consent="fulfilment"]',
  },
  {
    name: 'many cards whose giver has no document, and is not said to have no name,',
    path: '/es/many-cards',
    async send(page) {
      await page.locator('#amount').fill('100')
      await page.locator('#count').fill('3')
      await press(page, 'check-many')
      await page.locator('#donor-name').fill('Aina Ferrer')
      await press(page, 'pay')
      await expect(page.locator('#donor-document-error')).toHaveText(said('es', 'donor-document-missing'))
      await expect(page.locator('#donor-name-error')).toHaveCount(0)
      await expect(page.locator('#donor-name')).not.toHaveAttribute('aria-invalid')
    },
    focused: '#donor-document',
  },
  {
    name: 'many cards by an invoice to nobody',
    path: '/es/many-cards',
    async send(page) {
      await lookOverMany(page)
      await page.locator('[data-consent="fulfilment"]').check()
      await press(page, 'by-invoice')
      await press(page, 'invoice')
    },
    focused: '#invoice-name',
  },
  {
    name: 'a withdrawal of nobody',
    path: '/es/withdraw',
    send: withdrawAsNobody,
    focused: '#name',
  },
  {
    name: 'lost links of an address that is none',
    path: '/es/intro/lost-link',
    send: askForLinksOfNobody,
    focused: '#email',
  },
  {
    name: 'own money without an amount',
    path: ({ privateKey }) => giftPath(privateKey, 'own-money'),
    send: page => press(page, 'check'),
    focused: '.problems',
  },
  {
    name: 'own money to whose use nobody has agreed',
    path: ({ privateKey }) => giftPath(privateKey, 'own-money'),
    send: payWithoutConsent,
    focused: '[data-consent="fulfilment"]',
  },
]

/** By form that has come back: what the visitor mends, the field in which they press Enter, and what shows that it went on. */
const MENDED: readonly {
  readonly name: string
  readonly path: string
  readonly refused: (page: Page) => Promise<void>
  readonly field: string
  readonly value: string
  readonly goesOn: (page: Page) => Promise<void>
}[] = [
  {
    name: 'a withdrawal',
    path: '/en/withdraw',
    refused: withdrawAsNobody,
    field: '#name',
    value: 'Aina',
    goesOn: page => expect(page.locator('main')).toHaveAttribute('data-step', 'review'),
  },
  {
    name: 'lost links',
    path: '/en/intro/lost-link',
    refused: askForLinksOfNobody,
    field: '#email',
    value: 'aina@example.org',
    goesOn: page => expect(page.locator('#email')).toHaveCount(0),
  },
  {
    name: 'many cards',
    path: '/en/many-cards',
    async refused(page) {
      await page.locator('#count').fill('3')
      await press(page, 'check-many')
    },
    field: '#amount',
    value: '25',
    goesOn: page => expect(page.locator('main')).toHaveAttribute('data-step', 'review'),
  },
  {
    name: 'many cards before the payment',
    // In euros, of which whoever gives so many has to say who they are.
    path: '/fr/many-cards',
    async refused(page) {
      await page.locator('#amount').fill('100')
      await page.locator('#count').fill('3')
      await press(page, 'check-many')
      await press(page, 'pay')
    },
    field: '#donor-name',
    value: 'Aina Ferrer',
    goesOn: page => expect(page.locator('#donor-name')).toHaveValue('Aina Ferrer'),
  },
]

for (const scripts of [true, false])
  test.describe(scripts ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled: scripts })

    for (const { name, path, send, focused } of FORMS)
      test(`${name} is refused where its visitor looks`, async ({ page, site, watch }) => {
        watch.expectFault(/status of 422/)
        const where = typeof path === 'string' ? path : path(await buyThroughApi(site))
        await page.goto(where)
        await send(page)
        await isSeen(page, focused)
      })

    for (const { name, path, refused, field, value, goesOn } of MENDED)
      test(`Enter in ${name} that came back sends it, in the language it is in`, async ({ page, watch }) => {
        watch.expectFault(/status of 422/)
        const language = path.slice(1, 3) as Language
        await page.goto(path)
        await refused(page)
        await expect(page).toHaveTitle(new RegExp(said(language, 'common-error-title', { title: '.+' })))
        await page.locator(field).fill(value)
        await page.locator(field).press('Enter')
        await goesOn(page)
        await expect(page.locator('html')).toHaveAttribute('lang', language)
      })

    test('a day that is over is refused where the giver looks', async ({ browser, page, site, watch }) => {
      watch.expectFault(/status of 422/)
      const email = newAddress()
      await buyThroughApi(site, { email, language: 'es' })
      // A letter is read with scripts, whatever the page is read with.
      const reader = await browser.newPage({ baseURL: site.url })
      const way = await sendForMeLink(reader, email)
      await reader.close()
      await page.goto(way)
      await page.locator('#address').fill('aina@example.org')
      await allowAnyDay(page)
      await page.locator('#day').fill('2020-01-01')
      await press(page, 'plan-sending')
      await isSeen(page, '#day')
      // As low as the browser leaves it by itself.
      await page.setViewportSize({ width: 390, height: 520 })
      await allowAnyDay(page)
      await press(page, 'plan-sending')
      await isSeen(page, '#day')
    })
  })

/** By form that came back: the field that is wrong, and how it is mended. */
const TAKEN_BACK: readonly {
  readonly name: string
  readonly path: (card: { readonly privateKey: string }) => string
  readonly refused: (page: Page) => Promise<void>
  readonly field: string
  readonly mend: (page: Page) => Promise<void>
}[] = [
  {
    name: 'many cards to whose use nobody had agreed',
    path: () => '/es/many-cards',
    async refused(page) {
      await lookOverMany(page)
      await press(page, 'pay')
    },
    field: '[data-consent="fulfilment"]',
    mend: page => page.locator('[data-consent="fulfilment"]').check(),
  },
  {
    name: 'a statement of nobody',
    path: () => '/es/withdraw',
    refused: withdrawAsNobody,
    field: '#name',
    mend: page => page.locator('#name').fill('Aina'),
  },
  {
    name: 'own money to whose use nobody had agreed',
    path: ({ privateKey }) => giftPath(privateKey, 'own-money'),
    refused: payWithoutConsent,
    field: '[data-consent="fulfilment"]',
    mend: page => page.locator('[data-consent="fulfilment"]').check(),
  },
  {
    name: 'the draw without its tick',
    path: ({ privateKey }) => giftPath(privateKey, 'draw'),
    async refused(page) {
      await page.locator('form.confirm').evaluate(form => form.setAttribute('novalidate', ''))
      await press(page, 'confirm')
    },
    field: '[data-tick]',
    mend: page => page.locator('[data-tick]').check(),
  },
]

for (const { name, path, refused, field, mend } of TAKEN_BACK)
  test(`what was wrong with ${name} is said no longer than until it is mended`, async ({
    page,
    site,
    watch,
  }) => {
    watch.expectFault(/status of 422/)
    const card = await buyThroughApi(site)
    // A first load of the card's pages is led to the beginning of its story.
    await page.goto(giftPath(card.privateKey))
    await page.goto(path(card))
    await refused(page)
    await expect(page).toHaveTitle(/^Error: /)
    await expect(page.locator(field)).toHaveAttribute('aria-invalid', 'true')
    await mend(page)
    await expect(page.locator(field)).not.toHaveAttribute('aria-invalid')
    await expect(page.locator('main .error:visible')).toHaveCount(0)
    await expect(page).not.toHaveTitle(/^Error: /)
  })

test('what was mended before the payment is not wrong again after Back', async ({ page, watch }) => {
  watch.expectFault(/status of 422/)
  await page.goto('/es/many-cards')
  await lookOverMany(page)
  await press(page, 'pay')
  await page.locator('[data-consent="fulfilment"]').check()
  await press(page, 'pay')
  await atScreen(page, 'hosted-payment')
  await page.goBack()
  await expect(page.locator('[data-consent="fulfilment"]')).toBeChecked()
  await expect(page.locator('[data-consent="fulfilment"]')).not.toHaveAttribute('aria-invalid')
  await expect(page).not.toHaveTitle(/^Error: /)
})
