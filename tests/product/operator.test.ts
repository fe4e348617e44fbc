import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '#domain/limits/limits.ts'
import { getT } from '#i18n/index.ts'
import { buyCard } from '#tests/support/product/buy.ts'
import { type Answer, call } from '#tests/support/product/call.ts'
import { contentClientOf } from '#tests/support/product/content.ts'
import {
  CARD_KEY_SECRET,
  enrolFirst,
  logIn,
  openSocket,
  sendLogin,
  sessionOf,
  sessionUntil,
  TOKEN,
} from '#tests/support/product/operator.ts'
import { type Product, startProduct } from '#tests/support/product/product.ts'
import { expectRefusal } from '#tests/support/product/refusal.ts'
import { openTestEnvironment, type TestEnvironment } from '#tests/support/product/test-environment.ts'

const ME = '/v2026-05-04/users/me'
const QUERY = '/v2026-05-04/data/query/production?query=count(*)'
const STATE = '/api/operator/content'
const LOGOUT = '/v2026-05-04/auth/logout'
const SOCKETS = ['/local/listen', '/v2026-05-04/socket/production']
const HOUR = 3_600_000

let environment: TestEnvironment
let product: Product
const env = () => ({ ...environment.env, CARD_KEY_SECRET, OPERATOR_TOKEN: TOKEN })
beforeAll(async () => {
  environment = await openTestEnvironment('sqlite')
  product = await startProduct({ env: env() })
})
afterAll(async () => {
  await product?.kill()
  await environment?.close()
})

const get = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  call(product.url + path, { headers })

/** What every door of the operator's answers: documents, account, both sockets, the site's own calls. */
async function doors(headers: Record<string, string>): Promise<number[]> {
  const answers = await Promise.all([QUERY, ME, STATE].map(path => get(path, headers)))
  const sockets = await Promise.all(SOCKETS.map(path => openSocket(product, path, headers)))
  for (const { socket } of sockets) socket.terminate()
  return [...answers, ...sockets].map(({ status }) => status)
}
const OPEN = [200, 200, 200, 101, 101]
const CLOSED = [401, 401, 401, 401, 401]

describe('the operator’s login', () => {
  it('opens every door, for one browser, with a cookie that no script and no other site can use', async () => {
    const answer = await logIn(product, TOKEN)
    expect([answer.status, answer.headers.location]).toEqual([303, '/studio'])
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^operator=[\w-]+\.\d+\.[\w-]+; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/,
      ),
    ])
    expect(answer.headers['cache-control']).toContain('no-store')
    expect(await doors({ Cookie: sessionOf(answer) })).toEqual(OPEN)
    expect(await doors({})).toEqual(CLOSED)
  })

  it('is a page in three languages that keeps nothing and says plainly what is wrong', async () => {
    const pages = await Promise.all(['es', 'en', 'fr'].map(lang => get(`/studio-login?lang=${lang}`)))
    const titles = pages.map(({ text }) => /<h1[^>]*>([^<]+)/.exec(text)?.[1])
    expect(titles).toEqual(['Acceso para quien gestiona el sitio', 'Operator sign-in', 'Accès de l’équipe'])
    for (const page of pages) {
      expect(page.headers['cache-control']).toContain('no-store')
      expect(page.headers['x-robots-tag']).toBe('noindex')
    }
    const refused = await logIn(product, `${TOKEN}!`)
    expect([refused.status, refused.headers['set-cookie']]).toEqual([403, undefined])
    expect(refused.text).toContain('role="alert"')
    expect(refused.text).not.toContain(TOKEN)
  })

  it.each([
    ['/studio/structure', '/studio/structure'],
    ['SITE/es?x=1', '/es?x=1'],
    ['https://evil.example/studio', '/studio'],
    ['//evil.example', '/studio'],
    ['/\\evil.example', '/studio'],
    ['SITE//evil.example', '/studio'],
    ['javascript:alert(1)', '/studio'],
  ])('leads back into the site alone: %s', async (asked, place) => {
    const origin = asked.replace('SITE', `http://localhost:${product.port}`)
    const answer = await logIn(product, TOKEN, { query: `?origin=${encodeURIComponent(origin)}` })
    expect(answer.headers.location).toBe(place)
  })

  it('takes no form that another site’s page sent', async () => {
    const answer = await logIn(product, TOKEN, { origin: 'https://evil.example' })
    expect([answer.status, answer.headers['set-cookie']]).toEqual([403, undefined])
  })

  it('is closed to sessions that are over, forged or of another secret', async () => {
    const [id = '', end = '', mac = ''] = sessionUntil(Date.now() + HOUR).split('.')
    expect(await doors({ Cookie: sessionUntil(Date.now() + HOUR) })).toEqual(OPEN)
    for (const cookie of [
      sessionUntil(Date.now() - 1),
      sessionUntil(Date.now() + HOUR, TOKEN, 'another secret of another server'),
      sessionUntil(Date.now() + HOUR, 'another token of the operator'),
      [id, Number(end) + HOUR, mac].join('.'),
      [`${id}x`, end, mac].join('.'),
      'operator=',
      'operator=..',
    ]) {
      expect(await doors({ Cookie: cookie }), cookie).toEqual(CLOSED)
    }
  })

  it('takes the token itself from programs, and no other', async () => {
    const official = contentClientOf(product, { token: TOKEN })
    await expect(official.fetch('count(*[_type == "ngo"])')).resolves.toBe(7)
    expect(await doors({ Authorization: `Bearer ${TOKEN}` })).toEqual(OPEN)
    expect(await doors({ Authorization: `Bearer ${TOKEN}x` })).toEqual(CLOSED)
  })

  it('refuses pages of other sites that send the session along', async () => {
    const headers = { Cookie: sessionOf(await logIn(product, TOKEN)), Origin: 'https://evil.example' }
    expect((await get(QUERY, headers)).status).toBe(403)
    for (const path of SOCKETS) expect((await openSocket(product, path, headers)).status).toBe(403)
  })

  it('ends by logging out, also what the session had open, and stays ended after a restart', async () => {
    const cookie = sessionOf(await logIn(product, TOKEN))
    const { socket } = await openSocket(product, '/local/listen', { Cookie: cookie })
    const closed = new Promise(resolve => socket.once('close', resolve))
    const answer = await call(product.url + LOGOUT, { method: 'POST', headers: { Cookie: cookie } })
    expect(answer.headers['set-cookie']).toEqual([expect.stringMatching(/^operator=; Max-Age=0;/)])
    await closed
    expect(await doors({ Cookie: cookie })).toEqual(CLOSED)

    const other = sessionOf(await logIn(product, TOKEN))
    await product.kill()
    product = await startProduct({ env: env() })
    expect(await doors({ Cookie: cookie })).toEqual(CLOSED)
    expect(await doors({ Cookie: other })).toEqual(OPEN)

    await product.kill()
    product = await startProduct({ env: { ...env(), OPERATOR_TOKEN: 'the token after this one' } })
    expect(await doors({ Cookie: other })).toEqual(CLOSED)
    await product.kill()
    product = await startProduct({ env: env() })
  })

  it('stands in no line of the log and in no table, whatever was tried', async () => {
    const cookie = sessionOf(await logIn(product, TOKEN))
    await call(`${product.url}/v2026-05-04/nothing?token=${encodeURIComponent(TOKEN)}`, {
      headers: { Cookie: cookie, Authorization: `Bearer ${TOKEN}` },
    })
    await call(product.url + LOGOUT, { method: 'POST', headers: { Cookie: cookie } })
    const secret = cookie.split('.').at(-1) as string
    for (const text of [product.output(), await environment.dump()]) {
      expect(text).not.toContain(TOKEN)
      expect(text).not.toContain(secret)
    }
  })

  it('is closed for a while to whoever tries too often', async () => {
    const server = await startProduct({
      env: { ...environment.secondEnv(), CARD_KEY_SECRET, OPERATOR_TOKEN: TOKEN, RATE_LIMITS: 'on' },
    })
    const { uses } = LIMITS['operator-login']
    for (let n = 0; n < uses; n++) expect((await logIn(server, 'a wrong one')).status).toBe(403)
    const stopped = await logIn(server, TOKEN)
    expect([stopped.status, stopped.headers['set-cookie']]).toEqual([429, undefined])
    expect(Number(stopped.headers['retry-after'])).toBeGreaterThan(0)
    await server.kill()
  })

  it('says in the form that was sent that it was sent too often', async () => {
    const server = await startProduct({
      env: { ...environment.secondEnv(), CARD_KEY_SECRET, OPERATOR_TOKEN: TOKEN, RATE_LIMITS: 'on' },
    })
    const saidIn = async (fields: Readonly<Record<string, string>>) => {
      const { status, text } = await sendLogin(server, fields, { query: '?lang=en' })
      const forms = text.split('<form ').slice(1)
      return [
        status,
        ...forms
          .filter(form => form.includes(`>${getT('en')('problem-too-many-requests')}</p>`))
          .map(form => /^[^>]*data-passkey="([\w-]+)"/.exec(form)?.[1] ?? 'token'),
      ]
    }
    await enrolFirst(server)
    for (let n = 0; n < LIMITS['operator-login'].uses; n++) await logIn(server, 'a wrong one')
    expect(await saidIn({ token: TOKEN })).toEqual([429, 'token'])
    expect(await saidIn({ answer: '{}' })).toEqual([429, 'sign-in'])
    expect(await saidIn({ answer: '{}', code: 'any' })).toEqual([429, 'invitation'])
    await server.kill()
  })
})

describe('the figures and the table of payouts', () => {
  const DOORS = [
    '/api/operator/summary',
    '/api/operator/payouts.csv',
    '/api/operator/audience',
    '/api/operator/content',
  ]

  it('are for the operator alone: with the token, or with a session of this site', async () => {
    const session = sessionOf(await logIn(product, TOKEN))
    const ways: [string, Record<string, string>, number][] = [
      ['nothing', {}, 401],
      ['a wrong token', { Authorization: `Bearer ${TOKEN}x` }, 401],
      ['an empty token', { Authorization: 'Bearer ' }, 401],
      ['the token as a password', { Authorization: `Basic ${TOKEN}` }, 401],
      ['a forged session', { Cookie: `${session}x` }, 401],
      ['a wrong token beside a session', { Cookie: session, Authorization: 'Bearer no' }, 401],
      ['the token', { Authorization: `Bearer ${TOKEN}` }, 200],
      ['a session', { Cookie: session }, 200],
      ['a session, from this site', { Cookie: session, Origin: product.url }, 200],
    ]
    for (const [name, headers, status] of ways) {
      for (const door of DOORS) {
        const answer = await get(door, headers)
        expect(answer.status, `${door} with ${name}`).toBe(status)
        expect(answer.headers['cache-control'], door).toContain('no-store')
        if (status === 401) expect(answer.json()).toMatchObject({ code: 'operator-only' })
      }
    }
  })

  it('are refused to pages of other sites whose browser sends the session along', async () => {
    const session = { Cookie: sessionOf(await logIn(product, TOKEN)) }
    const foreign = [
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ]
    const before = await environment.dump()
    for (const door of DOORS) {
      for (const from of foreign) {
        const answer = await get(door, { ...session, ...from })
        expectRefusal(answer, [403, 'foreign-origin'], door)
        expect(answer.headers['access-control-allow-origin'], door).toBeUndefined()
        expect(answer.headers['cross-origin-resource-policy'], door).toBe('same-origin')
      }
    }
    expect(await environment.dump()).toBe(before)
  })

  it('hold what was sold, and are a file that a table opens', async () => {
    const headers = { Authorization: `Bearer ${TOKEN}` }
    await buyCard(product)
    const { text, ...summary } = await get(DOORS[0]!, headers)
    expect(summary.status).toBe(200)
    expect(JSON.parse(text)).toMatchObject({ cards: { active: 1 } })
    expect((await get(DOORS[2]!, headers)).json()).toMatchObject({ visits: [], funnel: [], polls: [] })
    const csv = await get(DOORS[1]!, headers)
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(csv.headers['content-disposition']).toBe('attachment; filename="payouts.csv"')
    expect(csv.text).toMatch(/^\S*payout/)
    expect(await environment.dump()).toContain('payout csv')
  })
})

describe('in production, without an operator’s token', () => {
  it('local content is read by the site alone, and nobody edits it', async () => {
    const { DATA_DIR = '' } = environment.secondEnv()
    const server = await startProduct({
      env: {
        DATA_DIR,
        CARD_KEY_SECRET,
        NODE_ENV: 'production',
        LOCAL_SERVICES: 'allow',
        SITE_URL: 'http://localhost',
        RATE_LIMITS: '',
      },
    })
    expect((await call(`${server.url}/es/intro/ngo-list`)).status).toBe(200)
    const mutate = await call(`${server.url}/v2026-05-04/data/mutate/production`, {
      method: 'POST',
      body: '{"mutations":[]}',
    })
    expect([mutate.status, (await call(server.url + STATE)).status]).toEqual([401, 401])
    expect((await openSocket(server, '/local/listen', {})).status).toBe(401)
    expect((await logIn(server, '', { origin: 'http://localhost' })).headers['set-cookie']).toBeUndefined()
    expect((await call(`${server.url}/studio-login?lang=en`)).text).toContain('OPERATOR_TOKEN')
    await server.kill()
  })
})

describe('news of the hosted content service', () => {
  const NEWS = '/api/cms/published'
  const SECRET = 'what the content service signs with'
  const news = (url: string, time: number, { body = '{"_id":"x"}', secret = SECRET } = {}) => {
    const digest = createHmac('sha256', secret).update(`${time}.${body}`).digest('base64url')
    return call(url + NEWS, {
      method: 'POST',
      body: '{"_id":"x"}',
      headers: { 'Content-Type': 'application/json', 'sanity-webhook-signature': `t=${time},v1=${digest}` },
    })
  }

  it('is believed to nobody where no service is configured', async () => {
    expectRefusal(await news(product.url, Date.now()), [400, 'invalid-signature'], 'news')
  })
})
