import { dayInMadrid } from '#domain/days.ts'
import { withdrawalPath } from '#paths'
import { invoiceThroughApi } from '../support/e2e/api.ts'
import { expectAccessible } from '../support/e2e/axe.ts'
import { dump } from '../support/e2e/dump.ts'
import { addDevice, DESK, expect, test } from '../support/e2e/studio.ts'

test.describe.configure({ timeout: 400_000 })

const TOKEN = 'the-operators-long-token'

test.use({
  settings: { NODE_ENV: 'production', LOCAL_SERVICES: 'allow', RATE_LIMITS: '', OPERATOR_TOKEN: TOKEN },
})

test('the treasurer says in the Studio what the bank did about invoices, each with a passkey', async ({
  desk: page,
  own,
  watch,
}, info) => {
  watch.expectFault(/status of 40[139]/)
  watch.expectFault(/WebSocket connection .* failed/)
  watch.expectFault(/Session not found/)
  await invoiceThroughApi(own, 'Aina\nBiel')
  const [, , orderId = '', key = ''] = (await invoiceThroughApi(own, 'Aina\nBiel\nCarla')).split('/')
  await addDevice(page)
  await page.goto('/studio-login?origin=/studio/operations')
  const first = page.locator('form[data-passkey="first"]')
  await first.getByLabel('Your name').fill('Ana')
  await first.getByLabel('Token').fill(TOKEN)
  await first.getByRole('button').click()
  await expect(page.getByText('As of')).toBeVisible()
  const invoices = page.getByRole('region', { name: 'Invoices' })
  const row = invoices.getByRole('listitem').filter({ hasText: '3 cards' })
  await expect(row).toContainText(/P\d{4}-000002-[0-9A-Z]{4} · Escola del Mar, SCCL/)
  await expect(row).toContainText(/€81\.00, 3 cards, mailed to \S+@\S+, to be paid by/)
  const cards = () => dump(own).cards?.filter(card => card.order_id === orderId) ?? []
  const done = (words: RegExp) =>
    expect(invoices.getByRole('status').filter({ hasText: words })).toBeFocused()

  await row.getByRole('button', { name: /is paid$/ }).click()
  await row.getByLabel('What has arrived, in EUR').fill('80.99')
  await row.getByLabel('The day at the bank').fill(dayInMadrid(Date.now()))
  await page.keyboard.press('Enter')
  await expectAccessible(page, 'an invoice that is said to be paid', 'main')
  await row.getByRole('button', { name: '€80.99 has arrived' }).click()
  await expect(row.getByText(/another amount/i)).toBeVisible()
  expect(cards()).toEqual([])
  await row.getByLabel('What has arrived, in EUR').fill('81,00')
  await page.keyboard.press('Enter')
  await row.getByRole('button', { name: '€81.00 has arrived' }).click()
  await done(/^Done: P\d{4}-000002-\w{4} is paid, and its cards are made\.$/)
  await expect(row).toContainText('paid on')
  expect(cards().map(({ status }) => status)).toEqual(['active', 'active', 'active'])

  const words = { name: 'Aina', email: 'aina@mail.example', which: 'all', step: 'confirm' }
  const body = new URLSearchParams(words)
  const withdrawn = await fetch(`${own.url}${withdrawalPath(orderId, key)}`, { method: 'POST', body })
  expect(withdrawn.status).toBe(200)
  await page.getByRole('button', { name: 'Look again' }).click()
  await expect(row).toContainText('€81.00 is to be transferred back')
  await row.getByRole('button', { name: /was transferred back$/ }).click()
  await page.keyboard.press('Enter')
  await row.getByRole('button', { name: '€81.00 was transferred back' }).last().click()
  await done(/^Done: €81\.00 of P\d{4}-000002-\w{4} went back\.$/)
  expect(cards().map(({ status }) => status)).toEqual(['revoked', 'revoked', 'revoked'])

  const other = invoices.getByRole('listitem').filter({ hasText: '2 cards' })
  await other.getByRole('button', { name: /^Cancel P/ }).click()
  await page.keyboard.press('Enter')
  await other
    .getByRole('button', { name: /^Cancel P/ })
    .last()
    .click()
  await done(/^Done: P\d{4}-000001-\w{4} is cancelled\.$/)
  await expect(other).toContainText('cancelled')
  await expect(other.getByRole('button')).toHaveCount(0)

  await page.setViewportSize({ width: 390, height: 844 })
  const tool = page.getByRole('main')
  expect(await tool.evaluate(main => main.scrollWidth - main.clientWidth)).toBe(0)
  await invoices.screenshot({ path: info.outputPath('invoices.png') })
  await page.setViewportSize(DESK.viewport)
})
