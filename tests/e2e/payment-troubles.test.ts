import type { Page, Request } from '@playwright/test'
import { newAddress, openThroughApi, payThroughApi, postJson } from '#tests/support/e2e/api.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import {
  agree,
  buyACard,
  payWith,
  pressPay,
  readLinks,
  senderPath,
  standAtPrepayment,
} from '#tests/support/e2e/buyer.ts'
import { action, atScreen, screenIs } from '#tests/support/e2e/screens.ts'
import { expect, STILL, test } from '#tests/support/e2e/test.ts'
import { holdClock } from '#tests/support/e2e/waiting.ts'
import { LANGUAGES, LOCALES, said } from '#tests/support/e2e/words.ts'
import { SEED_TERMS } from '#tests/support/seed-terms.ts'

test.use({ locale: LOCALES.es, ...STILL })

const GATEWAY = '**/api/ajuda/pagaments-donatius/gateway*'
const SUCCESS_API = '/api/ajuda/pagaments-donatius/success'
const ASK_SUCCESS = `**${SUCCESS_API}`
const SEND_MAIL = '**/api/ajuda/pagaments-donatius/success/send-email'
const CHOICES = { language: 'es', packageId: 'their water', sender: 'Íñigo', support: 30 } as const
const SUCCESS = senderPath('es', 'no-refresh/donation-success')

/** A refusal as the server writes it. */
const problem = (
  status: number,
  code: string,
  { fields, ...headers }: { fields?: object[]; 'Retry-After'?: string } = {},
) => ({
  status,
  headers,
  contentType: 'application/problem+json',
  body: JSON.stringify({ type: 'about:blank', status, code, fields }),
})
const ON_ITS_WAY = { fields: [{ path: 'payment', rule: 'processing' }] }

/** Every call of our interface that a page makes from now on. */
function calls(page: Page): Request[] {
  const seen: Request[] = []
  page.on(
    'request',
    request => void (new URL(request.url()).pathname.startsWith('/api/') && seen.push(request)),
  )
  return seen
}

async function expectChoicesKept(page: Page): Promise<void> {
  const chosen = page.locator('[data-chosen]')
  await expect(chosen.nth(0)).toContainText(said('es', 'package-water-title'))
  await expect(chosen.nth(1)).toContainText('Íñigo')
  await expect(chosen.nth(2)).toContainText('15 €')
  await expect(page.locator('[data-price="total"] dd')).toHaveText('65,00 €')
}

test('a declined card says so beside its field, and another card pays', async ({ page }) => {
  await standAtPrepayment(page, CHOICES)
  await pressPay(page)
  const email = newAddress()
  await payWith(page, '4000 0000 0000 0002', email)
  await expect(page.locator('#card_number-error')).toBeVisible()
  await expect(page.locator('[name="email"]')).toHaveValue(email)
  await payWith(page, '4242 4242 4242 4242', email)
  expect((await readLinks(page)).secret).toContain('/gift-card/')
})

test('the way back from the payment says what happened and keeps every choice', async ({ page }) => {
  await standAtPrepayment(page, CHOICES)
  await pressPay(page)
  await atScreen(page, 'hosted-payment')
  await action(page, 'back').click()
  await atScreen(page, 'donation-cancel')
  await expect(page.locator('h1')).toHaveText(said('es', 'donation-cancel-title'))
  await page.locator('main').click({ position: { x: 30, y: 300 } })
  await screenIs(page, 'packages-donation')
  await expect(page.locator('input[value="their water"]')).toBeChecked()
  await page.goto(senderPath('es', 'donation-prepayment'))
  await expectChoicesKept(page)
})

test('a press whose answers are lost is retried as the same attempt, and works in the end', async ({
  page,
  watch,
}) => {
  watch.expectFault(/ERR_FAILED|status of 502/)
  await standAtPrepayment(page, CHOICES)
  const attempts: (string | undefined)[] = []
  await page.route(GATEWAY, route => {
    attempts.push(route.request().headers()['idempotency-key'])
    if (attempts.length === 1) return route.abort()
    if (attempts.length === 2) return route.fulfill(problem(502, 'provider-unavailable'))
    return route.continue()
  })

  await pressPay(page)
  await expect(page.locator('#payment-problem')).toContainText(said('es', 'problem-network'))
  await expect(action(page, 'pay')).toHaveText(said('es', 'common-retry'))
  await expectChoicesKept(page)

  await pressPay(page)
  await expect(page.locator('#payment-problem')).toContainText(said('es', 'problem-provider-unavailable'))
  await expect(action(page, 'pay')).toHaveAttribute('data-retries', '2')
  await expect(action(page, 'contact')).toHaveAttribute('href', /^mailto:/)
  await expectChoicesKept(page)

  await pressPay(page)
  await atScreen(page, 'hosted-payment')
  expect(attempts).toHaveLength(3)
  expect(attempts[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(new Set(attempts).size).toBe(1)
})

test('the provider’s page left by Back can be reached again, by the same attempt', async ({ page }) => {
  const seen = calls(page)
  await standAtPrepayment(page, CHOICES)
  await pressPay(page)
  await atScreen(page, 'hosted-payment')
  await page.goBack()
  await screenIs(page, 'donation-prepayment')
  await expectChoicesKept(page)
  await pressPay(page)
  await atScreen(page, 'hosted-payment')
  const keys = seen.map(request => request.headers()['idempotency-key'])
  expect(keys).toHaveLength(2)
  expect(new Set(keys).size).toBe(1)
})

test('whoever pays, goes back and presses again hears that it is paid, and can buy once more', async ({
  page,
  watch,
}) => {
  watch.expectFault(/status of 422/)
  const seen = calls(page)
  await standAtPrepayment(page, CHOICES)
  // The words go with the gift, and are forgotten with it.
  await page.evaluate(() => {
    for (const kept of [localStorage, sessionStorage]) kept.setItem('gift:message', 'Feliz cumple')
  })
  await page.reload()
  await expect(page.locator('[data-chosen="message"]')).toContainText('Feliz cumple')
  const label = await action(page, 'pay').textContent()
  await pressPay(page)
  await payWith(page, '4242 4242 4242 4242', newAddress())
  await readLinks(page)
  // From the links over the provider's page.
  while ((await page.locator('main').getAttribute('data-screen')) !== 'donation-prepayment')
    await page.goBack()
  await screenIs(page, 'donation-prepayment')
  await pressPay(page)
  await expect(page.locator('#payment-problem')).toContainText(said('es', 'payment-spent'))
  await expect(action(page, 'pay')).toHaveText(label!)
  await expect(action(page, 'pay')).toHaveAttribute('data-state', 'ready')
  await expect(page).not.toHaveTitle(/^Error: /)
  await pressPay(page)
  await atScreen(page, 'hosted-payment')
  const keys = seen.flatMap(request => request.headers()['idempotency-key'] ?? [])
  expect([keys[0] === keys[1], keys[1] === keys[2]]).toEqual([true, false])
})

test('the same in another language is told too, and of who gives', async ({ page, watch }) => {
  watch.expectFault(/status of 422/)
  const gift = { language: 'es', packageId: 'their lifes', support: 0 } as const
  await standAtPrepayment(page, gift)
  await expect(page.locator('[data-donor]')).toBeVisible()
  await pressPay(page)
  await payWith(page, '4242 4242 4242 4242', newAddress())
  await readLinks(page)
  await standAtPrepayment(page, { ...gift, language: 'fr' })
  await pressPay(page)
  await expect(page.locator('#payment-problem')).toContainText(said('fr', 'payment-spent'))
})

test('what is said after Back stays, however long ago the page was left', async ({ page, watch }) => {
  watch.expectFault(/status of 422/)
  await page.clock.install()
  await standAtPrepayment(page, CHOICES)
  // A payment page that never comes: the visitor stands here as if the browser had brought this page back.
  await page.route('**/stays', route => route.fulfill({ status: 204 }))
  const url = new URL('/stays', page.url()).href
  await page.route(GATEWAY, route => route.fulfill({ json: { url } }), { times: 1 })
  await pressPay(page)
  await expect(action(page, 'pay')).toHaveAttribute('data-state', 'loading')
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await page.route(GATEWAY, route =>
    route.fulfill(problem(422, 'invalid-fields', { fields: [{ path: 'Idempotency-Key', rule: 'spent' }] })),
  )
  await pressPay(page)
  await expect(page.locator('#payment-problem')).toContainText(said('es', 'payment-spent'))
  await page.clock.runFor(30_000)
  await expect(page.locator('#payment-problem')).toContainText(said('es', 'payment-spent'))
})

test('a press while the payment page is on its way does not leave the button dead', async ({ page }) => {
  await page.clock.install()
  await standAtPrepayment(page, CHOICES)
  await page.route('**/stays', route => route.fulfill({ status: 204 }))
  const url = new URL('/stays', page.url()).href
  await page.route(GATEWAY, route => route.fulfill({ json: { url } }))
  const leaving = page.waitForRequest('**/stays')
  await pressPay(page)
  await leaving
  // Said to be of no use, and pressed all the same.
  await expect(action(page, 'pay')).toHaveAttribute('data-state', 'loading')
  await action(page, 'pay').click({ force: true })
  await page.clock.runFor(30_000)
  await expect(action(page, 'pay')).toHaveAttribute('data-state', 'ready')
})

test('nobody pays in euros without having agreed that the gift is fulfilled when it is used', async ({
  page,
}) => {
  const seen = calls(page)
  await standAtPrepayment(page, CHOICES)
  const consent = page.locator('[data-consent="fulfilment"]')
  await expect(consent).not.toBeChecked()
  await action(page, 'pay').click()
  await expect(page.locator('#payment-problem')).toHaveText(said('es', 'prepayment-fulfilment-missing'))
  await expect(consent).toBeFocused()
  await expectAccessible(page, 'the summary without the consent')
  expect(seen).toHaveLength(0)
  await page.keyboard.press('Space')
  await expect(page.locator('#payment-problem')).toBeEmpty()
  await action(page, 'pay').click()
  await atScreen(page, 'hosted-payment')
  expect(seen[0]!.postDataJSON()).toMatchObject({ ...SEED_TERMS })
})

/** Sends the next purchase as a page would that was made before something changed. */
const sendOnce = (page: Page, earlier: object) =>
  page.route(
    GATEWAY,
    route => {
      const sent = { ...(route.request().postDataJSON() as object), ...earlier }
      return route.continue({ postData: JSON.stringify(sent) })
    },
    { times: 1 },
  )

test('a summary from before its market asked who gives is loaded anew, and asks', async ({ page, watch }) => {
  watch.expectFault(/status of 409/)
  await standAtPrepayment(page, { ...CHOICES, packageId: 'their lifes' })
  await sendOnce(page, { donor: undefined })
  await pressPay(page)
  await expect(page.locator('#payment-problem')).toContainText(said('es', 'problem-summary-changed'))
  const reloaded = page.waitForEvent('load')
  await action(page, 'pay').click()
  await reloaded
  await expect(page.locator('[name="donor-name"]')).toHaveValue('')
  await pressPay(page)
  await atScreen(page, 'hosted-payment')
})

test('terms that have changed are shown before anything is paid under them', async ({ page, watch }) => {
  watch.expectFault(/status of 409/)
  await standAtPrepayment(page, CHOICES)
  await sendOnce(page, { terms_version: '00000000000000000000' })
  await pressPay(page)
  await expect(page.locator('#payment-problem')).toContainText(said('es', 'problem-terms-changed'))
  await expect(action(page, 'new-terms')).toHaveAttribute('href', '/es/terms')
  const reloaded = page.waitForEvent('load')
  await action(page, 'pay').click()
  await reloaded
  await expectChoicesKept(page)
  await pressPay(page)
  await atScreen(page, 'hosted-payment')
})

test('a button that is pressed twice asks once', async ({ page }) => {
  const seen = calls(page)
  await standAtPrepayment(page, CHOICES)
  await agree(page)
  await action(page, 'pay').dblclick()
  await atScreen(page, 'hosted-payment')
  expect(seen).toHaveLength(1)
})

test('too many tries are told in a sentence, with the time to wait', async ({ page, watch }) => {
  watch.expectFault(/status of 429/)
  await standAtPrepayment(page, CHOICES)
  await page.route(GATEWAY, route =>
    route.fulfill(problem(429, 'too-many-requests', { 'Retry-After': '30' })),
  )
  await pressPay(page)
  const told = page.locator('#payment-problem')
  await expect(told).toContainText(said('es', 'problem-too-many-requests'))
  await expect(told).toContainText(said('es', 'donation-prepayment-wait', { seconds: 30 }))
  await expect(action(page, 'pay')).toHaveText(said('es', 'common-retry'))
})

/** What whoever waits in the line is told. */
const inLine = (ahead: number, { minutes = 6, again = 300, isOver = false } = {}) => ({
  status: 202,
  contentType: 'application/json',
  headers: { 'Retry-After': '1' },
  body: JSON.stringify({
    waiting: { ahead, wait_ms: minutes * 60_000, ask_again_ms: again, place_was_over: isOver },
  }),
})

/** Lets every press wait in the line until it is opened. */
async function lineBefore(page: Page) {
  const keys = new Set<string | undefined>()
  let answer = inLine(1_250)
  let isOpen = false
  await page.route(GATEWAY, route => {
    keys.add(route.request().headers()['idempotency-key'])
    return isOpen ? route.continue() : route.fulfill(answer)
  })
  return {
    keys,
    say(next: typeof answer) {
      answer = next
    },
    open() {
      isOpen = true
    },
  }
}

for (const language of LANGUAGES)
  test.describe(`in ${language}`, () => {
    test.use({ locale: LOCALES[language] })

    test('a buyer in the line reads their place, and the payment opens by itself', async ({ page }) => {
      const line = await lineBefore(page)
      await standAtPrepayment(page, { ...CHOICES, language })
      await pressPay(page)
      const told = page.locator('#payment-problem')
      await expect(told).toContainText(said(language, 'prepayment-line'))
      const ahead = (1_250).toLocaleString(language)
      await expect(told).toContainText(said(language, 'prepayment-line-minutes', { ahead, minutes: 6 }))
      await expect(action(page, 'pay')).toHaveText(said(language, 'prepayment-line-button'))
      await expectAccessible(page, `the line in ${language}`)
      line.say(inLine(3, { minutes: 1, isOver: true }))
      await expect(told).toContainText(said(language, 'prepayment-line-again'))
      await expect(told).toContainText(said(language, 'prepayment-line-soon', { ahead: 3 }))
      line.open()
      await atScreen(page, 'hosted-payment')
      expect(line.keys.size).toBe(1)
    })
  })

test('the line moves nothing that stands on the screen, and the keyboard stays where it was', async ({
  page,
}) => {
  const seen = calls(page)
  const line = await lineBefore(page)
  await standAtPrepayment(page, CHOICES)
  await agree(page)
  await page.evaluate(() => {
    const moved: number[] = []
    Object.assign(window, { moved })
    new PerformanceObserver(list => {
      for (const entry of list.getEntries()) moved.push((entry as PerformanceEntry & { value: number }).value)
    }).observe({ type: 'layout-shift' })
  })
  const pay = action(page, 'pay')
  await pay.focus()
  const before = await pay.boundingBox()
  await page.keyboard.press('Enter')
  await expect(page.locator('.in-line')).toHaveAttribute('data-ahead', '1250')
  await expect(pay).toBeFocused()
  expect(await pay.boundingBox()).toEqual(before)
  line.say(inLine(2, { minutes: 1 }))
  await expect(page.locator('.in-line')).toHaveAttribute('data-ahead', '2')
  expect(await pay.boundingBox()).toEqual(before)
  expect(await page.evaluate(() => (window as unknown as { moved: number[] }).moved)).toEqual([])
  // One more press is none: the next question comes when it is due.
  line.say(inLine(1, { again: 600_000 }))
  await expect(page.locator('.in-line')).toHaveAttribute('data-ahead', '1')
  const asked = seen.length
  await page.keyboard.press('Enter')
  await page.keyboard.press('Space')
  await expect(pay).toHaveAttribute('aria-disabled', 'true')
  expect(seen).toHaveLength(asked)
  await expectChoicesKept(page)
})

test('a page that is loaded anew in the line goes on at its place, with everything that was chosen', async ({
  page,
}) => {
  const line = await lineBefore(page)
  await standAtPrepayment(page, CHOICES)
  await pressPay(page)
  await expect(page.locator('.in-line')).toBeVisible()
  await page.reload()
  await expect(page.locator('.in-line')).toBeVisible()
  await expect(page.locator('[data-consent="fulfilment"]')).toBeChecked()
  await expectChoicesKept(page)
  line.open()
  await atScreen(page, 'hosted-payment')
  expect(line.keys.size).toBe(1)
})

test('a line that is too long is told, with a way out, and nothing is lost', async ({ page, watch }) => {
  watch.expectFault(/status of 503/)
  await standAtPrepayment(page, CHOICES)
  await page.route(GATEWAY, route => route.fulfill(problem(503, 'line-full', { 'Retry-After': '600' })), {
    times: 1,
  })
  await pressPay(page)
  await expect(page.locator('#payment-problem')).toContainText(said('es', 'problem-line-full'))
  await expect(action(page, 'contact')).toHaveAttribute('href', /^mailto:/)
  await expectChoicesKept(page)
  await pressPay(page)
  await atScreen(page, 'hosted-payment')
})

test('an amount that is no longer sold leads back to the gifts, with every other choice', async ({
  page,
  watch,
}) => {
  watch.expectFault(/status of 422/)
  await standAtPrepayment(page, CHOICES)
  await page.route(GATEWAY, route => route.fulfill(problem(422, 'price-not-listed')))
  await pressPay(page)
  await expect(page.locator('#payment-problem')).toHaveText(said('es', 'problem-price-not-listed'))
  await expectChoicesKept(page)
  await action(page, 'packages').click()
  await atScreen(page, 'packages-donation')
  await expect(page.locator('[value="their water"]')).toBeChecked()
})

test('the page after the payment asks for nothing without a session, and says so', async ({ page }) => {
  const seen = calls(page)
  await page.goto(SUCCESS)
  await expect(page.locator('.checkout')).toHaveAttribute('data-state', 'absent')
  await expect(page.locator('h1')).toHaveText(said('es', 'donation-success-title-absent'))
  await expect(action(page, 'contact')).toHaveAttribute('href', /^mailto:/)
  await expect(page.locator('main [data-action="home"]')).toHaveAttribute('href', '/es')
  expect(seen).toEqual([])
})

test('a session id with a trailing quote and comma is trimmed, and leaves the address bar', async ({
  page,
  site,
}) => {
  const { sessionId } = await payThroughApi(site)
  const seen = calls(page)
  await page.goto(`${SUCCESS}?session_id=${sessionId}%22,`)
  await expect(page.locator('.checkout')).toHaveAttribute('data-state', 'ready')
  expect(page.url()).toBe(site.url + SUCCESS)
  expect(seen[0]?.postDataJSON()).toMatchObject({ stripe_session_id: sessionId })
})

test('an unknown session is told in a sentence, with retry and contact', async ({ page, watch }) => {
  watch.expectFault(/status of 404/)
  const seen = calls(page)
  await page.goto(`${SUCCESS}?session_id=cs_test_unknown`)
  const checkout = page.locator('.checkout')
  await expect(checkout).toHaveAttribute('data-state', 'failed')
  await expect(checkout).toContainText(said('es', 'donation-success-problem-payment-not-found'))
  await expect(action(page, 'contact')).toHaveAttribute('href', /^mailto:/)
  await action(page, 'retry').click()
  await expect.poll(() => seen.length).toBe(2)
  await expect(checkout).toHaveAttribute('data-state', 'failed')
})

test('a payment that is on its way is asked for again quietly, until it has come', async ({
  page,
  site,
  watch,
}) => {
  watch.expectFault(/status of 409/)
  const { sessionId } = await payThroughApi(site)
  let asked = 0
  await page.route(ASK_SUCCESS, route =>
    asked++ < 2 ? route.fulfill(problem(409, 'payment-not-completed', ON_ITS_WAY)) : route.continue(),
  )
  await holdClock(page)
  await page.goto(`${SUCCESS}?session_id=${sessionId}`)
  const checkout = page.locator('.checkout')
  await expect(checkout).toHaveAttribute('data-state', 'pending')
  await expect(checkout).toContainText(said('es', 'donation-success-pending-note'))
  await page.clock.runFor(2_000)
  await expect.poll(() => asked).toBe(2)
  await expect(checkout).toHaveAttribute('data-state', 'pending')
  // The wait for the third begins when the second was answered, which is a little later than it was asked.
  await expect(async () => {
    await page.clock.runFor(4_000)
    await expect.poll(() => asked, { timeout: 1_000 }).toBe(3)
  }).toPass()
  // No time passes while it is answered, however long that takes.
  await expect(checkout).toHaveAttribute('data-state', 'ready')
  expect(asked).toBe(3)
})

for (const language of LANGUAGES) {
  test(`nobody who may have paid is told that nothing was charged, in ${language}`, async ({
    page,
    site,
    watch,
  }) => {
    watch.expectFault(/status of 502/)
    const { sessionId } = await payThroughApi(site)
    await page.route(ASK_SUCCESS, route => route.fulfill(problem(502, 'provider-unavailable')))
    await holdClock(page)
    await page.goto(`${senderPath(language, 'no-refresh/donation-success')}?session_id=${sessionId}`)
    const checkout = page.locator('.checkout')
    await expect(checkout).toHaveAttribute('data-state', 'loading')
    // It is asked again quietly for a minute.
    await expect(async () => {
      // Less than a question takes before it counts as lost.
      await page.clock.runFor(6_000)
      await expect(checkout).toHaveAttribute('data-state', 'failed', { timeout: 500 })
    }).toPass()
    await page.unroute(ASK_SUCCESS)
    await expect(action(page, 'contact').first()).toHaveAttribute('href', /^mailto:/)
    await expect(checkout).toContainText(said(language, 'donation-success-problem-provider-unavailable'))
    await expect(page.locator('main')).not.toContainText(/cobrad|charged|débité/)
    await action(page, 'retry').click()
    await expect(checkout).toHaveAttribute('data-state', 'ready')
  })
}

/** The error state of a payment that gives no card. */
async function expectUnpaid(page: Page): Promise<void> {
  const checkout = page.locator('.checkout')
  await expect(checkout).toHaveAttribute('data-state', 'unpaid', { timeout: 30_000 })
  await expect(page.locator('h1')).toHaveText(said('es', 'donation-success-title-unpaid'))
  await expect(action(page, 'contact')).toHaveAttribute('href', /^mailto:/)
  await expect(action(page, 'back')).toHaveAttribute('href', senderPath('es', 'packages-donation'))
}

test('a session that nobody paid is no payment on its way; paid after all, a retry finds it', async ({
  page,
  site,
  watch,
}) => {
  watch.expectFault(/status of 409/)
  const { url, sessionId } = await openThroughApi(site)
  await page.goto(`${SUCCESS}?session_id=${sessionId}`)
  await expectUnpaid(page)
  await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({
      email: newAddress(),
      card_number: '4242424242424242',
      expiry: '12/40',
      cvc: '123',
    }),
  })
  await action(page, 'retry').click()
  await expect(page.locator('.checkout')).toHaveAttribute('data-state', 'ready')
})

test('a direct debit is on its way until it fails, and then says so', async ({ page, site, watch }) => {
  watch.expectFault(/status of 409/)
  const { sessionId } = await payThroughApi(site, { payWith: 'AT861904300235473202' })
  // Asked at once, and given to the page when it asks first: a page that is slow to open would come too late.
  const first = await postJson(site, SUCCESS_API, { stripe_session_id: sessionId, lang: 'es' })
  const { status, code, fields } = (await first.json()) as { status: number; code: string; fields: object[] }
  await page.route(ASK_SUCCESS, route => route.fulfill(problem(status, code, { fields })), { times: 1 })
  await holdClock(page)
  await page.goto(`${SUCCESS}?session_id=${sessionId}`)
  await expect(page.locator('.checkout')).toHaveAttribute('data-state', 'pending')
  await expect(page.locator('h1')).toHaveText(said('es', 'donation-success-title-pending'))
  await page.clock.resume()
  await expectUnpaid(page)
})

test('the links name the site, as the mail does, whatever name the visitor came by', async ({
  page,
  site,
  watch,
}) => {
  watch.expectFault(/^foreign request: http:\/\/gifts\.test\//)
  const { sessionId } = await payThroughApi(site)
  await page.route('http://gifts.test/**', async route => {
    const request = route.request()
    const { pathname } = new URL(request.url())
    const response = await fetch(site.url + pathname, {
      method: request.method(),
      headers: { 'Content-Type': request.headers()['content-type'] ?? '' },
      body: request.postData(),
    })
    await route.fulfill({
      status: response.status,
      headers: { 'Content-Type': response.headers.get('Content-Type') ?? '' },
      body: Buffer.from(await response.arrayBuffer()),
    })
  })
  await page.goto(`http://gifts.test${SUCCESS}?session_id=${sessionId}`)
  const { preview, secret } = await readLinks(page)
  for (const link of [preview, secret]) expect(link.startsWith(`${site.url}/gift-card/`), link).toBe(true)
})

for (const [screen, api, query] of [
  ['donation-success', 'pagaments-donatius/success', 'session_id=cs_test_1234567890'],
  ['volunteering-success', 'pagaments-voluntariat/success', 'session_id=cs_test_1234567890'],
  ['free-gift-card-campaign-checkout', 'free-giftcard-donatius/retrieve', `privateKey=${'a'.repeat(32)}`],
] as const) {
  test(`a day later ${screen} says where the links were mailed, and leads to having them again`, async ({
    page,
    watch,
  }) => {
    watch.expectFault(/status of 410/)
    const answer = { code: 'links-by-mail', status: 410, maskedAddress: 'b…r@example.org' }
    await page.route(`**/api/ajuda/${api}`, route =>
      route.fulfill({
        status: 410,
        contentType: 'application/problem+json',
        body: JSON.stringify(answer),
      }),
    )
    await page.goto(`${senderPath('es', `no-refresh/${screen}`)}?${query}`)
    const part = page.locator('.checkout[data-state="by-mail"]')
    const title = screen === 'volunteering-success' ? screen : 'donation-success'
    await expect(part.locator('h1')).toHaveText(said('es', `${title}-title-by-mail`))
    await expect(part).toContainText(said('es', 'problem-links-by-mail'))
    await expect(part.locator('[data-address]')).toHaveText(/b…r@example\.org\.$/)
    await expect(page.locator('[data-action="retry"]')).toHaveCount(0)
    await page.reload()
    await expect(part).toBeVisible()
    await expectAccessible(page, `${screen}, a day later`)
    await action(page, 'lost-link').filter({ visible: true }).click()
    await atScreen(page, 'lost-link')
  })
}

test('the links stay through a reload, in their tab only', async ({ page, context }) => {
  const { preview, secret } = await buyACard(page, { language: 'es' })
  await page.reload()
  expect(await readLinks(page)).toEqual({ preview, secret })
  await page.goto(senderPath('es', 'no-refresh/checkout'))
  expect(await readLinks(page)).toEqual({ preview, secret })

  const other = await context.newPage()
  await other.goto(senderPath('es', 'no-refresh/checkout'))
  await expect(other.locator('.checkout')).toHaveAttribute('data-state', 'absent')
  const lasting = await other.evaluate(() => JSON.stringify(localStorage) + document.cookie)
  expect(lasting).not.toContain(secret.split('/')[4])
})

test('a mail that is refused says so, and a tap sends it', async ({ page, site, watch }) => {
  watch.expectFault(/status of 503/)
  const { sessionId } = await payThroughApi(site)
  let pressed = false
  await page.route(ASK_SUCCESS, async route => {
    const response = await route.fetch()
    const settled = (await response.json()) as object
    await route.fulfill({
      response,
      json: pressed ? settled : { ...settled, isConfirmationEmailSent: false },
    })
  })
  await page.route(SEND_MAIL, route => route.fulfill(problem(503, 'temporarily-unavailable')), { times: 1 })
  await page.goto(`${SUCCESS}?session_id=${sessionId}`)
  const mail = page.locator('[data-mail]')
  await expect(mail).toHaveAttribute('data-mail', 'failed')
  await expect(mail).toContainText(said('es', 'problem-temporarily-unavailable'))
  pressed = true
  await action(page, 'send-mail').click()
  await expect(mail).toHaveAttribute('data-mail', 'sent')
})

for (const [what, change] of [
  ['the gift for one cent', { amount: 1 }],
  ['a package at another’s price', { nom_producte: 'their lifes' }],
  ['a support that the slider cannot give', { support_amount_cents: 1 }],
  ['a support that is taken back', { support_amount_cents: -4_000 }],
  ['a package that is not sold', { nom_producte: 'their yachts' }],
] as const) {
  test(`the browser cannot buy ${what}`, async ({ page, watch }) => {
    watch.expectFault(/status of 422/)
    await standAtPrepayment(page, CHOICES)
    await page.route(GATEWAY, route =>
      route.continue({
        postData: JSON.stringify({ ...(route.request().postDataJSON() as object), ...change }),
      }),
    )
    const answered = page.waitForResponse(GATEWAY)
    await pressPay(page)
    const answer = await answered
    expect(answer.status()).toBe(422)
    expect(await answer.json()).not.toHaveProperty('url')
    await expect(page.locator('#payment-problem')).toContainText(/\S/)
    await expect(action(page, 'pay')).toHaveText(said('es', 'common-retry'))
    await expectChoicesKept(page)
  })
}

test('a press that was paid before says so, and a choice that is refused that nothing was charged', async ({
  page,
  watch,
}) => {
  watch.expectFault(/status of 422/)
  const refusedFor = (path: string, rule: string) =>
    page.route(GATEWAY, route => route.fulfill(problem(422, 'invalid-fields', { fields: [{ path, rule }] })))
  await standAtPrepayment(page, CHOICES)
  await refusedFor('theme', 'unknown')
  await pressPay(page)
  await expect(page.locator('#payment-problem')).toContainText(said('es', 'payment-not-understood'))
  await page.unroute(GATEWAY)
  await refusedFor('Idempotency-Key', 'spent')
  await action(page, 'pay').click()
  await expect(page.locator('#payment-problem')).toContainText(said('es', 'payment-spent'))
  await expect(page.locator('#payment-problem')).not.toContainText(/No se ha cobrado/)
})
