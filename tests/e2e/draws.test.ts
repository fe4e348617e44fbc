import type { Page } from '@playwright/test'
import { bytesOf } from '#domain/public-ledger/bytes.ts'
import { originOf } from '#domain/public-ledger/checkpoint.ts'
import { type Leaf, leafText, readLeaf } from '#domain/public-ledger/leaf.ts'
import { CHECKPOINT_PATH } from '#domain/public-ledger/tiles.ts'
import { leafHash, rootOf } from '#domain/public-ledger/tree.ts'
import { createSigner } from '#server/modules/public-ledger/signer.ts'
import type { Database } from '#server/platform/db/database.ts'
import { sellCard } from '#tests/builders/server.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { createDrawnLedger, drand, SOLD_AT } from '#tests/support/e2e/drawn-ledger.ts'
import { expect, expectSmallPage, LEDGER_KEY, ledgerTest } from '#tests/support/e2e/ledger-site.ts'
import { LOCALES, said } from '#tests/support/e2e/words.ts'
import { filesOfLog, sha256, testSigner } from '#tests/support/public-log.ts'

const NGOS = ['ngo-msf', 'ngo-wfp']

const test = ledgerTest(drawAndPublish)
test.describe.configure({ mode: 'serial' })
test.use({ locale: LOCALES.en })

/** Three unused cards, announced, drawn for by drand and published; one that its buyer had named an organisation for. */
async function drawAndPublish(db: Database, url: string): Promise<readonly Leaf[]> {
  const terms = { created_at: SOLD_AT, term_months: 12, reminder_days: '[30,7]' }
  for (let n = 0; n < 3; n++) await db.transaction(trx => sellCard(trx, terms))
  await db.transaction(trx => sellCard(trx, { ...terms, fallback_ngo_id: 'ngo-wfp' }))
  await createDrawnLedger({ db, url, ngoIds: NGOS }).draw()
  const rows = await db.read(reader =>
    reader.selectFrom('ledger_leaves').select('leaf').orderBy('seq').execute(),
  )
  return rows.map(({ leaf }) => readLeaf(leaf))
}

const compute = (page: Page) => page.getByRole('button', { name: said('en', 'ledger-draw-go') }).click()
const saidOfDraws = (page: Page) => page.locator('[data-said-of-draws]')
const DONE =
  'Computed again, with the same result: 3. Named by the buyer: 1. Drawn on our server, so that nobody can compute them again: 0.'

test('whoever reads sees how unused cards were drawn, also without scripts', async ({
  prepared: lines,
  browser,
  own,
  page,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: own.url })
  const reader = await context.newPage()
  await reader.goto('/es/ledger')
  await expect(reader.getByRole('heading', { name: said('es', 'ledger-draw-title') })).toBeVisible()
  const rows = reader.locator('.draws tbody tr')
  await expect(rows).toHaveCount(lines.filter(({ cause }) => cause === 'auto').length)
  await expect(rows.filter({ hasText: /drand, ronda \d+/ })).toHaveCount(3)
  await expect(rows.filter({ hasText: 'quien compró la tarjeta' })).toHaveCount(1)
  await context.close()
  // With draws it says most.
  await expectSmallPage(page.request)
})

test('a visitor computes every draw again in the browser', async ({ page, prepared: lines }) => {
  expect(lines.filter(({ cause }) => cause === 'announced')).toHaveLength(1)
  const fetched: string[] = []
  page.on('request', request => fetched.push(request.url()))
  await page.goto('/en/ledger')
  await expect(page.getByRole('heading', { name: said('en', 'ledger-draw-title') })).toBeVisible()
  // What computes is fetched on a press alone.
  expect(fetched.filter(url => /draws/.test(url))).toEqual([])
  await compute(page)
  await expect(saidOfDraws(page)).toContainText(DONE, { timeout: 30_000 })
  await expect(saidOfDraws(page)).toContainText(`the drand chain ${drand.hash}`)
  await expectAccessible(page, 'the draws')
})

test('a visitor computes one draw again, and is told of this one alone', async ({
  page,
  prepared: lines,
}) => {
  await page.goto('/en/ledger')
  const line = lines.findIndex(({ draw }) => draw?.by === 'drand') + 1
  await page.getByRole('button', { name: `Compute line ${line} again` }).click()
  await expect(saidOfDraws(page)).toContainText(`Line ${line}, computed again with the same result:`, {
    timeout: 30_000,
  })
  const row = page.locator('.draws tbody tr').filter({ hasText: `Line ${line},` })
  const organization = ((await row.getByRole('rowheader').textContent()) ?? '').trim().split(': ')[1]!
  await expect(saidOfDraws(page)).toContainText(`with the same result: ${organization}.`)
  await expect(saidOfDraws(page)).not.toContainText('Named by the buyer')
  // One that its buyer decided has nothing to compute.
  await expect(page.getByRole('button', { name: /^Compute line/ })).toHaveCount(3)
})

test('whoever alters the random value is found out, although the ledger is signed', async ({
  page,
  prepared: lines,
  own,
}) => {
  const altered = lines.map((leaf): Leaf => {
    const { draw } = leaf
    return draw?.by === 'drand' ? { ...leaf, draw: { ...draw, signature: drand.sign(1) } } : leaf
  })
  const texts = altered.map(leafText)
  const signer = createSigner(LEDGER_KEY, originOf(own.url))
  const root = rootOf(
    sha256,
    texts.map(text => leafHash(sha256, bytesOf(text))),
  )
  const files = filesOfLog(testSigner(originOf(own.url)), texts)
  files.set(CHECKPOINT_PATH, bytesOf(signer.sign({ size: texts.length, root })))
  await page.route('**/ledger/{checkpoint,tile/**}', route => {
    const file = files.get(new URL(route.request().url()).pathname.replace('/ledger/', ''))
    return file ? route.fulfill({ body: Buffer.from(file) }) : route.fulfill({ status: 404, body: '' })
  })
  await page.goto('/en/ledger')
  await compute(page)
  const wrong = altered.flatMap(({ draw }, n) => (draw?.by === 'drand' ? [n + 1] : []))
  for (const line of wrong)
    await expect(saidOfDraws(page)).toContainText(
      `Line ${line}: the random value is not signed by whom the announcement names.`,
      { timeout: 30_000 },
    )
  await expect(saidOfDraws(page)).toContainText('Computed again, with the same result: 0.')
})

test('files that cannot be had are no accusation', async ({ page, watch, prepared: lines }) => {
  expect(lines.length).toBeGreaterThan(0)
  watch.expectFault(/ERR_FAILED|ERR_ABORTED/)
  await page.goto('/en/ledger')
  await page.route('**/ledger/tile/**', route => route.abort())
  await compute(page)
  await expect(saidOfDraws(page)).toHaveText(said('en', 'ledger-no-answer'))
})
