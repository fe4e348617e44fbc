import { readFileSync, writeFileSync } from 'node:fs'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { confirmPayee, payees, proposePayee } from '#server/modules/payouts/payee-accounts.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { CREATED_AT, sellCard, testKeys } from '../builders/server.ts'
import { entry, statement } from '../support/bank-statement.ts'
import { expectAccessible } from '../support/e2e/axe.ts'
import { DESK, expect, test } from '../support/e2e/studio.ts'
import { fakeClock } from '../support/fake-clock.ts'

test.describe.configure({ timeout: 400_000 })
// A product of its own, in which no other test has given anything.
test.use({ settings: { TZ: 'Europe/Madrid' } })

/** A card of 50 given in March to each, and an account of `msf` where it has none. */
async function giveInMarch(dataDir: string, ...ngoIds: readonly string[]): Promise<void> {
  const db = await openDatabase({ dataDir, databaseUrl: undefined })
  const clock = fakeClock(CREATED_AT)
  for (const ngoId of ngoIds) {
    const card = await db.transaction(trx => sellCard(trx))
    const cards = createCards({ db, keys: testKeys, clock, listedNgoIds: () => [ngoId] })
    await cards.redeem(card.privateKey, [{ ngoId, points: 50 }])
  }
  const account = { legalName: 'Metges', contact: 'msf@example.org', iban: 'ES9121000418450200051332' }
  if ((await db.read(reader => payees(reader, 'msf'))).length === 0) {
    await proposePayee(db, testKeys, { ngoId: 'msf', language: 'es', ...account }, CREATED_AT)
    await confirmPayee(db, testKeys, { ngoId: 'msf', who: 'Aina', how: 'phone' }, CREATED_AT)
  }
  await db.close()
}

/** In the page: the next figures are there at the instant at which the Studio has written these words. */
function holdFiguresUntil(words: string): void {
  const real = window.fetch
  window.fetch = async (asked, init) => {
    const response = await real(asked, init)
    if (!String(asked).endsWith('/summary') || window.fetch === real) return response
    window.fetch = real
    const text = await response.text()
    await new Promise<void>(resolve => {
      const observer = new MutationObserver(() => {
        if (!document.body.textContent?.includes(words)) return
        observer.disconnect()
        resolve()
      })
      observer.observe(document.body, { subtree: true, childList: true, characterData: true })
    })
    // Read already, so that nothing but these words is waited for.
    const { ok, status, headers } = response
    return { ok, status, headers, json: async () => JSON.parse(text) } as Response
  }
}

test('the treasurer pays the organisations in the Studio, from what is due to what the bank paid', async ({
  desk: page,
  own,
  watch,
}, info) => {
  watch.expectFault(/409|ERR_FAILED/)
  await giveInMarch(own.dataDir, 'msf', 'irc')
  await page.goto('/studio/structure')
  await expect(page.getByRole('heading', { name: 'What is due' })).toBeVisible()
  await expect(page.getByText('pay the organisations in one run. 50.00 EUR owed to 1')).toBeVisible()
  await page.getByRole('link', { name: 'Operations' }).click()
  await expect(page.getByText('As of')).toBeVisible()
  const due = page.getByRole('region', { name: 'What is due' })
  const payouts = page.getByRole('region', { name: 'Payouts', exact: true })
  await expect(due).toContainText('Late, it was due until 2026-04-15: pay the organisations in one run.')
  await due.getByRole('button', { name: 'Read how: pay the organisations in one run' }).press('Enter')
  const guide = page.getByRole('dialog', { name: /treasurer.s month/ })
  await expect(guide.getByRole('heading', { name: '3. Pay' })).toBeInViewport()
  await expectAccessible(page, 'a guide', '[role="dialog"]')
  await page.keyboard.press('Escape')
  await expect(guide).toBeHidden()
  await due
    .getByRole('button', { name: 'Go to the payouts: pay the organisations in one run' })
    .press('Enter')
  await expect(payouts.getByRole('heading', { name: 'Payouts' })).toBeFocused()
  await expect(payouts).toContainText('€50.00 are owed, in one payout.')
  await expect(payouts).toContainText('Left out, since no account of theirs is confirmed: ')
  const said = (words: string | RegExp) => expect(payouts.getByText(words).first()).toBeVisible()

  await payouts.getByRole('button', { name: 'Make the payouts' }).click()
  const name = payouts.getByLabel('The name of the run')
  await expect(name).toBeFocused()
  const month = await name.inputValue()
  expect(month).toMatch(/^\d{4}-\d\d$/)
  await name.fill('two words')
  await page.keyboard.press('Enter')
  await payouts.getByRole('button', { name: 'Make one payout' }).click()
  await said('That is no name for a run.')
  await name.fill(month)
  await page.keyboard.press('Enter')
  await said('€50.00 go into one payout. No money moves yet')
  await expectAccessible(page, 'a run of payouts', 'main')
  await page.keyboard.press('Enter')
  await said('Done: the payouts are made. Give the bank its files.')
  await expect(payouts).toContainText('Nothing is owed to an organisation with a confirmed account.')
  await expect(payouts).toContainText(`Run ${month}: €50.00 that the bank has not paid`)

  await payouts.getByRole('button', { name: `Files for the bank, of run ${month}` }).click()
  await payouts.getByLabel('The IBAN that pays').fill('DE89 3704 0044 0532 0130 01')
  await payouts.getByLabel('Whose account it is').fill('Regala')
  await page.keyboard.press('Enter')
  await said('That is not an account that can pay')
  await payouts.getByLabel('The IBAN that pays').fill('DE89 3704 0044 0532 0130 00')
  const downloading = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  const download = await downloading
  expect(download.suggestedFilename()).toBe(`payouts-${month}.xml`)
  const file = readFileSync(await download.path(), 'utf8')
  expect(file).toContain('<IBAN>ES9121000418450200051332</IBAN>')
  await said(`Downloaded: payouts-${month}.xml with one transfer, €50.00`)

  const id = /<EndToEndId>(\w+)<\/EndToEndId>/.exec(file)![1]!
  const path = info.outputPath('statement.xml')
  writeFileSync(path, statement([entry({ id, amount: '50.00', reference: 'SEPA 77' })]))
  await payouts.getByRole('button', { name: 'Import the bank’s statement' }).click()
  await payouts.getByLabel('The bank’s statement', { exact: true }).setInputFiles(path)
  await said('one payout to note as paid, 0 noted before, 0 amiss, 0 other entries.')
  // What a press has done is seen at once, also where figures of before it come at that instant, and no later ones can be read.
  const figures = '**/api/operator/summary'
  await page.evaluate(holdFiguresUntil, 'Done: one payout noted as paid.')
  const [ofBefore] = await Promise.all([
    page.waitForResponse(figures),
    page.getByRole('button', { name: 'Look again' }).click(),
  ])
  await ofBefore.finished()
  await page.route(figures, route => route.abort())
  await payouts.getByRole('button', { name: 'Note one payout as paid' }).click()
  await said('Done: one payout noted as paid.')
  await expect(payouts.getByRole('row', { name: /SEPA 77/ })).toContainText('paid')
  await expect(payouts.getByText('that the bank has not paid')).toBeHidden()
  await expect(payouts.getByRole('status').filter({ hasText: 'Done: one payout' })).toBeFocused()
  await page.unroute(figures)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(payouts.getByRole('row', { name: /SEPA 77/ })).toContainText(/paid, mail (waits|sent)/)
  await page.setViewportSize({ width: 390, height: 844 })
  const tool = page.getByRole('main')
  expect(await tool.evaluate(main => main.scrollWidth - main.clientWidth)).toBe(0)
  await page.screenshot({ path: info.outputPath('payouts.png'), fullPage: true })
  await page.setViewportSize(DESK.viewport)
})

test('the treasurer cancels a payout by keyboard alone, and its money is owed again', async ({
  desk: page,
  own,
  watch,
}) => {
  watch.expectFault(/ERR_FAILED/)
  await giveInMarch(own.dataDir, 'msf')
  await page.goto('/studio/operations')
  await expect(page.getByText('As of')).toBeVisible()
  const payouts = page.getByRole('region', { name: 'Payouts', exact: true })
  const press = async (button: string | RegExp) => {
    await payouts.getByRole('button', { name: button }).first().focus()
    await page.keyboard.press('Enter')
  }
  await press('Make the payouts')
  await expect(payouts.getByLabel('The name of the run')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(payouts.getByRole('button', { name: 'Make one payout' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(payouts.getByText('Done: the payouts are made.')).toBeVisible()
  // Noted on the wrong payout, and taken back.
  await press(/^The bank has paid €50\.00 to /)
  await payouts.getByLabel('The bank’s reference').fill('SEPA 78')
  await page.keyboard.press('Enter')
  await expect(payouts.getByText(/^Done: €50\.00 to .* are noted as paid\.$/)).toBeVisible()
  await expect(payouts.getByRole('heading', { name: 'noted as paid by hand alone' })).toBeVisible()
  await expectAccessible(page, 'a payout noted by hand', 'main')
  await press(/^The bank has not paid it: €50\.00 to /)
  await expect(payouts.getByRole('button', { name: 'Go on' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(payouts.getByText('it would be paid twice.')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(payouts.getByText(/^Done: €50\.00 to .* wait for the bank again\.$/)).toBeVisible()
  await expect(payouts.getByText('noted as paid by hand alone')).toBeHidden()
  const cancel = payouts.getByRole('button', { name: /^Cancel the payout of €50\.00 to / })
  await press(/^Cancel the payout of €50\.00 to /)
  await expect(payouts.getByRole('button', { name: 'Go on' })).toBeFocused()
  await press('Cancel')
  await expect(cancel, 'who thinks better of it is where they were').toBeFocused()
  await page.keyboard.press('Enter')
  await expect(payouts.getByRole('button', { name: 'Go on' })).toBeFocused()
  const figures = '**/api/operator/summary'
  await page.route(figures, route => route.abort())
  await page.keyboard.press('Enter')
  await expect(payouts.getByText('If the bank pays it all the same, it is paid twice.')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(payouts.getByText(/^Done: €50\.00 are owed to .* again\.$/)).toBeVisible()
  await expect(cancel).toBeHidden()
  await expect(payouts.getByText('What is owed now is read again.')).toBeVisible()
  await page.unroute(figures)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(payouts.getByText('€50.00 are owed, in one payout.')).toBeVisible()
})
