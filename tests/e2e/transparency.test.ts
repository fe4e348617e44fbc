import { dayOf, shortMonthOf } from '#domain/dates.ts'
import { dayAfter, dayInUtc } from '#domain/days.ts'
import { bytesOf, toBase64 } from '#domain/public-ledger/bytes.ts'
import { originOf } from '#domain/public-ledger/checkpoint.ts'
import { leafHash, rootOf } from '#domain/public-ledger/tree.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { createPayout, markPaid } from '#server/modules/payouts/payouts.ts'
import { sequenceDays } from '#server/modules/public-ledger/sequence.ts'
import { createSigner } from '#server/modules/public-ledger/signer.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { boughtAt, noonDaysAgo, sellCard, testKeys } from '#tests/builders/server.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { expect, LEDGER_KEY, ledgerTest } from '#tests/support/e2e/ledger-site.ts'
import { atScreen } from '#tests/support/e2e/screens.ts'
import type { RunningSite } from '#tests/support/e2e/server.ts'
import { LOCALES, said } from '#tests/support/e2e/words.ts'
import { sha256 } from '#tests/support/public-log.ts'

const NGOS = ['msf', 'cerf']
/** Long enough ago to be published, and so short that no card is due. */
const SOLD_AT = noonDaysAgo(60)
const SOLD_ON = dayInUtc(SOLD_AT)

/** It begins with nothing. */
const test = ledgerTest(async () => {})
test.describe.configure({ mode: 'serial' })

/** The lines of the ledger, as they are served. */
async function lines(own: RunningSite): Promise<readonly string[]> {
  const db = await openDatabase({ dataDir: own.dataDir, databaseUrl: undefined })
  const rows = await db.read(reader =>
    reader.selectFrom('ledger_leaves').select('leaf').orderBy('seq').execute(),
  )
  await db.close()
  return rows.map(({ leaf }) => leaf)
}

/**
 * Twenty-one cards of 50 euros, twenty of them shared out, and one organisation paid: published with their day over.
 * @returns what may stand nowhere in public
 */
async function giveAndPublish(own: RunningSite): Promise<readonly string[]> {
  const canaries: string[] = []
  const db = await openDatabase({ dataDir: own.dataDir, databaseUrl: undefined })
  const clock = () => SOLD_AT
  const cards = createCards({ db, keys: testKeys, clock, listedNgoIds: () => NGOS })
  for (let n = 0; n < 21; n++) {
    const { privateKey, publicKey, cardId, orderId } = await db.transaction(trx =>
      sellCard(trx, boughtAt(SOLD_AT)),
    )
    canaries.push(privateKey, publicKey, cardId, orderId)
    const points = [
      { ngoId: 'msf', points: 30 },
      { ngoId: 'cerf', points: 20 },
    ]
    if (n > 0) await cards.redeem(privateKey, points)
  }
  const payout = await createPayout(db, { ngoId: 'msf', currency: 'EUR' }, SOLD_AT)
  await markPaid(db, { id: payout.id, reference: 'SEPA 1' }, SOLD_AT)
  const signer = createSigner(LEDGER_KEY, originOf(own.url))
  await sequenceDays({ db, clock: Date.now, signer, draw: count => count - 1 }, async () => {})
  await db.close()
  return [...canaries, 'buyer@example.org', 'Aina']
}

test('before the first gift the page says when there will be something to see', async ({ page }) => {
  await page.goto('/es/who-we-are')
  await page.getByRole('link', { name: said('es', 'transparency-title') }).click()
  await atScreen(page, 'transparency')
  await expect(page.getByText(said('es', 'transparency-none'))).toBeVisible()
  // How the site is stands there from the start.
  await expect(page.getByRole('table')).toHaveCount(1)
  await expect(page.getByRole('row', { name: said('es', 'transparency-status-site') })).toBeVisible()
})

test('whoever wonders reads where the money is, finds what waits, and has the same as a file', async ({
  page,
  own,
  visitor,
}) => {
  let canaries: readonly string[] = []
  await own.crashAndRestart(async () => {
    canaries = await giveAndPublish(own)
  })
  await page.goto('/en/transparency')
  await expect(page.getByRole('heading', { name: '€1,155.00 paid' })).toBeVisible()
  await expect(page.getByText('Gifts bought: 21. Free cards: 0. Cards shared out: 20.')).toBeVisible()
  const rowOf = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) })
  for (const [name, amount] of [
    ['On cards', '€50.00'],
    ['Shared out, not yet paid', '€400.00'],
    ['Paid to organizations', '€600.00'],
    ['Support for this project', '€82.95'],
    ['Tax', '€22.05'],
  ] as const)
    await expect(rowOf(name)).toContainText(amount)
  await expectAccessible(page, 'transparency')
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    )
  }

  // How long something waits is said of the days that are promised; the months stand as a table behind their picture.
  await expect(page.getByText(/The longest wait: \d of 30 days\./)).toBeVisible()
  await page.getByText(said('en', 'transparency-months-table')).click()
  await expect(page.getByRole('row', { name: new RegExp(`^${shortMonthOf(SOLD_AT, 'en')}`) })).toContainText(
    '€1,155€0€600',
  )
  await page.setViewportSize({ width: 320, height: 844 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await expect(page.getByText(said('en', 'transparency-chain-none'))).toBeVisible()
  const status = await (await page.request.get('/api/public/status')).json()
  expect(status).toMatchObject({
    parts: { payments: 'unknown', mail: 'unknown', ledger: 'unknown' },
    incidents: [],
  })
  expect(await (await page.request.get('/api/public/status.csv')).text()).toContain('part,mail,unknown,,')
  // As it is sent: within the ten kilobytes that a page of this kind may have.
  const answer = await page.request.get('/en/transparency', { headers: { 'accept-encoding': 'br' } })
  expect(Number(answer.headers()['content-length'])).toBeLessThanOrEqual(10_240)
  const html = await answer.text()
  for (const each of canaries) expect(html).not.toContain(each)

  const figures = await (await page.request.get('/api/public/figures')).json()
  expect(figures.currencies).toMatchObject([
    {
      currency: 'EUR',
      sold: { count: 21, amount: 115_500 },
      on_cards: 5_000,
      waiting: [{ organisation: 'cerf', amount: 40_000 }],
      payouts: [{ to: [{ organisation: 'msf', amount: 60_000, confirmed: 0 }] }],
    },
  ])
  const [{ waiting, payouts }] = figures.currencies as [
    { waiting: [{ since: string }]; payouts: [{ year: string }] },
  ]
  await expect(page.getByRole('table').nth(1)).toContainText(dayOf(Date.parse(waiting[0].since), 'en'))
  await expect(page.getByRole('heading', { name: `Paid in ${payouts[0].year}` })).toBeVisible()
  await expect(page.getByText('arrival not confirmed yet')).toBeVisible()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Figures: table (CSV)' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('figures.csv')

  await page.goto('/en/transparency')
  await page.getByRole('link', { name: said('en', 'transparency-ledger') }).click()
  await atScreen(page, 'ledger')
  await expect(page.getByRole('row', { name: /^Gifts bought: 21/ })).toContainText('€1,155.00')
  await expectAccessible(page, 'the ledger')
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(
      0,
    )
  }
  const reader = await visitor({ javaScriptEnabled: false, locale: LOCALES.fr })
  await reader.goto('/fr/transparency')
  await expect(reader.getByRole('heading', { name: '1 155,00 € payés' })).toBeVisible()
  await expect(reader.getByText(said('fr', 'transparency-waiting-read'))).toBeVisible()
  await reader.goto('/fr/ledger')
  await expect(reader.getByRole('heading', { name: said('fr', 'ledger-not-title') })).toBeVisible()
  await expect(reader.getByRole('row', { name: /^Cartes réparties\s: 20/ })).toContainText('1 000,00 €')
  await expect(reader.locator('[data-action="check-all"]')).toBeHidden()
})

test('a visitor checks every line in the browser, and one alone', async ({ page, watch }) => {
  watch.expectFault(/404.*ledger\/proof\/24/)
  await page.goto('/en/ledger')
  const everything = page.getByRole('button', { name: 'Check everything' })
  const said = page.locator('[data-said]')
  await everything.click()
  await expect(said).toHaveText(
    'Everything is in order: 24 lines, just as they were signed. These sums are the figures of “Where the money is.”',
  )
  const sums = page.locator('[data-sums]')
  await expect(sums.getByRole('row', { name: /^On cards/ })).toContainText('€50.00')
  await expect(sums.getByRole('row', { name: /^Paid to organizations/ })).toContainText('€600.00')
  await expect(everything).toBeFocused()

  await page.getByRole('textbox', { name: 'Number of the line, from 1 to 24' }).fill('1')
  await page.getByRole('button', { name: 'Check the line' }).click()
  const line = page.locator('[data-said-of-line]')
  await expect(line).toContainText('Line 1 stands in the signed ledger')
  await page.getByRole('textbox', { name: 'Number of the line' }).fill('25')
  await page.keyboard.press('Enter')
  await expect(line).toHaveText('There is no line of that number. The last one is 24.')
})

/** The first eight letters of `root` with another first letter: a root may have no letter to write in lower case. */
const otherLetters = (root: string) => `${root.startsWith('A') ? 'B' : 'A'}${root.slice(1, 8)}`

test('a visitor compares the seal of a mail with the ledger of today', async ({ page, own, watch }) => {
  watch.expectFault(/404.*ledger\/growth\/30/)
  await page.goto('/en/ledger')
  const files = (path: string) => page.request.get(`/ledger/${path}`)
  const root = (await (await files('checkpoint')).text()).split('\n')[2]!
  const compare = async (size: string, letters: string) => {
    await page.getByRole('textbox', { name: 'Lines, as the mail says' }).fill(size)
    await page.getByRole('textbox', { name: 'First letters of the seal' }).fill(letters)
    await page.getByRole('button', { name: 'Compare' }).click()
  }
  const answer = page.locator('[data-said-of-kept]')
  await compare('24', root.slice(0, 8))
  await expect(answer).toHaveText(
    'As your mail says: the 24 lines of then are the first of today’s 24, unchanged.',
  )
  await compare('24', otherLetters(root))
  await expect(answer).toContainText(/does not begin as your mail says.*the root over 24 lines begins with/)
  await compare('30', root.slice(0, 8))
  await expect(answer).toContainText('has 24 lines, fewer than 30')
  // A mail of an earlier day.
  const texts = await lines(own)
  const before = rootOf(
    sha256,
    texts.slice(0, 9).map(text => leafHash(sha256, bytesOf(text))),
  )
  await compare('9', ` ${toBase64(before).slice(0, 8)} `)
  await expect(answer).toContainText('the 9 lines of then are the first of today’s 24')
  await compare('9', otherLetters(toBase64(before)))
  await expect(answer).toContainText('does not begin as your mail says')
  await expectAccessible(page, 'the seal of a mail')
})

test('whoever changes a file, or takes one away, is found out; a failure is no accusation', async ({
  page,
  watch,
}) => {
  watch.expectFault(/404|500|ERR_FAILED|ERR_ABORTED/)
  await page.goto('/en/ledger')
  const said = page.locator('[data-said]')
  const check = page.getByRole('button', { name: 'Check everything' })
  const entries = '**/ledger/tile/entries/**'
  for (const [change, says] of [
    ['a digit', /^Something is not as it must be.* the entries are not those that were signed$/],
    ['missing', /^Something is not as it must be.* is missing$/],
    ['a failure', /^The files cannot be read just now\. Try again\.$/],
    ['no answer', /^The files cannot be read just now\. Try again\.$/],
  ] as const) {
    await page.route(entries, async route => {
      if (change === 'no answer') return route.abort()
      if (change === 'a failure') return route.fulfill({ status: 500, body: '' })
      if (change === 'missing') return route.fulfill({ status: 404, body: '' })
      const bytes = await (await route.fetch()).body()
      // The day of a line, so that every line can still be read.
      bytes.write(dayAfter(SOLD_ON), bytes.indexOf(SOLD_ON))
      return route.fulfill({ body: bytes })
    })
    await check.click()
    await expect(said, change).toHaveText(says)
    await page.unroute(entries)
  }
  // Stopped by the visitor, in the middle.
  await page.route(entries, () => {})
  await check.click()
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(said).toHaveText('Stopped. Not everything was checked.')
  await expect(check).toBeFocused()
})
