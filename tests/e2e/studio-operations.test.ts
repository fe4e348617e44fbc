import { openDatabase } from '#server/platform/db/database.ts'
import { sellCards } from '../builders/server.ts'
import { expectAccessible } from '../support/e2e/axe.ts'
import { DESK, expect, test } from '../support/e2e/studio.ts'

test.describe.configure({ timeout: 400_000 })
// A product of its own, in which no other test has sold anything.
test.use({ settings: { TZ: 'Europe/Madrid' } })

test('the operator reads the figures, hears why there are none, and has the payouts as a file', async ({
  desk: page,
  own,
  watch,
}) => {
  watch.expectFault(/401|ERR_FAILED|ERR_ABORTED/)
  await page.goto('/studio')
  await page.getByRole('link', { name: 'what is due for review' }).click()
  await page.getByPlaceholder('Search list').fill('nobody is called this')
  await expect(page.getByText('Nothing is found by these words.')).toBeVisible()
  await page.getByRole('link', { name: 'Operations' }).click()
  await expect(page.getByRole('heading', { name: 'Operations' })).toBeVisible()
  await expect(page.getByText('Nothing has been sold or given yet.')).toBeVisible()

  const db = await openDatabase({ dataDir: own.dataDir, databaseUrl: undefined })
  await sellCards(db, 3)
  await db.close()
  await page.getByRole('button', { name: 'Look again' }).click()
  const money = page.getByRole('region', { name: 'EUR: 3 orders, €165.00 paid by buyers' })
  await expect(money.getByRole('row', { name: 'On cards that nobody has used €150.00' })).toBeVisible()

  await expectAccessible(page, 'the figures', 'main')

  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download all payouts' }).click()
  expect((await download).suggestedFilename()).toBe('payouts.csv')

  await page.setViewportSize({ width: 390, height: 844 })
  const tool = page.getByRole('main')
  expect(await tool.evaluate(main => main.scrollWidth - main.clientWidth)).toBe(0)

  const calls = '**/api/operator/*'
  await page.route(calls, route =>
    route.fulfill({ status: 401, contentType: 'application/json', body: '{}' }),
  )
  await page.getByRole('button', { name: 'Look again' }).click()
  const login = page.getByRole('link', { name: 'Log in' })
  await expect(login).toHaveAttribute('href', /^\/studio-login\?origin=http.*%2Fstudio%2Foperations$/)
  await expect(money).toBeVisible()

  await page.unroute(calls)
  await page.route(calls, route => route.abort())
  await page.setViewportSize(DESK.viewport)
  await page.getByRole('link', { name: 'Content' }).click()
  await page.getByRole('link', { name: 'Operations' }).click()
  await expect(page.getByText('The site did not answer.')).toBeVisible()
  await page.unroute(calls)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(money).toBeVisible()
})
