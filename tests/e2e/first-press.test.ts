import { isLong } from '#tests/support/counts.ts'
import {
  buyManyThroughApi,
  buyThroughApi,
  giftPath,
  inviteThroughApi,
  invoiceThroughApi,
  redeemThroughApi,
} from '#tests/support/e2e/api.ts'
import { holdCode } from '#tests/support/e2e/built-code.ts'
import { senderPath } from '#tests/support/e2e/buyer.ts'
import { invitationScreens, receiverScreens, senderScreens } from '#tests/support/e2e/every-screen.ts'
import {
  comeAndPress,
  type FirstPress,
  invitationPresses,
  middleOf,
  orderPresses,
  POINTERS,
  pressAt,
  receiverPresses,
  senderPresses,
  successPresses,
  usedPress,
  walk,
} from '#tests/support/e2e/first-press.ts'
import { splitAs } from '#tests/support/e2e/recipient.ts'
import { action, atScreen, screenIs } from '#tests/support/e2e/screens.ts'
import type { Site } from '#tests/support/e2e/server.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LOCALES } from '#tests/support/e2e/words.ts'

// Everything moves, as it does for most visitors, and it is a place of the screen that is pressed.
test.use({ locale: LOCALES.es, hasTouch: true })

const NEXT = '[data-action="continue"]'
const CHAIN = '[data-kind]:not([hidden]) label'

/** How long after a screen's first paint it is pressed, ms: all within the fade. */
const MOMENTS = [50, 150, 400, 800] as const
const EVERY_WAY = POINTERS.flatMap(pointer => MOMENTS.map(ms => [pointer, ms] as const))
/** Both pointers and every moment, half of the pairs. */
const FEWER = EVERY_WAY.filter((_, index) => (index + Math.floor(index / MOMENTS.length)) % 2 === 0)
/** Usually a screen is pressed once, in its first frames. */
const USUALLY = [
  ['touch', 50],
  ['mouse', 50],
  ['touch', 150],
  ['mouse', 150],
] as const
/** One of each kind: plain markup, a screen with React before and after its code has come, links, the story. */
const PRESSED_EVERY_WAY =
  /^(choose-theme|donation-sender-name|donation-prepayment|packages-donation|cookies-settings|introduction-2|select-ngo, list|invitation, introduction-10)$/

async function everyPress(site: Site): Promise<FirstPress[]> {
  const card = await buyThroughApi(site)
  const invitation = await inviteThroughApi(site)
  const used = await buyThroughApi(site)
  await redeemThroughApi(site, used.privateKey, { 'ngo-msf': 20, 'ngo-irc': 10 })
  return [
    ...senderPresses(),
    ...receiverPresses(card),
    usedPress(used),
    ...invitationPresses(invitation),
    ...successPresses({ gift: card, invitation }),
    ...orderPresses({
      invoice: await invoiceThroughApi(site, 'Aina\nBiel'),
      many: await buyManyThroughApi(site, 'Aina\nBiel'),
    }),
  ]
}

const PARTS = isLong ? 12 : 4
for (let part = 0; part < PARTS; part++) {
  test(`every screen takes a press in its first second, from number ${part + 1} on each ${PARTS}th`, async ({
    page,
    site,
    watch,
  }) => {
    test.setTimeout(isLong ? 900_000 : 240_000)
    watch.expectFault(/status of (404|422)/)
    const presses = await everyPress(site)
    await page.goto(senderPath('es', 'lost-link'))
    for (const [index, press] of presses.entries()) {
      if (index % PARTS !== part) continue
      const ways = isLong ? EVERY_WAY : PRESSED_EVERY_WAY.test(press.name) ? FEWER : [USUALLY[index % 4]!]
      for (const [pointer, ms] of ways)
        await test.step(`${press.name}, ${pointer}, ${ms} ms`, () => comeAndPress(page, press, pointer, ms))
    }
  })
}

test('no screen is left out', async ({ site }) => {
  const names = (await everyPress(site)).map(({ name }) => name)
  const card = await buyThroughApi(site)
  const screens = [
    ...senderScreens('es'),
    ...receiverScreens(card),
    ...invitationScreens('es', await inviteThroughApi(site)),
  ]
  const others = screens.map(({ name }) => name).filter(name => !names.includes(name))
  expect(others).toEqual([
    // It leads on by itself.
    'entry',
    // These come after a press of the screen that they are part of, in tests of their own.
    'is-this-real, unknown',
    'select-ngo, confirm',
    'wish, noted',
    'own-money, review',
    'invitation, accepted',
  ])
})

/** What a buyer in euros agrees to before the payment. */
const CONSENT = '[data-consent="fulfilment"]'

/** Its first screen is a page that the visitor has come to; each of the others comes by a press on the one before. */
const LONG_WAY = (
  [
    ['cookies-settings', '[data-action="reject"]'],
    ['', '[data-action="skip"]'],
    ['choose-theme', '[data-theme-choice="lebanon"] label', NEXT],
    ['choose', '[data-gift-kind="donation"] label', NEXT],
    ['gift-card-design-donation', '[data-action="skip"]'],
    ['how-it-works-donation', NEXT],
    ['ngo-list', NEXT],
    ['donation-sender-name', '[data-sender="anonymous"] label', NEXT],
    // The first of them shows what is still to come: nobody chooses what they have not seen.
    ['packages-donation', CHAIN, CHAIN, NEXT],
    ['donation-packages-support-amount', NEXT],
    ['donation-prepayment', CONSENT, '[data-action="pay"]'],
  ] as const
).map(([screen, ...controls]) => [senderPath('es', screen).replace(/\/$/, ''), ...controls] as const)

for (const pointer of POINTERS) {
  test.describe(`by ${pointer}`, () => {
    test.use({ viewport: { width: 390, height: 1_800 } })

    test('a buyer who presses at once comes from the first question to the payment', async ({ page }) => {
      await page.goto('/es')
      await walk(page, LONG_WAY, pointer, 50)
      await atScreen(page, 'hosted-payment')
      await pressAt(page, pointer, await middleOf(page, '[data-action="pay"]'))
      await expect(page.locator('#email-error')).toBeVisible()
    })
  })

  test(`Skip is taken while the screen before it still dissolves, by ${pointer}`, async ({ page }) => {
    await page.goto('/gift-card/giftcard-try/introduction-1/final')
    await atScreen(page, 'introduction-1')
    await pressAt(page, pointer, { x: 60, y: 600 })
    for (const [screen, next] of [
      ['introduction-2', 'introduction-4'],
      ['introduction-4', 'introduction-5'],
    ] as const) {
      await expect(page.locator('main')).toHaveAttribute('data-screen', screen)
      await pressAt(page, pointer, await middleOf(page, '[data-action="skip"]'))
      await atScreen(page, next)
    }
  })

  test(`a screen takes presses while its panel still slides away, by ${pointer}`, async ({ page }) => {
    await page.goto(senderPath('es', 'choose'))
    await screenIs(page, 'choose')
    const below = await middleOf(page, '[data-gift-kind="volunteering"] label')
    await page.locator('.page-foot [data-panel="share"]').click()
    await expect(page.locator('dialog.panel')).toBeVisible()
    await page
      .locator('dialog.panel')
      .evaluate(panel => Promise.all(panel.getAnimations().map(({ finished }) => finished)))
    await pressAt(page, pointer, await middleOf(page, '.panel-close'))
    await pressAt(page, pointer, below)
    await expect(page.locator('[value="volunteering"]')).toBeChecked()
  })

  test(`presses are kept while a screen’s code is on its way, by ${pointer}`, async ({ page, site }) => {
    const press = async (control: string, times = 1, across = 0.5): Promise<void> => {
      const { x, y, width, height } = (await page.locator(control).boundingBox())!
      for (let time = 0; time < times; time++)
        await pressAt(page, pointer, { x: x + width * across, y: y + height / 2 })
    }
    await test.step('an option of a form', async () => {
      // Its script stands in the page: early-press.test.ts presses before it has run.
      await page.goto(senderPath('es', 'ngo-list'))
      await page.evaluate(() => localStorage.setItem('gift:package', 'their water'))
      await page.goto(senderPath('es', 'donation-sender-name'), { waitUntil: 'commit' })
      await press('[data-sender="anonymous"] label')
      await expect(page.locator('[value="anonymous"]')).toBeChecked()
    })
    await test.step('the slider of the support', async () => {
      const letCome = await holdCode(page, 'support-amount')
      await page.goto(senderPath('es', 'donation-packages-support-amount'), { waitUntil: 'commit' })
      await press('#support', 1, 0.8)
      await letCome()
      await expect(page.locator('.support-amount')).toHaveText('40 €')
      await action(page, 'continue').click()
      await expect(page.locator('[data-price="total"] dd, .figure').first()).toBeVisible()
      expect(await page.evaluate(() => sessionStorage.getItem('gift:support'))).toBe('80')
    })
    await test.step('the payment, which a second press does not open twice', async () => {
      const letCome = await holdCode(page, 'prepayment')
      const opened: string[] = []
      page.on('request', request => {
        if (request.url().includes('/gateway')) opened.push(request.url())
      })
      await page.goto(senderPath('es', 'donation-prepayment'), { waitUntil: 'commit' })
      // It stands below the window at first.
      await page.locator(CONSENT).evaluate(box => box.scrollIntoView({ block: 'center' }))
      await press(CONSENT)
      await press('[data-action="pay"]', 2)
      await letCome()
      await atScreen(page, 'hosted-payment')
      expect(opened).toHaveLength(1)
    })
    await test.step('anywhere on the hint before the list', async () => {
      const letCome = await holdCode(page, 'select-ngo')
      const { privateKey } = await buyThroughApi(site)
      await page.evaluate(() => sessionStorage.setItem('gift:opened', '1'))
      await page.goto(giftPath(privateKey, 'select-ngo'), { waitUntil: 'commit' })
      await press('.split-hint h1')
      await expect(page.locator('#split-form')).toBeVisible()
      await letCome()
      await expect(page.locator('section.split')).toBeVisible()
    })
  })

  test(`the confirm view takes a press at once, by ${pointer}`, async ({ page, site }) => {
    const { publicKey } = await buyThroughApi(site)
    await page.addInitScript(() => sessionStorage.setItem('gift:opened', '1'))
    await page.goto(giftPath(publicKey, 'select-ngo', 'preview'))
    await splitAs(page, { 'ngo-msf': 50 })
    await pressAt(page, pointer, await middleOf(page, '[data-action="confirm"]'))
    await atScreen(page, 'thanks')
  })
}

test('a second tap that was meant for the opener leaves its panel open', async ({ page }) => {
  await page.goto(senderPath('es', 'choose'))
  await screenIs(page, 'choose')
  // The panel stands at the side there, and the opener beside it.
  await page.setViewportSize({ width: 1_280, height: 844 })
  const opener = await middleOf(page, '.page-foot [data-panel="share"]')
  await page.mouse.click(opener.x, opener.y)
  await expect(page.locator('dialog.panel')).toBeVisible()
  await page.mouse.down({ clickCount: 2 })
  await page.mouse.up({ clickCount: 2 })
  await expect(page.locator('dialog.panel[open]')).toBeVisible()
})
