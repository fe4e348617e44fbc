import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TRY_CARD_ID } from '#domain/card/keys.ts'
import { LANGUAGES } from '#domain/languages.ts'
import { RECEIVER_SCREENS } from '#domain/receiver/introductions.ts'
import {
  CMS_NEWS_PATH,
  cardPath,
  LAST_DAY_PATH,
  LOST_LINK_PATH,
  localizedPath,
  newsletterPath,
  oneClickPath,
  PREVIEW_OFF_PATH,
  PRINT_PATH,
  PROVIDER_EVENTS_PATH,
  PUBLISHED_PAGES,
  photoBookPath,
  renewalPath,
  STUDIO_LOGIN_PATH,
  WITHDRAW_PATH,
  withdrawalPath,
} from '#paths'
import { isLong } from '#tests/support/counts.ts'
import { type BoughtCard, buyCard, cardApi, openPayment, selectionOf } from '#tests/support/product/buy.ts'
import { call, post } from '#tests/support/product/call.ts'
import { type Product, startProduct } from '#tests/support/product/product.ts'
import { expectSecurityHeaders } from '#tests/support/product/refusal.ts'
import { openTestEnvironment, type TestEnvironment } from '#tests/support/product/test-environment.ts'
import * as wire from '#wire/api-paths.ts'

/** Programs that open links which nobody has tapped. */
const AGENTS = {
  browser:
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0 Mobile Safari/537.36',
  WhatsApp: 'WhatsApp/2.25.3.81 A',
  Facebook: 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'a mail scanner': 'Mozilla/5.0 (compatible; Proofpoint URL Defense; +https://www.proofpoint.com)',
  'another mail scanner': 'BarracudaCentral/1.0 LinkProtect',
} as const

/** Everybody on both databases in the long run; usually each of them on one, and the browser on both. */
const USUAL: Readonly<Record<'sqlite' | 'postgres', readonly string[]>> = {
  sqlite: ['browser', 'WhatsApp', 'a mail scanner'],
  postgres: ['browser', 'Facebook', 'another mail scanner'],
}

describe.each(['sqlite', 'postgres'] as const)('whoever only looks (%s)', engine => {
  let environment: TestEnvironment
  let product: Product
  let paths: readonly string[]
  beforeAll(async () => {
    environment = await openTestEnvironment(engine)
    product = await startProduct({ env: environment.env })
    const [fresh, used] = [await buyCard(product), await buyCard(product)]
    await post(product.url + cardApi(used.privateKey), selectionOf({ 'ngo-msf': 50 }))
    paths = everyPath([fresh, used], await openPayment(product))
  })
  afterAll(async () => {
    await product?.kill()
    await environment?.close()
  })

  it.each(Object.entries(AGENTS).filter(([name]) => isLong || USUAL[engine].includes(name)))(
    'changes nothing on any route, as %s',
    async (_, agent) => {
      const before = await environment.dump()
      const headers = { 'User-Agent': agent, Accept: '*/*' }
      for (const path of paths) {
        for (const method of ['GET', 'HEAD', 'OPTIONS']) {
          const answer = await call(product.url + path, { method, headers })
          expect(answer.status, `${method} ${path}`).toBeLessThan(500)
          if (!path.startsWith('/_local')) expectSecurityHeaders(answer, `${method} ${path}`)
        }
      }
      expect(await environment.dump()).toBe(before)
    },
  )
})

/** Every route of the product around an unused card, a used one and an unpaid session. */
function everyPath([fresh, used]: readonly [BoughtCard, BoughtCard], unpaidSession: string): string[] {
  const pages = PUBLISHED_PAGES.flatMap(({ path }) => [
    path,
    ...LANGUAGES.map(each => localizedPath(each, path)),
  ])
  const keys = [fresh.privateKey, fresh.publicKey, used.privateKey, used.publicKey, TRY_CARD_ID, 'unknown']
  const screens = ['introduction', 'volunteering', ...RECEIVER_SCREENS]
  const cards = keys.flatMap(key => [
    `/gift-card/${key}`,
    ...screens.flatMap(screen => [cardPath(key, screen, 'final'), cardPath(key, screen, 'preview')]),
    `/gift-card-volunteering/${key}/introduction/final`,
    cardApi(key),
    `${cardApi(key)}/full`,
    `${cardApi(key)}/preview`,
  ])
  // Whatever the contract names, by its own list.
  const calls = Object.values(wire)
    .filter(value => typeof value === 'string')
    .flatMap(path =>
      [fresh.privateKey, fresh.publicKey].map(key =>
        path.replace('{giftCardId}', key).replace('{flag}', 'final').replace('{eventName}', 'poll-submitted'),
      ),
    )
  const token = 'x'.repeat(66)
  const success = '/intro/no-refresh/donation-success'
  return [
    ...pages,
    ...cards,
    ...[fresh.sessionId, unpaidSession].flatMap(id => [
      `${success}?session_id=${id}`,
      `/en${success}?session_id=${id}`,
    ]),
    ...new Set(calls),
    ...LANGUAGES.flatMap(each => [
      newsletterPath(each, 'confirm', token),
      newsletterPath(each, 'unsubscribe', token),
    ]),
    oneClickPath(token),
    LOST_LINK_PATH,
    `${LOST_LINK_PATH}?lang=fr`,
    renewalPath('card', token),
    `${WITHDRAW_PATH}?lang=fr`,
    withdrawalPath('order', token),
    PRINT_PATH,
    LAST_DAY_PATH,
    photoBookPath('unknown', 'en'),
    PROVIDER_EVENTS_PATH,
    CMS_NEWS_PATH,
    PREVIEW_OFF_PATH,
    STUDIO_LOGIN_PATH,
    '/sitemap.xml',
    `/c/pay/${unpaidSession}`,
    `/c/pay/${fresh.sessionId}`,
    '/_local/mail',
    '/health/live',
    '/health/ready',
    '/favicon.svg',
    '/robots.txt',
    '/encuesta',
    '/en/some-ad-code',
    '/nowhere/at/all',
    '/api/unknown',
    '/internal/mail',
  ]
}
