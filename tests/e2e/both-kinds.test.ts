/** What holds for every kind of gift from its summary to its links, tried with each of them. */
import type { Locator, Page } from '@playwright/test'
import { newAddress, payInvitationThroughApi, payThroughApi, postJson } from '#tests/support/e2e/api.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { goToPrepayment, payWith, pressPay, senderPath } from '#tests/support/e2e/buyer.ts'
import { blockStorage, chooseInvitation } from '#tests/support/e2e/inviter.ts'
import { action, atScreen, screenIs } from '#tests/support/e2e/screens.ts'
import type { Site } from '#tests/support/e2e/server.ts'
import { expect, STILL, test } from '#tests/support/e2e/test.ts'
import { holdClock } from '#tests/support/e2e/waiting.ts'
import { LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ locale: LOCALES.es, ...STILL })

const FAILING_DEBIT = 'AT861904300235473202'
const DEBIT = 'AT611904300234573201'

interface Kind {
  readonly name: string
  readonly summary: string
  readonly success: string
  readonly api: string
  readonly gifts: string
  readonly nameScreen: string
  readonly supportScreen: string
  /** What is bought, as the page after the payment says it. */
  readonly bought: (name: string) => string
  /** Chooses everything, up to the summary. */
  readonly choose: (page: Page, sender: string, support: number) => Promise<void>
  readonly writeName: (page: Page, name: string) => Promise<void>
  readonly pay: (site: Site, account: string) => Promise<{ readonly sessionId: string }>
  /** What is shown of the links once they are there. */
  readonly link: (page: Page) => Locator
  /** The words of this kind, where it has some of its own. */
  readonly words: string
}

const KINDS: readonly Kind[] = [
  {
    name: 'gift card',
    summary: 'donation-prepayment',
    success: 'donation-success',
    api: 'pagaments-donatius',
    gifts: 'packages-donation',
    nameScreen: 'donation-sender-name',
    supportScreen: 'donation-packages-support-amount',
    bought: name => `50 € Su agua · de parte de ${name}`,
    choose: (page, sender, support) => goToPrepayment(page, { language: 'es', sender, support }),
    writeName: async (page, name) => {
      await screenIs(page, 'donation-sender-name')
      await page.locator('#sender-name').fill(name)
    },
    pay: (site, account) => payThroughApi(site, { payWith: account, sender: 'Íñigo' }),
    link: page => action(page, 'open-preview'),
    words: 'donation-success',
  },
  {
    name: 'invitation',
    summary: 'volunteering-prepayment',
    success: 'volunteering-success',
    api: 'pagaments-voluntariat',
    gifts: 'packages-volunteering',
    nameScreen: 'volunteering-sender-name',
    supportScreen: 'volunteering-packages-support-amount',
    bought: name => `Echar una mano a Médicos Sin Fronteras De parte de ${name}`,
    choose: (page, sender, support) => chooseInvitation(page, { language: 'es', sender, support }),
    writeName: async (page, name) => {
      await atScreen(page, 'volunteering-sender-name')
      await page.locator('#sender-name').fill(name)
    },
    pay: (site, account) => payInvitationThroughApi(site, { payWith: account, sender: 'Íñigo' }),
    link: page => action(page, 'open'),
    words: 'volunteering-success',
  },
]

const checkout = (page: Page) => page.locator('.checkout')
const chosen = (page: Page, screen: string) => page.locator(`[data-chosen="${screen}"]`)
const change = (page: Page, screen: string) => chosen(page, screen).locator('[data-action="change"]').click()
const total = (page: Page) => page.locator('[data-price="total"] dd')
/** The sum, once the page's script has written it. */
const writtenTotal = async (page: Page): Promise<string> => {
  await expect(total(page)).toHaveText(/\d/)
  return (await total(page).textContent()) ?? ''
}
/** `SHOTS` names a folder: what is worth looking at is photographed into it. */
const shot = async (page: Page, name: string): Promise<void> => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true })
}

for (const kind of KINDS) {
  const success = senderPath('es', `no-refresh/${kind.success}`)

  test(`what is changed from the summary of the ${kind.name} leads back to it, after a reload and Back too`, async ({
    page,
  }) => {
    await kind.choose(page, 'Íñigo', 0)
    await shot(page, `${kind.summary}-0`)
    await expect(page.locator('[data-price="net"], [data-price="tax"]')).toHaveCount(0)
    await expect(chosen(page, 'choose-theme')).toContainText(said('es', 'theme-palestine'))

    await change(page, kind.nameScreen)
    await kind.writeName(page, 'Berta')
    await page.reload()
    await kind.writeName(page, 'Carla')
    await action(page, 'continue').click()
    await screenIs(page, kind.summary)
    await expect(chosen(page, kind.nameScreen)).toContainText('Carla')

    await change(page, kind.supportScreen)
    await screenIs(page, kind.supportScreen)
    await page.locator('#support').fill('20')
    await action(page, 'continue').click()
    await screenIs(page, kind.summary)
    await expect(page.locator('[data-price="net"], [data-price="tax"]')).toHaveCount(2)
    await shot(page, `${kind.summary}-20`)
    await expectAccessible(page, kind.summary)

    await change(page, 'choose-theme')
    await atScreen(page, 'choose-theme')
    await page.locator('[data-theme-choice="christmas"] label').click()
    await action(page, 'continue').click()
    await screenIs(page, kind.summary)
    await expect(chosen(page, 'choose-theme')).toContainText(said('es', 'theme-christmas'))

    // Back to the change, and on to the summary once more; its own Back leads there too.
    await page.goBack()
    await atScreen(page, 'choose-theme')
    await action(page, 'continue').click()
    await screenIs(page, kind.summary)
    await change(page, kind.nameScreen)
    await page.locator('details.switch summary').click()
    await page.locator('a[data-language="fr"]').click()
    await expect(page.locator('html')).toHaveAttribute('lang', 'fr')
    await screenIs(page, kind.nameScreen)
    await page.locator('.crumb [data-action="back"]').click()
    await screenIs(page, kind.summary)
    await expect(chosen(page, kind.nameScreen)).toContainText('Carla')
    // Without coming from there, the way goes on as ever.
    await page.goto(senderPath('es', kind.nameScreen))
    await kind.writeName(page, 'Dora')
    await action(page, 'continue').click()
    await expect(page.locator('main')).not.toHaveAttribute('data-screen', kind.summary)
  })

  test(`the ${kind.name} is changed and paid for where the browser keeps nothing`, async ({
    page,
    context,
  }) => {
    await blockStorage(context)
    await kind.choose(page, 'Íñigo', 20)
    const before = await writtenTotal(page)
    await change(page, kind.nameScreen)
    await kind.writeName(page, 'Berta')
    await action(page, 'continue').click()
    await screenIs(page, kind.summary)
    await expect(total(page)).toHaveText(before)
    await pressPay(page)
    await payWith(page, '4242424242424242', newAddress())
    await expect(checkout(page)).toHaveAttribute('data-state', 'ready')
    await expect(page.locator('[data-bought]')).toHaveText(kind.bought('Berta'))
    await expect(kind.link(page)).toBeVisible()
  })

  test(`two tabs on the way to the ${kind.name} keep their own names and sums, and say what each has bought`, async ({
    page,
    context,
  }) => {
    await kind.choose(page, 'Ana', 0)
    const first = await writtenTotal(page)
    const other = await context.newPage()
    await kind.choose(other, 'Berta', 20)
    await expect(total(other)).not.toHaveText(first)

    await page.bringToFront()
    await expect(chosen(page, kind.nameScreen)).toContainText('Ana')
    await expect(total(page)).toHaveText(first)
    await page.reload()
    await screenIs(page, kind.summary)
    await expect(chosen(page, kind.nameScreen)).toContainText('Ana')
    const asked = page.waitForRequest('**/gateway*')
    await pressPay(page)
    expect((await asked).postDataJSON()).toMatchObject({ sender_name: 'Ana', support_amount_cents: 0 })
    await payWith(page, '4242424242424242', newAddress())
    await pressPay(other)
    await payWith(other, '4242424242424242', newAddress())
    for (const [tab, name] of [
      [page, 'Ana'],
      [other, 'Berta'],
    ] as const) {
      await expect(tab.locator('[data-bought]')).toHaveText(kind.bought(name))
      await tab.reload()
      await expect(tab.locator('[data-bought]')).toContainText(name)
    }
  })

  test(`a debit for the ${kind.name} waits, through a lost answer too, and becomes its links`, async ({
    page,
    site,
    watch,
  }) => {
    watch.expectFault(/status of 409|net::ERR/)
    const { sessionId } = await kind.pay(site, DEBIT)
    // Asked at once, and given to the page when it asks first: a page that is slow to open would come too late.
    const first = await postJson(site, `/api/ajuda/${kind.api}/success`, { stripe_session_id: sessionId })
    expect(first.status).toBe(409)
    const body = await first.text()
    let asked = 0
    await page.route(`**/api/ajuda/${kind.api}/success`, async route => {
      asked++
      if (asked === 1) await route.fulfill({ status: 409, contentType: 'application/problem+json', body })
      else if (asked === 2) await route.abort()
      else await route.continue()
    })
    await holdClock(page)
    await page.goto(`${success}?session_id=${sessionId}`)
    await expect(checkout(page)).toHaveAttribute('data-state', 'pending')
    await expect(checkout(page)).toContainText(said('es', `${kind.words}-pending-note`))
    await page.clock.runFor(2_000)
    await expect.poll(() => asked).toBe(2)
    await expect(checkout(page)).toHaveAttribute('data-state', 'pending')
    await page.clock.resume()
    await expect(checkout(page)).toHaveAttribute('data-state', 'ready', { timeout: 30_000 })
    await expect(page.locator('h1')).toHaveText(said('es', `${kind.words}-title-ready`))
  })

  test(`a debit for the ${kind.name} that fails offers paying anew first, with every choice kept`, async ({
    page,
    watch,
  }) => {
    watch.expectFault(/status of 409/)
    await kind.choose(page, 'Íñigo', 20)
    const price = await writtenTotal(page)
    const attempts: (string | undefined)[] = []
    page.on('request', request => {
      if (request.url().includes('/gateway')) attempts.push(request.headers()['idempotency-key'])
    })
    await pressPay(page)
    await payWith(page, FAILING_DEBIT, newAddress())
    await expect(checkout(page)).toHaveAttribute('data-state', 'unpaid', { timeout: 30_000 })
    await shot(page, `${kind.success}-unpaid`)
    await expectAccessible(page, `${kind.success}, unpaid`)
    // The one filled button pays; asking about what failed is a link, as is the way to other gifts.
    await expect(page.locator('.checkout .button')).toHaveCount(1)
    await expect(action(page, 'back')).toHaveAttribute('href', senderPath('es', kind.gifts))
    await expect(action(page, 'contact')).toHaveAttribute('href', /^mailto:/)
    await action(page, 'retry').click()
    await expect(page.locator('h1')).toBeFocused()
    await expect(checkout(page)).toHaveAttribute('data-state', 'unpaid')

    await action(page, 'pay-again').click()
    await screenIs(page, kind.summary)
    await expect(total(page)).toHaveText(price)
    await expect(chosen(page, kind.nameScreen)).toContainText('Íñigo')
    await pressPay(page)
    await payWith(page, '4242424242424242', newAddress())
    await expect(checkout(page)).toHaveAttribute('data-state', 'ready')
    expect(new Set(attempts).size).toBe(1)
    expect(attempts).toHaveLength(2)
    await shot(page, `${kind.success}-ready`)
  })

  test(`the mail of the ${kind.name} that did not go is asked for at a press, and a second copy is announced`, async ({
    page,
    site,
    context,
    watch,
  }) => {
    watch.expectFault(/status of 429/)
    await context.grantPermissions(['clipboard-write'])
    const { sessionId } = await kind.pay(site, '4242424242424242')
    const sends: unknown[] = []
    await page.route(`**/api/ajuda/${kind.api}/success`, async route => {
      const response = await route.fetch()
      await route.fulfill({ json: { ...(await response.json()), isConfirmationEmailSent: false } })
    })
    await page.route(`**/api/ajuda/${kind.api}/success/send-email`, async route => {
      sends.push(route.request().postDataJSON())
      await (sends.length > 1
        ? route.continue()
        : route.fulfill({
            status: 429,
            contentType: 'application/problem+json',
            body: JSON.stringify({ code: 'too-many-requests' }),
          }))
    })
    await page.goto(`${success}?session_id=${sessionId}`)
    await expect(page.locator('[data-mail="failed"]')).toContainText(said('es', 'problem-too-many-requests'))
    const asked = page.waitForResponse('**/send-email')
    await action(page, 'send-mail').click()
    expect((await asked).status()).toBe(200)
    await expect(page.locator('[data-mail]')).toHaveAttribute('data-mail', /sending|sent/)

    const heard = page.locator('.copied[role="status"]').first()
    await heard.evaluate(region => {
      const said: string[] = []
      Object.assign(globalThis, { said })
      new MutationObserver(() => said.push(region.textContent)).observe(region, {
        childList: true,
        characterData: true,
        subtree: true,
      })
    })
    for (let n = 0; n < 2; n++) {
      await action(page, 'copy').click()
      await expect(heard).toHaveText(said('es', 'donation-success-copied'))
    }
    const copied = said('es', 'donation-success-copied')
    await expect
      .poll(() => page.evaluate(() => (globalThis as unknown as { said: string[] }).said))
      .toEqual([copied, '', copied])
  })
}

test('another package, changed from the summary, asks for its support and then leads back', async ({
  page,
}) => {
  await goToPrepayment(page, { language: 'es', sender: 'Íñigo', support: 30 })
  await change(page, 'packages-donation')
  await atScreen(page, 'packages-donation')
  await page.keyboard.press('Shift')
  await page.locator('[data-package="their food"] label').click()
  await action(page, 'continue').click()
  await screenIs(page, 'donation-packages-support-amount')
  await page.reload()
  await screenIs(page, 'donation-packages-support-amount')
  await action(page, 'continue').click()
  await screenIs(page, 'donation-prepayment')
  await expect(chosen(page, 'packages-donation')).toContainText(said('es', 'package-food-title'))
  await expect(chosen(page, 'donation-sender-name')).toContainText('Íñigo')
  // The same package again leaves nothing open.
  await change(page, 'packages-donation')
  await atScreen(page, 'packages-donation')
  await action(page, 'continue').click()
  await screenIs(page, 'donation-prepayment')
})

test('an invitation says of no part of its price that we receive it', async ({ page }) => {
  await chooseInvitation(page, { language: 'es', sender: 'Íñigo', support: 20 })
  const ours = said('es', 'price-net')
  for (const screen of ['volunteering-prepayment', 'volunteering-packages-support-amount']) {
    await page.goto(senderPath('es', screen))
    await screenIs(page, screen)
    await expect(page.locator('[data-price="net"]')).toContainText(said('es', 'price-volunteering-net'))
    await expect(page.locator('main')).not.toContainText(ours)
  }
})
