import { readFileSync, writeFileSync } from 'node:fs'
import type { Locator, Page, TestInfo } from '@playwright/test'
import { deskPath } from '#paths'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { confirmPayee, proposePayee } from '#server/modules/payouts/payee-accounts.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { CREATED_AT, sellCard, testKeys } from '../builders/server.ts'
import { entry, statement } from '../support/bank-statement.ts'
import { DESK, expect, test } from '../support/e2e/studio.ts'
import { buyCard } from '../support/product/buy.ts'

/*
 * What an operator does who reads no code, with the pointer: each task from the mail or the buyer's address that
 * brought it, to its end. A task that takes more presses than here has become harder.
 */
test.describe.configure({ timeout: 400_000 })
// A product of its own, in which no other test has given anything.
test.use({ settings: { TZ: 'Europe/Madrid' } })

/** Counts what the operator does. */
class Walk {
  private presses = 0
  private fields = 0
  private readonly begun = performance.now()
  private readonly page: Page
  private readonly info: TestInfo
  constructor(page: Page, info: TestInfo) {
    this.page = page
    this.info = info
  }

  async press(what: Locator): Promise<void> {
    await what.click()
    this.presses++
  }

  async fill(what: Locator, words: string): Promise<void> {
    await what.fill(words)
    this.fields++
  }

  async choose(what: Locator, file: string): Promise<void> {
    await what.setInputFiles(file)
    this.presses++
  }

  /** Ends the task: it took no more than this, and nothing of it is wider than a phone. */
  async end(name: string, most: { readonly presses: number; readonly fields: number }): Promise<void> {
    const seconds = Math.round((performance.now() - this.begun) / 100) / 10
    const took = { presses: this.presses, fields: this.fields }
    this.info.annotations.push({ type: name, description: JSON.stringify({ seconds, ...took }) })
    for (const width of [1280, 390]) {
      await this.page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
      const tool = this.page.getByRole('main')
      expect(await tool.evaluate(main => main.scrollWidth - main.clientWidth)).toBe(0)
      await this.page.screenshot({ path: this.info.outputPath(`${width}.png`), fullPage: true })
    }
    await this.page.setViewportSize(DESK.viewport)
    writeFileSync(this.info.outputPath('took.json'), JSON.stringify({ name, seconds, ...took }))
    expect(took).toEqual(most)
  }
}

const search = (page: Page) => page.getByRole('textbox', { name: 'E-mail address, card, order' })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('a refund, from the buyer’s address', async ({ desk: page, own }, info) => {
  const { email } = await buyCard(own, { email: 'refund@example.org' })
  await page.goto('/studio/operations')
  await expect(page.getByText('As of')).toBeVisible()
  const walk = new Walk(page, info)
  await walk.fill(search(page), email)
  await walk.press(button(page, 'Find'))
  await walk.press(page.getByRole('button', { name: /^Card · €50\.00 · active · / }))
  await walk.press(button(page, 'Refund'))
  await walk.fill(page.getByLabel('The amount, up to €50.00'), '50')
  await walk.press(button(page, 'Go on'))
  await expect(page.getByText('€50.00 go back to the buyer, and the card can be used no more.')).toBeVisible()
  await page.screenshot({ path: info.outputPath('asked.png'), fullPage: true })
  await walk.press(button(page, 'Give back €50.00'))
  await expect(page.getByText('Done: refund.', { exact: true })).toBeVisible()
  await walk.end('refund', { presses: 5, fields: 2 })
})

test('an address, from the mail that says that a mail did not arrive', async ({ desk: page, own }, info) => {
  const { cardId } = await buyCard(own, { email: 'wrong@example.org' })
  const walk = new Walk(page, info)
  // The link of the mail.
  await page.goto(deskPath(cardId))
  await walk.press(button(page, 'Correct the address'))
  await walk.fill(page.getByRole('textbox', { name: 'The right e-mail address' }), 'right@example.org')
  await walk.press(button(page, 'Correct it and send the links'))
  await expect(page.getByText('Done: correct the address.', { exact: true })).toBeVisible()
  await expect(page.getByText('its mails go to r…t@example.org')).toBeVisible()
  await walk.end('corrected address', { presses: 2, fields: 1 })
})

test('a dispute, from the mail that asks for its answer', async ({ desk: page, own }, info) => {
  const bought = await buyCard(own, { email: 'dispute@example.org', cardNumber: '4000 0000 0000 0259' })
  const db = await openDatabase({ dataDir: own.dataDir, databaseUrl: undefined })
  const { order_id: order } = await db.read(reader =>
    reader.selectFrom('cards').select('order_id').where('id', '=', bought.cardId).executeTakeFirstOrThrow(),
  )
  const disputed = () =>
    db.read(reader => reader.selectFrom('disputes').select('id').where('order_id', '=', order!).execute())
  await expect.poll(async () => (await disputed()).length).toBe(1)
  await db.close()
  const walk = new Walk(page, info)
  // The link of the mail leads to the timeline, which says until when, of what, and what an answer needs.
  await page.goto(deskPath(order!))
  const timeline = page.getByRole('list', { name: 'Timeline' })
  await expect(timeline).toContainText(/answer in the payment account until \d{4}-\d\d-\d\d/)
  await expect(timeline).toContainText('accepted')
  await walk.end('dispute', { presses: 0, fields: 0 })
})

test('a month’s payouts, from the mail that says that they are due', async ({ desk: page, own }, info) => {
  const db = await openDatabase({ dataDir: own.dataDir, databaseUrl: undefined })
  const card = await db.transaction(trx => sellCard(trx))
  const cards = createCards({ db, keys: testKeys, clock: () => CREATED_AT, listedNgoIds: () => ['msf'] })
  await cards.redeem(card.privateKey, [{ ngoId: 'msf', points: 50 }])
  const account = { legalName: 'Metges', contact: 'msf@example.org', iban: 'ES9121000418450200051332' }
  await proposePayee(db, testKeys, { ngoId: 'msf', language: 'es', ...account }, CREATED_AT)
  await confirmPayee(db, testKeys, { ngoId: 'msf', who: 'Aina', how: 'phone' }, CREATED_AT)
  await db.close()
  const walk = new Walk(page, info)
  await page.goto('/studio/operations')
  const payouts = page.getByRole('region', { name: 'Payouts', exact: true })
  await walk.press(payouts.getByRole('button', { name: 'Make the payouts' }))
  const month = await payouts.getByLabel('The name of the run').inputValue()
  await walk.press(payouts.getByRole('button', { name: 'Go on' }))
  await walk.press(payouts.getByRole('button', { name: 'Make one payout' }))
  await walk.press(payouts.getByRole('button', { name: `Files for the bank, of run ${month}` }))
  await walk.fill(payouts.getByLabel('The IBAN that pays'), 'DE89 3704 0044 0532 0130 00')
  await walk.fill(payouts.getByLabel('Whose account it is'), 'Regala')
  const downloading = page.waitForEvent('download')
  await walk.press(payouts.getByRole('button', { name: 'Download', exact: true }))
  const file = readFileSync(await (await downloading).path(), 'utf8')
  const id = /<EndToEndId>(\w+)<\/EndToEndId>/.exec(file)![1]!
  const path = info.outputPath('statement.xml')
  writeFileSync(path, statement([entry({ id, amount: '50.00', reference: 'SEPA 77' })]))
  await walk.press(payouts.getByRole('button', { name: 'Import the bank’s statement' }))
  await walk.choose(payouts.getByLabel('The bank’s statement', { exact: true }), path)
  await walk.press(payouts.getByRole('button', { name: 'Note one payout as paid' }))
  await expect(payouts.getByText('Done: one payout noted as paid.')).toBeVisible()
  await walk.end('payout run', { presses: 8, fields: 2 })
})
