import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import type { Request } from '@playwright/test'
import { type BoughtCard, buyThroughApi, giftPath, postJson, readCard } from '#tests/support/e2e/api.ts'
import { buyACard, senderPath } from '#tests/support/e2e/buyer.ts'
import { dump, jobsWaiting, placesOf } from '#tests/support/e2e/dump.ts'
import { readMail } from '#tests/support/e2e/inbox.ts'
import { openGift, splitAs } from '#tests/support/e2e/recipient.ts'
import { action, atScreen } from '#tests/support/e2e/screens.ts'
import { type Site, startSite } from '#tests/support/e2e/server.ts'
import { test as base, expect } from '#tests/support/e2e/test.ts'
import { tapAnywhere } from '#tests/support/e2e/waiting.ts'
import { LOCALES } from '#tests/support/e2e/words.ts'

/** A product of its own: these tests look at everything it keeps, so nobody else may be at work in it. */
const test = base.extend<object, { site: Site }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner asks for a pattern
    async ({}, use) => {
      const { stop, ...site } = await startSite()
      await use(site)
      await stop()
    },
    { scope: 'worker' },
  ],
})
test.describe.configure({ mode: 'default' })
test.use({ locale: LOCALES.es })

const SCREENS = [
  '/',
  '/who-we-are',
  '/cookies-policy',
  '/legal-notice',
  '/terms',
  '/privacy',
  '/withdraw',
  '/is-this-real',
  '/many-cards',
  '/accessibility',
  '/error',
  '/unavailable',
  '/intro/packages-donation',
  '/intro/donation-sender-name',
  '/intro/donation-packages-support-amount',
  '/intro/donation-prepayment',
  '/intro/ngo-list',
  '/intro/free-gift-card-campaign',
  '/intro/no-refresh/free-gift-card-campaign-checkout',
  '/intro/no-refresh/donation-success',
  '/intro/no-refresh/checkout',
  '/intro/no-refresh/donation-cancel',
  '/intro/no-refresh/many-cards-cancel',
  '/intro/no-refresh/own-money-cancel',
  '/own-money-thanks',
]

const RECEIVER_SCREENS = [
  'introduction',
  ...Array.from({ length: 9 }, (_, index) => `introduction-${index + 1}`),
  'select-ngo',
  'own-money',
  'thanks',
  'consumed',
  'doesnt-exist',
  'nonsense',
]

/** Every route of the product, with a card's keys where they belong. */
function routes({ privateKey, publicKey, sessionId }: BoughtCard): string[] {
  return [
    ...SCREENS,
    ...SCREENS.map(path => `/es${path === '/' ? '' : path}`),
    ...RECEIVER_SCREENS.flatMap(screen => [
      giftPath(privateKey, screen, 'final'),
      giftPath(privateKey, screen, 'preview'),
      giftPath(publicKey, screen, 'final'),
    ]),
    `/gift-card/${privateKey}`,
    `/api/ajuda/giftcard/${privateKey}`,
    `/api/ajuda/giftcard/${privateKey}/final`,
    `/api/ajuda/giftcard/${publicKey}/preview`,
    '/api/ajuda/pagaments-donatius/gateway',
    '/api/ajuda/pagaments-donatius/success',
    '/api/ajuda/pagaments-donatius/success/send-email',
    '/api/stripe/webhook',
    '/api/nothing',
    `/es/intro/no-refresh/donation-success?session_id=${sessionId}`,
    `/c/pay/${sessionId}`,
    '/_local/mail',
    '/health/live',
    '/health/ready',
    '/favicon.svg',
    '/nothing.png',
    '/encuesta',
    '/some/where/else',
  ]
}

/** Who opens every link before a person does: link previews, mail scanners. */
const AGENTS = [
  'WhatsApp/2.24.6.77 A',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'TelegramBot (like TwitterBot)',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Safelinks Chrome/126.0 Safari/537.36',
]

test('reading changes nothing, whoever reads, by whatever method that reads', async ({ site }) => {
  const card = await buyThroughApi(site)
  await expect.poll(() => jobsWaiting(site), { timeout: 20_000 }).toBe(0)
  const before = dump(site)
  expect(before.cards).toHaveLength(1)
  for (const agent of AGENTS)
    for (const path of routes(card)) {
      const answers = await Promise.all(
        ['GET', 'HEAD', 'OPTIONS'].map(method =>
          fetch(site.url + path, { method, redirect: 'manual', headers: { 'User-Agent': agent } }),
        ),
      )
      for (const answer of answers) {
        await answer.arrayBuffer()
        expect(answer.status, path).toBeLessThan(500)
      }
    }
  expect(dump(site)).toEqual(before)
})

test('a scanner that runs scripts for a minute and taps once uses nothing up', async ({ page, site }) => {
  const { privateKey } = await buyThroughApi(site)
  await page.clock.install()
  await openGift(page, giftPath(privateKey))
  await page.clock.runFor(60_000)
  await tapAnywhere(page)
  await atScreen(page, 'introduction-2')
  await page.clock.runFor(60_000)
  expect((await readCard(site, privateKey)).giftcard?.consumed).toBe(false)
})

test('every kind of answer carries every security header', async ({ site }) => {
  const card = await buyThroughApi(site)
  const page = await fetch(`${site.url}/es/who-we-are`)
  const asset = /\/_astro\/[\w.-]+\.js/.exec(await page.text())?.[0] ?? ''
  const json = { 'Content-Type': 'application/json' }
  const success = '/api/ajuda/pagaments-donatius/success'
  const kinds: readonly (readonly [what: string, status: number, path: string, ask?: RequestInit])[] = [
    ['a published page', 200, '/es/who-we-are'],
    ['a page in the visitor’s language', 200, '/who-we-are'],
    [
      'a page known already',
      304,
      '/es/who-we-are',
      { headers: { 'If-None-Match': page.headers.get('ETag') ?? '' } },
    ],
    ['a page asked for without its body', 200, '/es/who-we-are', { method: 'HEAD' }],
    ['a page with a slash too many', 302, '/es/who-we-are/'],
    ['a page that is none', 302, '/some/where/else'],
    ['a script', 200, asset],
    ['an icon', 200, '/favicon.svg'],
    ['a missing file', 404, '/nothing.png'],
    ['the failure screen', 200, '/es/error'],
    ['a gift’s door', 302, giftPath(card.privateKey)],
    ['a gift', 200, giftPath(card.privateKey, 'introduction-1')],
    ['a list', 200, giftPath(card.privateKey, 'select-ngo')],
    ['a missing gift', 404, giftPath('a'.repeat(32), 'doesnt-exist')],
    ['a card read', 200, `/api/ajuda/giftcard/${card.privateKey}/final`],
    ['a card missed', 404, `/api/ajuda/giftcard/${'a'.repeat(32)}/final`],
    ['an unknown call', 404, '/api/nothing'],
    ['a method that is not for it', 405, success],
    ['options', 204, '/es/who-we-are', { method: 'OPTIONS' }],
    [
      'another page’s call',
      403,
      success,
      { method: 'POST', headers: { ...json, Origin: 'https://evil.example' }, body: '{}' },
    ],
    ['a form', 415, success, { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: '{}' }],
    ['refused fields', 422, success, { method: 'POST', headers: json, body: '{}' }],
    ['a body too large', 413, success, { method: 'POST', headers: json, body: ' '.repeat(64 * 1024 + 1) }],
    ['an unsigned event', 400, '/api/stripe/webhook', { method: 'POST', body: '{}' }],
    ['an address too long', 414, `/${'a'.repeat(5_000)}`],
    ['health', 200, '/health/live'],
  ]
  for (const [what, status, path, ask] of kinds) {
    const { headers, ...answer } = await fetch(site.url + path, { redirect: 'manual', ...ask }).then(
      async each => ({ status: each.status, headers: each.headers, body: await each.text() }),
    )
    expect(answer.status, what).toBe(status)
    const csp = headers.get('Content-Security-Policy') ?? ''
    expect(csp, what).toContain("default-src 'none'")
    expect(csp, what).not.toContain('unsafe-')
    expect(
      Number(/max-age=(\d+)/.exec(headers.get('Strict-Transport-Security') ?? '')?.[1]),
      what,
    ).toBeGreaterThanOrEqual(31_536_000)
    expect(headers.get('X-Content-Type-Options'), what).toBe('nosniff')
    expect(headers.get('Referrer-Policy'), what).toBe('same-origin')
    expect(headers.get('Cross-Origin-Opener-Policy'), what).toBe('same-origin')
    expect(headers.get('Cross-Origin-Resource-Policy'), what).toBe('same-origin')
    expect(headers.get('Permissions-Policy'), what).toContain('camera=()')
    expect(headers.get('X-Powered-By'), what).toBeNull()
    if (path.startsWith('/gift-card/') && status !== 302) {
      expect(headers.get('Cache-Control'), what).toBe('private, no-store')
      expect(headers.get('X-Robots-Tag'), what).toContain('noindex')
    }
  }
})

/** Everything the product keeps or says, but what has to hold the secret: the mails, the provider, the key's own file. */
function kept(site: Site): Readonly<Record<string, string>> {
  const files = readdirSync(site.dataDir, { recursive: true, withFileTypes: true })
    .filter(file => file.isFile() && !file.parentPath.startsWith(join(site.dataDir, 'local')))
    .map(({ parentPath, name }) => join(parentPath, name))
  return Object.fromEntries([...files, site.logFile].map(file => [file, readFileSync(file, 'latin1')]))
}

test('no key, session or address is kept or said where it does not belong', async ({
  page,
  visitor,
  site,
}) => {
  const asked: Request[] = []
  page.on('request', request => void (request.url().endsWith('/success') && asked.push(request)))
  const { secret, preview, email } = await buyACard(page, { language: 'es', sender: 'Íñigo', support: 30 })
  const { stripe_session_id: sessionId } = asked[0]!.postDataJSON() as { stripe_session_id: string }
  expect(sessionId).toMatch(/^cs_test_/)
  const [privateKey = '', publicKey = ''] = [secret, preview].map(link => link.split('/')[4])
  const mail = await readMail(page, email)
  const recipient = await visitor({ locale: LOCALES.es })
  await openGift(recipient, secret)
  for (const part of [privateKey, publicKey, email]) {
    expect(await recipient.title()).not.toContain(part)
    expect(mail.subject).not.toContain(part)
  }
  await action(recipient, 'gift').click()
  await splitAs(recipient, { 'ngo-msf': 50 })
  await action(recipient, 'confirm').click()
  await atScreen(recipient, 'thanks')
  // What fails may say more than what succeeds.
  await postJson(site, `/api/ajuda/giftcard/${privateKey}`, { selected_ngos: [] })
  await postJson(site, `/api/ajuda/giftcard/${privateKey}/${sessionId}/${email}`, {})
  await fetch(`${site.url}/es/intro/ngo-list?session_id=${sessionId}&mail=${email}`)
  await expect.poll(() => jobsWaiting(site), { timeout: 20_000 }).toBe(0)

  expect(placesOf(site, email)).toEqual(['cards.email'])
  for (const secretText of [privateKey, publicKey, sessionId]) expect(placesOf(site, secretText)).toEqual([])
  for (const [file, content] of Object.entries(kept(site)))
    for (const key of [privateKey, publicKey]) expect(content.includes(key), file).toBe(false)
  const log = readFileSync(site.logFile, 'utf8')
  for (const text of [sessionId, email, 'Íñigo']) expect(log).not.toContain(text)
})

test('a site that a page links to never learns which page it was', async ({ page, site, watch }) => {
  const referrers: (string | undefined)[] = []
  const outside = createServer((request, response) => {
    if (request.url === '/') referrers.push(request.headers.referer)
    response.end('outside')
  }).listen(0, '127.0.0.1')
  await once(outside, 'listening')
  const address = outside.address()
  const port = typeof address === 'object' ? address?.port : undefined
  watch.expectFault(/foreign request: http:\/\/127\.0\.0\.1/)
  const card = await buyThroughApi(site)
  for (const path of [
    giftPath(card.privateKey, 'introduction-1'),
    giftPath(card.privateKey, 'select-ngo'),
    `${senderPath('es', 'no-refresh/donation-success')}?session_id=${card.sessionId}`,
    senderPath('es', 'ngo-list'),
  ]) {
    await page.goto(path)
    await expect(page.locator('main')).toBeVisible()
    await page.evaluate(to => {
      const link = Object.assign(document.createElement('a'), { href: to })
      document.body.append(link)
      link.click()
    }, `http://127.0.0.1:${port}/`)
    await expect(page.getByText('outside')).toBeVisible()
  }
  outside.close()
  expect(referrers).toEqual([undefined, undefined, undefined, undefined])
})
