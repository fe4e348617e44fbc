import type { Page, Request } from '@playwright/test'
import { buyThroughApi, giftPath, newAddress } from '#tests/support/e2e/api.ts'
import { codeWith } from '#tests/support/e2e/built-code.ts'
import { arrive, buyACard, consentTaken, senderPath } from '#tests/support/e2e/buyer.ts'
import { dump } from '#tests/support/e2e/dump.ts'
import { kept, keptConsent } from '#tests/support/e2e/kept.ts'
import { openGift, skipStory, splitAs } from '#tests/support/e2e/recipient.ts'
import { action, atScreen, idle } from '#tests/support/e2e/screens.ts'
import { expect, test } from '#tests/support/e2e/test.ts'
import { LANGUAGES, LOCALES, said } from '#tests/support/e2e/words.ts'

test.use({ locale: LOCALES.es, contextOptions: { reducedMotion: 'reduce' } })

const API = '/api/analytics/'

/** Everything a page asks of statistics from now on: the call's last words, and its body. */
function listen(page: Page): { readonly calls: string[]; readonly bodies: string[] } {
  const calls: string[] = []
  const bodies: string[] = []
  const code = codeWith(`${API}general/new-session`)
  page.on('request', (request: Request) => {
    const { pathname } = new URL(request.url())
    if (pathname === code) calls.push('code')
    if (!pathname.startsWith(API)) return
    calls.push(pathname.replace(`${API}general/`, ''))
    bodies.push(request.postData() ?? '')
  })
  return { calls, bodies }
}

/** Has the answer to the consent question gone out, as this browser remembers it? */
const isTold = async (page: Page): Promise<boolean | undefined> => (await keptConsent(page))?.told

async function moveAround(page: Page): Promise<void> {
  await page.mouse.wheel(0, 400)
  await idle(page)
}

/** Walks over a screen of each kind, without choosing anything. */
async function lookAround(page: Page, language: (typeof LANGUAGES)[number], key: string): Promise<void> {
  for (const path of [
    senderPath(language, 'ngo-list'),
    senderPath(language, 'donate-us'),
    `/${language}/share`,
    giftPath(key, 'introduction-4'),
  ]) {
    await page.goto(path)
    await moveAround(page)
  }
}

for (const language of LANGUAGES) {
  test.describe(`in ${language}`, () => {
    test.use({ locale: LOCALES[language] })

    test('nothing is sent before the question is answered, nor after "reject", when nothing but the choice is stored', async ({
      page,
      site,
    }) => {
      const { privateKey } = await buyThroughApi(site, { language })
      const heard = listen(page)
      await page.goto(senderPath(language, 'how-it-works-donation'))
      await moveAround(page)
      expect(heard.calls).toEqual([])

      await page.goto(senderPath(language, 'cookies-settings'))
      await action(page, 'reject').click()
      await consentTaken(page)
      await page.evaluate(() => {
        for (const storage of [localStorage, sessionStorage])
          for (const key of Object.keys(storage)) if (key !== 'gift:consent') storage.removeItem(key)
      })
      await lookAround(page, language, privateKey)
      expect(heard.calls).toEqual([])
      // Where the visitor has been is strictly necessary (the packages look another way), and stays in the browser.
      const ours = (await kept(page)).filter(
        key => !['', 'gift:ngo-list-visited', 'gift:opened'].includes(key),
      )
      expect(ours).toEqual(['gift:consent'])
    })
  })
}

test('after "reject optional" a visit is counted by route, and no identifier is stored', async ({ page }) => {
  const heard = listen(page)
  await arrive(page, '/')
  await page.goto(senderPath('es', 'ngo-list'))
  // Who is counted is watched from then on.
  await expect.poll(() => heard.bodies.at(-1)).toContain('"currentUrl":"/es/intro/ngo-list"')
  await moveAround(page)
  // How the page of the question loaded, and the answer itself, may go out while that page is left: whoever listens to
  // the page may miss that.
  const byTheWay = ['new-event/web-vital', 'new-event/consent']
  await expect
    .poll(() => new Set(heard.calls.filter(name => !byTheWay.includes(name))))
    .toEqual(new Set(['code', 'new-session', 'new-event/screen-view', 'new-event/scroll']))
  expect(heard.calls.filter(name => name === 'new-event/consent').length).toBeLessThanOrEqual(1)
  await expect.poll(() => isTold(page)).toBe(true)
  expect(await kept(page)).not.toContain('gift:analytics-user')
  const sessions = heard.bodies.filter(body => body.includes('deviceAttrs'))
  for (const body of sessions)
    expect(JSON.parse(body)).toMatchObject({ deviceAttrs: {}, localStorageId: null, isAnonymous: true })
  expect(heard.bodies.at(-1)).toContain('"currentUrl":"/es/intro/ngo-list"')
})

test('after "accept all" the visits are one visitor’s; taken back, the identifiers are gone here and on the server', async ({
  page,
  site,
}) => {
  await arrive(page, '/', 'accept-all')
  await page.goto(senderPath('es', 'ngo-list'))
  // The visitor's number is kept before the session that is asked for with it.
  await expect.poll(() => kept(page)).toContain('gift:analytics-session')
  const user = await page.evaluate(() => localStorage.getItem('gift:analytics-user'))
  const session = await page.evaluate(() => sessionStorage.getItem('gift:analytics-session'))
  const heard = listen(page)
  await page.goto(senderPath('es', 'how-it-works-donation'))
  await moveAround(page)
  expect(heard.calls).not.toContain('new-session')
  await expect.poll(() => JSON.stringify(dump(site).analytics_sessions)).toContain(user)

  await action(page, 'cookies').click()
  await atScreen(page, 'cookies-settings')
  // Its answer comes when the page that asked is gone.
  const forgotten = page.waitForRequest(`**${API}general/forget`)
  await action(page, 'reject').click()
  await forgotten
  await consentTaken(page)
  await expect.poll(() => JSON.stringify(dump(site))).not.toContain(user)
  expect(JSON.stringify(dump(site))).not.toContain(session)
  expect((await kept(page)).filter(key => key.includes('analytics'))).toEqual([])
  const after = listen(page)
  await page.goto(senderPath('es', 'ngo-list'))
  await moveAround(page)
  expect(after.calls).toEqual([])
})

test('a reject in one tab ends the statistics of every other', async ({ page }) => {
  const identifiers = async () => (await kept(page)).filter(key => key.includes('analytics'))
  await arrive(page, '/', 'accept-all')
  await page.goto(senderPath('es', 'ngo-list'))
  await expect.poll(identifiers).toContain('gift:analytics-session')
  const other = await page.context().newPage()
  await other.goto(senderPath('es', 'cookies-settings'))
  await action(other, 'reject').click()
  await expect.poll(identifiers).toEqual([])
  const heard = listen(page)
  await moveAround(page)
  expect(heard.calls).toEqual([])
})

test('a visitor who leaves before the server answers is one visit all the same, told of once, and can be forgotten', async ({
  page,
  site,
}) => {
  const sessions = () => (dump(site).analytics_sessions ?? []).filter(row => row.user_id === user)
  // What is told has no person in it: in the tables it could be anybody's.
  const heard = listen(page)
  const told = () => heard.calls.filter(name => name === 'new-event/consent').length
  await arrive(page, '/')
  await page.goto(senderPath('es', 'cookies-settings'))
  await idle(page)
  await expect.poll(() => isTold(page)).toBe(true)
  const before = told()
  // The answer is on its way when the page that asked goes.
  await page.route(`**${API}general/new-session`, async route => {
    const response = await route.fetch()
    await new Promise(resolve => setTimeout(resolve, 700))
    await route.fulfill({ response }).catch(() => {})
  })
  await action(page, 'accept-all').click()
  await consentTaken(page)
  await expect.poll(() => kept(page)).toContain('gift:analytics-user')
  const user = await page.evaluate(() => localStorage.getItem('gift:analytics-user'))
  await page.goto(senderPath('es', 'ngo-list'))
  await expect.poll(() => kept(page)).toContain('gift:analytics-session')
  expect(sessions()).toHaveLength(1)
  await expect.poll(told).toBe(before + 1)
  await page.unroute(`**${API}general/new-session`)
  await page.goto(senderPath('es', 'cookies-settings'))
  await action(page, 'reject').click()
  await expect.poll(sessions).toHaveLength(0)
})

test('an answer that was on its way when the page was left is told once', async ({ page }) => {
  const told = `**${API}general/new-event/consent`
  const heard = listen(page)
  await page.route(told, async route => {
    const response = await route.fetch()
    await new Promise(resolve => setTimeout(resolve, 1_000))
    await route.fulfill({ response }).catch(() => {})
  })
  const first = page.waitForRequest(told)
  await arrive(page, '/')
  await first
  await page.goto(senderPath('es', 'ngo-list'))
  await expect.poll(() => heard.bodies.filter(body => body.includes('{"screen":"ngo-list"}'))).toHaveLength(1)
  expect(heard.calls.filter(name => name === 'new-event/consent')).toHaveLength(1)
})

test('a "reject" in a bar that was shown before another tab accepted takes that back', async ({
  page,
  site,
}) => {
  const { privateKey } = await buyThroughApi(site)
  await page.goto(giftPath(privateKey, 'introduction-1'))
  const other = await page.context().newPage()
  await arrive(other, '/', 'accept-all')
  await other.goto(senderPath('es', 'ngo-list'))
  await expect.poll(() => kept(other)).toContain('gift:analytics-session')
  const user = await page.evaluate(() => localStorage.getItem('gift:analytics-user'))
  await expect.poll(() => JSON.stringify(dump(site).analytics_sessions)).toContain(user)
  await other.close()
  await page.locator('[data-consent="reject"]').click()
  await expect.poll(() => JSON.stringify(dump(site))).not.toContain(user)
})

test('a browser that asks not to be measured is not asked, and not measured whatever it answers', async ({
  page,
}) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }))
  const heard = listen(page)
  await page.goto('/es')
  await atScreen(page, 'intro')
  await page.goto(senderPath('es', 'cookies-settings'))
  await expect(page.getByText(said('es', 'cookies-settings-browser-refuses'))).toBeVisible()
  await action(page, 'accept-all').click()
  await atScreen(page, 'intro')
  await moveAround(page)
  expect(heard.calls).toEqual([])
})

test('statistics that fail are logged, and never felt', async ({ page, watch }) => {
  watch.expectFault(/Unable to save event|503/)
  await arrive(page, '/')
  await page.route(`**${API}general/new-event/*`, route => route.fulfill({ status: 503 }))
  const told = page.waitForEvent('console', message => message.text().includes('Unable to save event'))
  await page.goto(senderPath('es', 'ngo-list'))
  await told
  // One that hangs for ever holds nothing up.
  await page.unroute(`**${API}general/new-event/*`)
  await page.route(`**${API}**`, () => {})
  await page.goto(senderPath('es', 'how-it-works-donation'))
  await idle(page)
  await action(page, 'continue').click()
  await atScreen(page, 'packages-donation')
})

test('no key, address or name reaches statistics, on either side of a gift', async ({
  page,
  visitor,
  site,
}) => {
  const email = newAddress()
  const sender = 'Maximiliane Canary'
  await arrive(page, '/regalo-cadena', 'accept-all')
  const links = await buyACard(page, { language: 'es', sender, email })
  const recipient = await visitor({ locale: LOCALES.es, reducedMotion: 'reduce' })
  const heard = listen(recipient)
  await openGift(recipient, links.secret)
  await recipient.locator('[data-consent="all"]').click()
  await expect.poll(() => heard.calls).toContain('new-event/screen-view')
  await skipStory(recipient)
  await splitAs(recipient, { 'ngo-msf': 50 })
  await action(recipient, 'confirm').click()
  await atScreen(recipient, 'thanks')
  await idle(recipient)
  // The second time it is refused, and the refusal is told to statistics.
  await expect
    .poll(() => dump(site).analytics_events?.some(({ route }) => route === '/gift-card/{key}/thanks/final'))
    .toBe(true)
  const tables = dump(site)
  const text = JSON.stringify(
    ['analytics_sessions', 'analytics_events', 'consent_records', 'poll_answers'].map(name => tables[name]),
  )
  const [privateKey, publicKey] = [links.secret, links.preview].map(
    link => /gift-card\/([^/]+)/.exec(link)?.[1] ?? '',
  )
  for (const canary of [privateKey, publicKey, email, encodeURIComponent(email), sender, 'Canary', '192.0.2'])
    expect(text).not.toContain(canary)
  expect(text).toContain('regalo-cadena')
  expect(tables.consent_records?.length).toBeGreaterThanOrEqual(2)
})

test.describe('on choose-theme', () => {
  test.use({
    geolocation: { latitude: 41.3874, longitude: 2.1686 },
    permissions: ['geolocation'],
  })

  test('the position is asked for by a button, with "accept all" only, and told roughly', async ({
    page,
  }) => {
    await arrive(page, '/')
    await page.goto(senderPath('es', 'choose-theme'))
    await idle(page)
    await expect(action(page, 'position')).toBeHidden()

    await page.goto(senderPath('es', 'cookies-settings'))
    await action(page, 'accept-all').click()
    await consentTaken(page)
    const heard = listen(page)
    await page.goto(senderPath('es', 'choose-theme'))
    await action(page, 'position').click()
    await expect(page.getByText(said('es', 'position-thanks'))).toBeVisible()
    await expect.poll(() => heard.calls).toContain('new-event/position')
    expect(heard.bodies.join(' ')).toContain('{"latitude":41.4,"longitude":2.2}')
  })
})
