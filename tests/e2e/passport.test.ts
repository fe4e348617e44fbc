import type { Page } from '@playwright/test'
import { dayOf, monthOf } from '#domain/dates.ts'
import { dayAfter, dayInUtc } from '#domain/days.ts'
import { MOST_IN_LEAF } from '#domain/public-ledger/batches.ts'
import { originOf } from '#domain/public-ledger/checkpoint.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { createPayout, markPaid } from '#server/modules/payouts/payouts.ts'
import { sequenceDays } from '#server/modules/public-ledger/sequence.ts'
import { createSigner } from '#server/modules/public-ledger/signer.ts'
import type { Database } from '#server/platform/db/database.ts'
import { boughtAt, giveFreeCard, noonDaysAgo, sellCard, testKeys } from '#tests/builders/server.ts'
import { giftPath } from '#tests/support/e2e/api.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { bytesOnTheWire, expect, LEDGER_KEY, ledgerTest } from '#tests/support/e2e/ledger-site.ts'
import { action, atScreen } from '#tests/support/e2e/screens.ts'
import { LOCALES, said } from '#tests/support/e2e/words.ts'
import { RECEIPTS_KEY } from '#wire/browser-names.ts'

const NGOS = ['ngo-msf', 'ngo-wfp']
/** Long enough ago to be published, and so short that nothing of it was forgotten. */
const SOLD_AT = noonDaysAgo(60)
const SOLD_ON = dayOf(SOLD_AT, 'en')
/** The same where a space may be one that does not break. */
const SOLD_ON_PATTERN = SOLD_ON.replaceAll(/\s/g, '\\s')
/** What checking one line may cost a visitor (docs/decisions/0109-the-longest-line-of-the-ledger.md). */
const LINE_CHECK_BYTES = 15 * 1024
/** What a log of a hundred thousand lines has more, and one with two witnesses: hashes of ten levels, two lines of the head. */
const MORE_OF_A_LONG_LOG = 10 * 45 + 2 * 140

interface Given {
  readonly privateKey: string
  readonly publicKey: string
  readonly receipt: string
  readonly free: { readonly publicKey: string }
  /** Opens what the recipient chose. */
  readonly nonce: string
  /** The longest line of the ledger, from 1. */
  readonly line: number
}

const test = ledgerTest(giveAndPublish)
test.describe.configure({ mode: 'serial' })
test.use({ locale: LOCALES.en })

/** As many cards as a line can hold shared out, one organisation paid, and a free card that nobody used: published with their day over. */
async function giveAndPublish(db: Database, url: string): Promise<Given> {
  const cards = createCards({ db, keys: testKeys, clock: () => SOLD_AT, listedNgoIds: () => NGOS })
  const points = [
    { ngoId: 'ngo-msf', points: 30 },
    { ngoId: 'ngo-wfp', points: 20 },
  ]
  const free = await db.transaction(trx => giveFreeCard(trx, SOLD_AT))
  let last: Omit<Given, 'free' | 'nonce' | 'line'> & { cardId: string } = {
    cardId: '',
    privateKey: '',
    publicKey: '',
    receipt: '',
  }
  for (let n = 0; n < MOST_IN_LEAF; n++) {
    const card = await db.transaction(trx => sellCard(trx, boughtAt(SOLD_AT)))
    last = { ...card, receipt: (await cards.redeem(card.privateKey, points)).receiptKey! }
  }
  const payout = await createPayout(db, { ngoId: 'ngo-msf', currency: 'EUR' }, SOLD_AT)
  await markPaid(db, { id: payout.id, reference: 'SEPA 1' }, SOLD_AT)
  const signer = createSigner(LEDGER_KEY, originOf(url))
  await sequenceDays({ db, clock: Date.now, signer, draw: count => count - 1 }, async () => {})
  const { nonce, seq } = await db.read(reader =>
    reader
      .selectFrom('ledger_nonces')
      .innerJoin('ledger_leaf_entries', 'ledger_leaf_entries.entry_id', 'ledger_nonces.entry_id')
      .select(['nonce', 'seq'])
      .where('ledger_nonces.entry_id', '=', `redemption:${last.cardId}`)
      .executeTakeFirstOrThrow(),
  )
  return { ...last, free, nonce, line: seq + 1 }
}

const rowOf = (page: Page, name: string) =>
  page.locator('[data-passport] tr', { has: page.getByRole('rowheader', { name, exact: true }) })
const checkLine = (page: Page, name: string) => rowOf(page, name).locator('[data-action]').click()
/** The browser is the one in which the card was used. */
const keepReceipt = (page: Page, privateKey: string, receipt: string) =>
  page.addInitScript(
    ([name, card, kept]) => localStorage.setItem(name!, JSON.stringify([{ card, receipt: kept }])),
    [RECEIPTS_KEY, privateKey.slice(-8), receipt],
  )
const saidOfLine = (page: Page) => page.locator('[data-said-of-line]')

async function openPassport(page: Page, path: string, screen: string): Promise<void> {
  await page.goto(path)
  await atScreen(page, screen)
  await action(page, 'passport').click()
}

test('the giver sees where the gift is, checks the payment, and nothing of what was chosen', async ({
  page,
  prepared: given,
}) => {
  const { publicKey, privateKey, nonce, free } = given
  for (const [path, screen] of [
    [giftPath(publicKey, 'thanks', 'preview'), 'thanks'],
    [giftPath(privateKey, 'consumed'), 'consumed'],
  ] as const) {
    const html = await (await page.request.get(path)).text()
    expect(html).not.toContain(nonce)
    expect(html.slice(html.indexOf('data-passport'))).not.toMatch(/ngo-msf|ngo-wfp/)
    await openPassport(page, path, screen)
    await expect(rowOf(page, 'Paid')).toContainText(SOLD_ON)
    await expect(rowOf(page, 'Used')).toContainText(monthOf(SOLD_AT, 'en'))
    await expect(rowOf(page, 'Your choice')).toHaveCount(0)
    await checkLine(page, 'Paid')
    await expect(saidOfLine(page)).toHaveText(
      new RegExp(`^Line \\d+ stands in the signed ledger, and it is this gift’s: ${SOLD_ON_PATTERN}\\.$`),
    )
    // A press beside the button does not lead away.
    await rowOf(page, 'Used').click()
    await atScreen(page, screen)
  }
  await openPassport(page, giftPath(free.publicKey, 'thanks', 'preview'), 'thanks')
  await expect(rowOf(page, 'To be given by')).toContainText(String(new Date(SOLD_AT).getUTCFullYear() + 1))
  await checkLine(page, 'Paid by a campaign')
  await expect(saidOfLine(page)).toHaveText(/it is this gift’s/)
})

test('the recipient sees each organization and its transfer, and opens the own part of the sum', async ({
  page,
  prepared: { privateKey, receipt },
}) => {
  await keepReceipt(page, privateKey, receipt)
  await openPassport(page, giftPath(privateKey, 'consumed'), 'consumed')
  const rows = page.locator('[data-passport] tbody tr')
  await expect(rows).toHaveCount(5)
  await expect(rows.nth(3)).toContainText(
    new RegExp(`€30\\.00, paid on ${SOLD_ON_PATTERN} by transfer \\w{26}`),
  )
  await expect(rows.nth(4)).toContainText('€20.00, waiting for its transfer')
  await checkLine(page, 'Your choice')
  await expect(saidOfLine(page)).toHaveText(/it is this gift’s: /)
  await rows.nth(3).locator('[data-action]').click()
  await expect(saidOfLine(page)).toHaveText(/Many gifts have a part in it\.$/)
  await expectAccessible(page, 'the passport')
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    )
  }
})

test('a line of another card, a changed file and a missing line are told apart', async ({
  page,
  watch,
  prepared: { publicKey },
}) => {
  watch.expectFault(/500|404.*ledger\/proof\/998/)
  await openPassport(page, giftPath(publicKey, 'thanks', 'preview'), 'thanks')
  const button = rowOf(page, 'Paid').locator('[data-action]')
  const own = JSON.parse((await button.getAttribute('data-line')) ?? '') as { number: number; nonce: string }
  for (const [changed, says] of [
    [{ ...own, nonce: 'ab'.repeat(32) }, /Something is not as it must be.*is not of this card$/],
    [{ ...own, number: own.number === 1 ? 2 : own.number - 1 }, /is not of this card$/],
    [{ ...own, number: 999 }, /^Line 999 is not in the published ledger/],
    [own, /it is this gift’s/],
  ] as const) {
    await button.evaluate((element, line) => element.setAttribute('data-line', line), JSON.stringify(changed))
    await button.click()
    await expect(saidOfLine(page)).toHaveText(says)
  }
  for (const [status, says] of [
    [200, /the line is not the one that was signed$/],
    [500, /cannot be read just now/],
  ] as const) {
    await page.route('**/ledger/proof/**', async route => {
      if (status === 500) return route.fulfill({ status, body: '' })
      const bytes = await (await route.fetch()).body()
      const sold = dayInUtc(SOLD_AT)
      bytes.write(dayAfter(sold), bytes.indexOf(sold))
      return route.fulfill({ body: bytes })
    })
    await button.click()
    await expect(saidOfLine(page)).toHaveText(says)
    await page.unroute('**/ledger/proof/**')
  }
})

test('the longest line is checked with few bytes, and without a browser that knows the signature too', async ({
  visitor,
  prepared: { privateKey, receipt },
}) => {
  for (const knows of [true, false]) {
    const page = await visitor({ locale: LOCALES.en })
    if (!knows) await page.addInitScript(() => Object.defineProperty(crypto, 'subtle', { value: undefined }))
    await keepReceipt(page, privateKey, receipt)
    await openPassport(page, giftPath(privateKey, 'consumed'), 'consumed')
    const bytes = await bytesOnTheWire(page)
    await checkLine(page, 'Your choice')
    await expect(saidOfLine(page)).toHaveText(/it is this gift’s/)
    // The script that checks, the head, the line and its proof: as they are sent, headers and all.
    const asked = bytes.read()
    expect(asked.some(({ url }) => /ed25519/.test(url))).toBe(!knows)
    if (knows) expectFewBytes(asked)
    expect(asked.filter(({ url }) => /ledger\/(tile|checkpoint)/.test(url))).toEqual([])
  }
})

test('the longest line is checked with few bytes from the page of the ledger too', async ({
  visitor,
  prepared: given,
}) => {
  const page = await visitor({ locale: LOCALES.en })
  await page.goto('/en/ledger')
  await atScreen(page, 'ledger')
  await page.getByRole('textbox', { name: 'Number of the line' }).fill(String(given.line))
  const bytes = await bytesOnTheWire(page)
  await page.getByRole('button', { name: 'Check the line' }).click()
  await expect(page.locator('[data-said-of-line]')).toContainText('Cards shared out')
  expectFewBytes(bytes.read())
})

function expectFewBytes(asked: readonly { readonly bytes: number }[]): void {
  const bytes = asked.reduce((sum, each) => sum + each.bytes, 0)
  expect(bytes).toBeGreaterThan(5_000)
  expect(bytes + MORE_OF_A_LONG_LOG).toBeLessThanOrEqual(LINE_CHECK_BYTES)
}

test('without scripts the stations are there, and no button that does nothing', async ({
  visitor,
  prepared: { publicKey },
}) => {
  for (const language of ['es', 'fr'] as const) {
    const page = await visitor({ javaScriptEnabled: false, locale: LOCALES[language] })
    await openPassport(page, giftPath(publicKey, 'thanks', 'preview'), 'thanks')
    await expect(rowOf(page, said(language, 'passport-paid'))).toContainText(/\d+/)
    await expect(rowOf(page, said(language, 'passport-used'))).toContainText(monthOf(SOLD_AT, language))
    await expect(page.locator('[data-action="check-my-line"]').first()).toBeHidden()
  }
})
