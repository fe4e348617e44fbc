import type { Page } from '@playwright/test'
import { DAY_MS } from '#domain/durations.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { createPayout, markPaid } from '#server/modules/payouts/payouts.ts'
import { bookMovement } from '#server/modules/treasury/book.ts'
import type { Database } from '#server/platform/db/database.ts'
import { noonDaysAgo, sellCard, testKeys } from '#tests/builders/server.ts'
import { giftPath } from '#tests/support/e2e/api.ts'
import { ANNOUNCED_AT, createDrawnLedger, SOLD_AT } from '#tests/support/e2e/drawn-ledger.ts'
import { expect, ledgerTest } from '#tests/support/e2e/ledger-site.ts'
import { action, atScreen } from '#tests/support/e2e/screens.ts'
import { STILL } from '#tests/support/e2e/test.ts'
import { LANGUAGES, type Language, LOCALES, said } from '#tests/support/e2e/words.ts'

const NGOS = ['msf', 'cerf']
const TERMS = { term_months: 12, reminder_days: '[30,7]' }
const UNUSED = { ...TERMS, created_at: SOLD_AT, settled_at: SOLD_AT }
/** When the other cards are sold, shared out and paid: published with the announcements. */
const SHARED_AT = noonDaysAgo(70)
const SHARED = { ...TERMS, created_at: SHARED_AT, settled_at: SHARED_AT }

const test = ledgerTest(aYear)
test.describe.configure({ mode: 'serial' })

/**
 * A year of the site: cards shared out, one organisation paid and one that waits, a fee, and cards that nobody used, drawn
 * for and published.
 * @returns the public key of a card that was shared out
 */
async function aYear(db: Database, url: string): Promise<string> {
  const { tools, draw } = createDrawnLedger({ db, url, ngoIds: NGOS })
  for (let n = 0; n < 3; n++) await db.transaction(trx => sellCard(trx, UNUSED))
  const points = [
    { ngoId: 'msf', points: 30 },
    { ngoId: 'cerf', points: 20 },
  ]
  const cards = createCards({ ...tools, clock: () => SHARED_AT })
  let publicKey = ''
  for (let n = 0; n < 20; n++) {
    const card = await db.transaction(trx => sellCard(trx, SHARED))
    await cards.redeem(card.privateKey, points)
    publicKey = card.publicKey
    const fee = {
      kind: 'charge',
      type: 'charge',
      currency: 'EUR',
      amount: 5_500,
      fee: 110,
      net: 5_390,
    } as const
    const more = {
      charged_currency: 'EUR',
      charged_amount: 5_500,
      exchange_rate: null,
      fee_details: '[]',
    } as const
    const of = {
      source_id: null,
      charge_id: null,
      order_id: card.orderId,
      created_at: SHARED_AT,
      available_at: SHARED_AT,
    }
    await db.transaction(trx =>
      bookMovement(trx, testKeys, { id: `txn_${n}`, ...fee, ...more, ...of }, SHARED_AT),
    )
  }
  const payout = await createPayout(db, { ngoId: 'msf', currency: 'EUR' }, SHARED_AT)
  await markPaid(db, { id: payout.id, reference: 'SEPA 1' }, SHARED_AT)
  await draw()
  return publicKey
}

async function follow(page: Page, language: Language, key: string): Promise<void> {
  await page
    .getByRole('link', { name: said(language, key) })
    .first()
    .click()
}

test('whoever starts at the front page finds where the money is, what waits, who bore the fees, and the draws', async ({
  visitor,
  prepared: publicKey,
}) => {
  for (const language of LANGUAGES) {
    const page = await visitor({ locale: LOCALES[language], ...STILL.contextOptions })
    const seen = (key: string) => expect(page.getByText(said(language, key)).first()).toBeVisible()
    await page.goto(`/${language}`)
    const who = `/${language}/who-we-are`
    await expect(page.locator(`.page-foot a[href="${who}"]`)).toBeVisible()
    await page.goto(who)
    await follow(page, language, 'transparency-title')
    await atScreen(page, 'transparency')
    // What waits how long: of the day before it was published, as are cards of many days together.
    const days = Math.floor((Date.now() - ANNOUNCED_AT) / DAY_MS)
    await seen('transparency-waiting')
    await expect(page.getByRole('row', { name: /^cerf/ })).toContainText(new RegExp(`${days}|${days + 1}`))
    await expect(page.getByRole('row', { name: /^msf/ }).first()).toBeVisible()
    // Who bore the fees, and what has to be believed.
    await seen('transparency-fees-title')
    await expect(page.getByText(/22[.,]00/).first()).toBeVisible()
    await seen('transparency-read-believe')
    // Where one gift is.
    await seen('transparency-read-own')
    // How unused cards were drawn.
    await follow(page, language, 'ledger-draw-title')
    await atScreen(page, 'ledger')
    await expect(page.locator('#draws')).toBeInViewport()
    await expect(page.locator('.draws tbody tr')).toHaveCount(3)
    await seen('ledger-not-draws')
    await expectNoOverflow(page)
    await page.locator('.draws button').first().click()
    await expect(page.locator('[data-said-of-draws]')).toContainText(/msf|cerf/, { timeout: 30_000 })
    await expectNoOverflow(page)
    await page.goto(giftPath(publicKey, 'thanks', 'preview'))
    await atScreen(page, 'thanks')
    await action(page, 'passport').click()
    await page.locator('[data-action="check-my-line"]').click()
    await expect(page.locator('[data-said-of-line]')).toContainText(/\d/)
  }
})

/** At the widths of small phones and of a desk nothing has to be pushed aside. */
async function expectNoOverflow(page: Page): Promise<void> {
  for (const width of [320, 1280, 390]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    )
  }
}
