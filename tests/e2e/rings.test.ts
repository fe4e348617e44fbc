import { isLong } from '#tests/support/counts.ts'
import {
  buyManyThroughApi,
  buyThroughApi,
  inviteThroughApi,
  invoiceThroughApi,
  openThroughApi,
  redeemThroughApi,
} from '#tests/support/e2e/api.ts'
import { pressPay, senderPath, standAtPrepayment } from '#tests/support/e2e/buyer.ts'
import {
  invitationScreens,
  invoiceScreens,
  mailedScreens,
  manyScreens,
  newsletterScreens,
  panelScreens,
  positionScreen,
  receiverScreens,
  type Screen,
  senderScreens,
  successScreen,
  usedScreen,
  wellKnownVisitor,
} from '#tests/support/e2e/every-screen.ts'
import { readMail } from '#tests/support/e2e/inbox.ts'
import { unseenRings } from '#tests/support/e2e/rings.ts'
import { action, atScreen, screenIs, tryAction } from '#tests/support/e2e/screens.ts'
import type { Site } from '#tests/support/e2e/server.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LOCALES } from '#tests/support/e2e/words.ts'

/** Six themes, and colours of the visitor's own, which no theme has a say in. */
const LOOKS = [
  ...(isLong
    ? (['palestine', 'lebanon', 'ukraine', 'christmas', 'blueText', 'greenText'] as const)
    : (['ukraine', 'christmas'] as const)
  ).map(theme => ({ name: `in ${theme}`, theme, forcedColors: 'none' }) as const),
  { name: 'in colours of the visitor’s own', theme: 'palestine', forcedColors: 'active' } as const,
]

/** The long run looks at every screen in every look, the usual one at every screen in one of them. */
const APART = isLong ? 1 : LOOKS.length

/** What the tables of every screen leave out: stand-ins, what is open, missing or refused. */
function otherScreens(site: Site): Screen[] {
  return [
    {
      name: 'lost-link',
      open: async page => {
        await page.goto(senderPath('es', 'lost-link'))
        await atScreen(page, 'lost-link')
      },
    },
    {
      name: 'packages-donation, open and nothing chosen',
      open: async page => {
        await page.goto(senderPath('es', 'packages-donation'))
        await screenIs(page, 'packages-donation')
        await page.locator('details.switch summary').click()
        await action(page, 'currency').click()
      },
    },
    {
      name: 'donation-prepayment, failed',
      open: async page => {
        await standAtPrepayment(page, { language: 'es' })
        await page.route('**/gateway*', route => route.fulfill({ status: 502, body: '' }))
        await pressPay(page)
        await expect(action(page, 'pay')).toHaveAttribute('data-retries', '1')
      },
    },
    {
      name: 'poll-ngo, with what is missing',
      open: async page => {
        await page.goto(senderPath('es', 'poll-ngo'))
        await screenIs(page, 'poll-ngo')
        await tryAction(page, 'continue')
      },
    },
    {
      name: 'hosted-payment',
      open: async page => {
        await page.goto((await openThroughApi(site)).url)
        await atScreen(page, 'hosted-payment')
      },
    },
    {
      name: 'hosted-payment, refused',
      open: async page => {
        await page.goto((await openThroughApi(site)).url)
        await action(page, 'pay').click()
        await expect(page.locator('#email-error')).toBeVisible()
      },
    },
    {
      name: 'mail',
      open: async page => {
        await readMail(page, (await buyThroughApi(site)).email)
      },
    },
    { name: 'mail, list', open: async page => void (await page.goto('/_local/mail')) },
  ]
}

/** Every screen there is, in this theme. */
async function everyScreen(site: Site, theme: string): Promise<Screen[]> {
  const card = await buyThroughApi(site, { theme, sender: 'Íñigo' })
  const used = await buyThroughApi(site, { theme })
  await redeemThroughApi(site, used.privateKey, { 'ngo-msf': 20, 'ngo-irc': 10 })
  return [
    ...senderScreens('es'),
    ...panelScreens('es'),
    successScreen('es', card.sessionId),
    ...receiverScreens(card),
    usedScreen(used),
    ...invitationScreens('es', await inviteThroughApi(site, { theme })),
    ...newsletterScreens('es'),
    ...manyScreens('es', await buyManyThroughApi(site, 'Aina\nBiel')),
    ...invoiceScreens('es', await invoiceThroughApi(site, 'Aina\nBiel')),
    ...mailedScreens('es', card.email),
    ...otherScreens(site),
    // Last, since it answers the consent question.
    positionScreen('es'),
  ]
}

for (const [number, { name, theme, forcedColors }] of LOOKS.entries()) {
  test.describe(name, () => {
    test.use({ locale: LOCALES.es, contextOptions: { reducedMotion: 'reduce', forcedColors } })

    test('whatever Tab comes to has a ring that is seen, and nothing above it', async ({
      page,
      site,
      watch,
    }) => {
      test.setTimeout(isLong ? 600_000 : 300_000)
      watch.expectFault(/status of (404|422|502)/)
      // The sheet of a mail, which keeps nothing.
      watch.expectFault(/document is sandboxed/)
      await wellKnownVisitor(page)
      await page.addInitScript(chosen => localStorage.setItem('gift:theme', chosen), theme)
      const seen = new Set<string>()
      for (const [index, screen] of (await everyScreen(site, theme)).entries()) {
        const isLookedAt = index % APART === number % APART
        if (isLookedAt || screen.changes) await screen.open(page)
        if (isLookedAt) expect(await unseenRings(page, seen), screen.name).toEqual([])
      }
      // As many kinds of controls as there are, more or less: else the way by Tab has ended early.
      expect(seen.size).toBeGreaterThan(120 / APART)
    })
  })
}
