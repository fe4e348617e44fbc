import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { buyThroughApi, giftPath, inviteThroughApi, newAddress } from '#tests/support/e2e/api.ts'
import { expectAccessible } from '#tests/support/e2e/axe.ts'
import { senderPath } from '#tests/support/e2e/buyer.ts'
import { dump } from '#tests/support/e2e/dump.ts'
import { linksIn, openLetter } from '#tests/support/e2e/inbox.ts'
import { unseenRings } from '#tests/support/e2e/rings.ts'
import { action } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { said } from '#tests/support/e2e/words.ts'

test.use({ contextOptions: { reducedMotion: 'reduce' }, locale: 'en-GB' })

/** Sends the form. @returns what the visitor is told */
async function ask(page: Page, email: string): Promise<string> {
  await page.goto(senderPath('en', 'lost-link'))
  await page.locator('#email').fill(email)
  await page.locator('[data-action="send-links"]').click()
  await expect(page.locator('h1')).toHaveText(said('en', 'lost-link-sent-title'))
  return (await page.locator('main').textContent()) ?? ''
}

/** The way to the page that replaces the links, from the newest letter to an address. */
const wayToReplace = async (page: Page, email: string): Promise<string> =>
  (await linksIn(await openLetter(page, email, 2), '/new-links/'))[0] ?? ''

test('whoever lost a link asks for it, and replaces it: the old one is dead, and nothing was told to others', async ({
  page,
  site,
}) => {
  const email = newAddress()
  const stranger = newAddress()
  const card = await buyThroughApi(site, { email, language: 'en' })
  await page.goto(senderPath('en', 'lost-link'))
  await expectAccessible(page, 'form of lost links')
  const known = await ask(page, email)
  await expectAccessible(page, 'answer to lost links')
  expect(await ask(page, stranger)).toBe(known)

  const way = await wayToReplace(page, email)
  await page.goto(way)
  await expect(page.locator('h1')).toHaveText(said('en', 'new-links-title'))
  await expectAccessible(page, 'replacing links')
  expect(await unseenRings(page, new Set())).toEqual([])
  await page.locator('[data-action="replace"]').click()
  await expect(page.locator('h1')).toHaveText(said('en', 'new-links-done-title'))
  await expectAccessible(page, 'links replaced')
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.locator('details.switch summary').click()
  await page.locator('[data-language="fr"]').click()
  await expect(page.locator('h1')).toHaveText(said('fr', 'new-links-done-title'))
  const gift = (await page.locator('[data-link="gift"]').getAttribute('href')) ?? ''
  expect(gift).toContain('/g/')
  const newKey = gift.split('#')[1] ?? ''
  expect(newKey).not.toBe(card.privateKey)

  const statusOf = async (path: string) => (await fetch(new URL(path, site.url))).status
  expect(await statusOf(giftPath(card.privateKey))).toBe(404)
  expect(await statusOf(giftPath(card.publicKey, 'introduction', 'preview'))).toBe(404)
  expect(await statusOf(way)).toBe(404)
  expect(await statusOf(giftPath(newKey))).toBe(200)

  // Nothing of it stays but the buyer's address, with the card.
  const { cards = [], ...others } = dump(site)
  const kept = JSON.stringify([cards.map(({ email: _, ...row }) => row), others]).toLowerCase()
  const log = readFileSync(site.logFile, 'utf8').toLowerCase()
  const keys = [card.privateKey, card.publicKey, newKey, way.split('/').at(-1)]
  for (const secret of [...keys, email, stranger]) {
    expect(secret).toBeTruthy()
    expect(kept).not.toContain(secret)
    expect(log).not.toContain(secret)
  }
})

test('an invitation’s link is replaced once, however slow the answer is and however often it is pressed', async ({
  page,
  site,
}) => {
  const email = newAddress()
  await inviteThroughApi(site, { email, language: 'en' })
  await ask(page, email)
  const way = await wayToReplace(page, email)

  // Nobody looked at the key: nothing is said of the invitation.
  const refused = await fetch(way, { method: 'POST', headers: { Origin: 'https://elsewhere.example' } })
  expect(refused.status).toBe(403)
  const words = await refused.text()
  expect(words).toContain(said('en', 'problem-foreign-origin'))
  expect(words).not.toContain(said('en', 'new-links-none-title'))

  await page.goto(way)
  await expect(page.locator('h1')).toHaveText(said('en', 'new-links-invitation-title'))
  let done = (): void => {}
  let letGo = (): void => {}
  const isDone = new Promise<void>(resolve => {
    done = resolve
  })
  const isLetGo = new Promise<void>(resolve => {
    letGo = resolve
  })
  await page.route('**/new-links/**', async route => {
    const response = await route.fetch({ maxRedirects: 0 })
    done()
    await isLetGo
    // A press that was broken off has nobody to answer.
    await route.fulfill({ response }).catch(() => {})
  })
  const { x = 0, y = 0 } = (await action(page, 'replace').boundingBox()) ?? {}
  // By hand: a locator would wait until the answer has come.
  const press = () => page.mouse.click(x + 20, y + 20)
  await press()
  await isDone
  await press()
  letGo()
  await expect(page.locator('h1')).toHaveText(said('en', 'new-links-invitation-done-title'))
  await expect(page.locator('[data-link="invitation"]')).toBeVisible()
})
