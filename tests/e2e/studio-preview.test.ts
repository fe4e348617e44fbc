import type { Page } from '@playwright/test'
import { expect, test, write } from '../support/e2e/studio.ts'

test.describe.configure({ timeout: 400_000 })

const LIST = '/es/intro/ngo-list'
const DRAFT = 'Borrador a la vista'

test('the preview shows the real page with drafts while they are typed, to the operator alone', async ({
  desk: page,
  own,
}) => {
  // What another test has left half done would be told here in place of the page.
  const drop = { mutations: [{ delete: { query: '*[_id in path("drafts.**")]' } }] }
  const dropped = await fetch(`${own.url}/v2026-05-04/data/mutate/production`, {
    method: 'POST',
    body: JSON.stringify(drop),
  })
  expect(dropped.status).toBe(200)
  const shown = page.frameLocator('iframe')
  await page.goto(`/studio/presentation/ngo/ngo-cerf/?preview=${LIST}&perspective=published`)
  await expectHeld(page)
  await expect(shown.locator('[data-drafts="published"]')).toBeVisible()
  await expect(shown.locator('[data-action="leave-drafts"]')).toHaveCount(0)

  await page.goto(`/studio/presentation/ngo/ngo-cerf/?preview=${LIST}`)
  await expectHeld(page)
  await expect(shown.locator('[data-drafts="drafts"]')).toBeVisible()
  await write(page, 'title.es', DRAFT)
  await expect
    .poll(() => draftsOf(own.url), { message: 'the Studio saves it', timeout: 60_000 })
    .toContain(DRAFT)
  await expect(shown.getByText(DRAFT).first()).toBeVisible()
  expect(await (await fetch(own.url + LIST)).text()).not.toContain(DRAFT)

  await shown.locator('[data-action="leave-drafts"]').click()
  await expect(shown.locator('[data-drafts="published"]')).toBeVisible()
  await expect(shown.getByText(DRAFT)).toHaveCount(0)
})

/** What is half done in the content, as one text. */
async function draftsOf(url: string): Promise<string> {
  const query = new URLSearchParams({ query: '*[_id in path("drafts.**")]', perspective: 'raw' })
  return await (await fetch(`${url}/v2026-05-04/data/query/production?${query}`)).text()
}

/** The Studio holds the page: it covers one that does not answer. */
async function expectHeld(page: Page): Promise<void> {
  // Where the page says that it is, which the Studio knows once the page has answered it.
  await expect(page).toHaveURL(/preview=http/)
  await expect(page.getByTestId('presentation-root').getByText('Loading.')).toHaveCount(0)
  await expect(page.getByText(/Connecting|Unable to connect/)).toHaveCount(0)
}
