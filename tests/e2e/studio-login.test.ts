import type { Page } from '@playwright/test'
import { unseenRings } from '../support/e2e/rings.ts'
import { expect, input, test, write } from '../support/e2e/studio.ts'

/** The Studio of a site as visitors have it: whoever edits has to log in. */
test.describe.configure({ timeout: 400_000 })

const TOKEN = 'the-operators-long-token'

test.use({
  settings: { NODE_ENV: 'production', LOCAL_SERVICES: 'allow', RATE_LIMITS: '', OPERATOR_TOKEN: TOKEN },
})

const DRAFT = '/v2026-05-04/data/query/production?perspective=raw&query=*[_id=="drafts.ngo-cerf"][0].title.es'
const LOGIN_FORM = /\/studio-login\?origin=/

async function drafted(page: Page): Promise<unknown> {
  return ((await (await page.request.get(DRAFT)).json()) as { result: unknown }).result
}

const again = (page: Page) => page.getByRole('dialog', { name: 'Your session is over' })

/** The browser forgets the session when it is over: here in the moment between an edit and its way to the site. */
async function sessionEndsWithTheNextEdit(page: Page): Promise<void> {
  await page.route(
    url => url.pathname.includes('/data/actions/'),
    async route => {
      await page.context().clearCookies()
      await route.continue()
    },
    { times: 1 },
  )
}

async function logInAgain(page: Page, token = TOKEN): Promise<void> {
  await again(page).getByLabel('Token').fill(token)
  await again(page).getByRole('button', { name: 'Log in' }).click()
}

test('the operator logs in, outlasts the session without losing a word, and logs out', async ({
  desk: page,
  own,
  watch,
}) => {
  watch.expectFault(/status of 40[13]/)
  watch.expectFault(/WebSocket connection .* failed/)
  watch.expectFault(/Session not found/)
  await page.goto('/studio/structure/ngo;ngo-cerf')
  await expect(page).toHaveURL(LOGIN_FORM)
  expect(await unseenRings(page, new Set())).toEqual([])
  await page.locator('#token').fill('not-the-operators-token')
  await page.locator('[data-action="log-in"]').click()
  await expect(page.locator('#token-error')).toBeVisible()
  await page.locator('#token').fill(TOKEN)
  await page.locator('[data-action="log-in"]').click()
  await expect(page).toHaveURL(/\/studio\/structure\/ngo;ngo-cerf/)
  await expect(input(page, 'title.es')).toBeEditable()

  await sessionEndsWithTheNextEdit(page)
  await write(page, 'title.es', 'Escrito sin sesión')
  await expect(again(page)).toBeVisible()
  expect((await fetch(own.url + DRAFT)).status).toBe(401)
  await logInAgain(page, 'not-the-operators-token')
  await expect(again(page).getByRole('alert')).toContainText('not the token')
  await logInAgain(page)
  await expect(again(page)).toBeHidden()
  await expect.poll(() => drafted(page)).toBe('Escrito sin sesión')

  // Ended in another window: the sockets of this one end too, and say so before anything is typed.
  const ended = await page.request.post('/v2026-05-04/auth/logout', { headers: { origin: own.url } })
  expect(ended.status()).toBe(204)
  await expect(again(page)).toBeVisible()
  await logInAgain(page)
  await expect(again(page)).toBeHidden()
  await write(page, 'title.es', 'Escrito más tarde')
  await expect.poll(() => drafted(page)).toBe('Escrito más tarde')

  await page.locator('#user-menu').click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(LOGIN_FORM)
  expect((await page.request.get(DRAFT)).status()).toBe(401)
})
