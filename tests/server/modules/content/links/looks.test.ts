import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/durations.ts'
import { organisationLinks } from '#server/app/schedule/links.ts'
import { createAskLink, type LinkAnswer } from '#server/modules/content/links/ask.ts'
import { deadLinks, failureOf, lookAtLinks } from '#server/modules/content/links/looks.ts'
import { isPublicAddress } from '#server/modules/content/links/public-address.ts'
import type { ContentSnapshot } from '#server/modules/content/snapshot.ts'
import { inLanguages } from '#tests/builders/domain.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { type FakeClock, fakeClock } from '#tests/support/fake-clock.ts'

const LINK = 'https://one.example/'
const OTHER = 'https://two.example/'

const organisation = (name: string, link: string) => ({
  title: inLanguages({ es: name, en: name, fr: name }),
  links: inLanguages({ es: link, en: link, fr: link }),
})
const contentOf = (...ngos: readonly ReturnType<typeof organisation>[]) =>
  ({ ngoList: { ngos }, volunteeringOrganisations: [] }) as unknown as ContentSnapshot

describe('links of organisations', () => {
  let test: TestDatabase
  let clock: FakeClock
  let content: ContentSnapshot
  let answers: Record<string, LinkAnswer>
  let asked: string[]
  beforeEach(async () => {
    test = await openTestDatabase()
    clock = fakeClock()
    content = contentOf(organisation('One', LINK), organisation('Two', OTHER))
    answers = { [LINK]: { status: 200 }, [OTHER]: { status: 404 } }
    asked = []
  })
  afterEach(() => test.close())

  async function look() {
    asked = []
    return lookAtLinks({
      db: test.db,
      clock,
      content: () => content,
      ask: async link => {
        asked.push(link)
        return answers[link]!
      },
      rest: async () => {},
    })
  }

  it('are asked once a week, one that fails every day', async () => {
    await look()
    expect(asked).toEqual([LINK, OTHER])
    await look()
    expect(asked).toEqual([])
    clock.advance(DAY_MS)
    await look()
    expect(asked).toEqual([OTHER])
    clock.advance(6 * DAY_MS)
    await look()
    expect(asked).toEqual([LINK, OTHER])
  })

  it('are dead on the third day, and live again when they answer', async () => {
    const since = clock()
    for (const day of [1, 2]) {
      expect((await look()).dead, `day ${day}`).toEqual([])
      clock.advance(DAY_MS)
    }
    const dead = { link: OTHER, organisation: 'Two', reason: 'answers 404', since }
    expect((await look()).dead).toEqual([dead])
    answers[OTHER] = { status: 200 }
    clock.advance(DAY_MS)
    expect(await look()).toMatchObject({ dead: [], back: [{ link: OTHER, organisation: 'Two' }] })
    expect(await test.db.read(db => deadLinks(db, content))).toEqual([])
  })

  it('are forgotten once the content no longer has them', async () => {
    await look()
    content = contentOf(organisation('One', LINK))
    await look()
    const rows = await test.db.read(db => db.selectFrom('link_looks').select('link').execute())
    expect(rows).toEqual([{ link: LINK }])
  })

  it('are all forgotten where the content has none', async () => {
    await look()
    content = contentOf()
    expect((await look()).dead).toEqual([])
    expect(await test.db.read(db => db.selectFrom('link_looks').select('link').execute())).toEqual([])
  })

  it('that are dead are told of with their organisation, in one alarm for each death', async () => {
    const told: object[] = []
    const log = {
      info() {},
      error: (event: string, _: unknown, facts?: object) => void told.push({ event, ...facts }),
    }
    const dead = [{ link: OTHER, organisation: 'Two', reason: 'answers 404', since: 0 }]
    const job = organisationLinks(log, async () => ({ asked: 1, dead, back: [] }))
    expect(await job.run({ goOn: async () => {} })).toEqual({ asked: 1, dead: 1 })
    expect(told).toEqual([
      {
        event: 'organisation-link-dead',
        organisation: 'Two',
        link: OTHER,
        reason: 'answers 404',
        since: '1970-01-01',
        once: `${OTHER} 1970-01-01`,
      },
    ])
  })
})

describe('a link', () => {
  let server: Server
  let at: string
  const seen: string[] = []
  const asking = (timeMs: number) =>
    createAskLink({ siteUrl: 'https://gift.example', isAllowed: () => true, timeMs })
  // Long enough for a machine that does much else.
  const allowed = asking(20_000)
  beforeAll(async () => {
    server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url}`)
      if (request.url === '/silent') return
      if (request.url === '/upgrade')
        return void request.socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: any\r\n\r\n',
        )
      if (request.url === '/moved') return void response.writeHead(301, { location: '/here' }).end()
      if (request.url === '/circle') return void response.writeHead(302, { location: '/circle' }).end()
      const status =
        request.url === '/here' || (request.url === '/get-only' && request.method === 'GET') ? 200 : 404
      response.writeHead(status).end()
    }).listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })

  it('is followed, asked by GET where HEAD finds nothing, and waited for no longer than it may take', async () => {
    expect(await allowed(`${at}/moved`)).toEqual({ status: 200 })
    seen.length = 0
    expect(await allowed(`${at}/get-only`)).toEqual({ status: 200 })
    expect(seen).toEqual(['HEAD /get-only', 'GET /get-only'])
    expect(await allowed(`${at}/gone`)).toEqual({ status: 404 })
    expect(await allowed(`${at}/circle`)).toEqual({ failure: 'goes in circles' })
    expect(await asking(500)(`${at}/silent`)).toEqual({ failure: 'no answer in time' })
  })

  it('that answers in another protocol holds nobody up', async () => {
    expect(await allowed(`${at}/upgrade`)).toEqual({ failure: 'no answer' })
  })

  it('into this machine or its network is asked by nobody, by name, by address or by a redirect', async () => {
    const ask = createAskLink({ siteUrl: 'https://gift.example', timeMs: 500 })
    const { port } = new URL(at)
    seen.length = 0
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]', '0x7f000001', '2130706433'])
      expect(await ask(`http://${host}:${port}/here`), host).toEqual({
        failure: 'leads into a private network',
      })
    expect(seen).toEqual([])
    const first = createAskLink({
      siteUrl: 'https://gift.example',
      isAllowed: (() => {
        let looks = 0
        return () => looks++ === 0
      })(),
    })
    expect(await first(`${at}/moved`)).toEqual({ failure: 'leads into a private network' })
    expect(seen).toEqual(['HEAD /moved'])
  })

  it('of a site that wants no machines is not dead', () => {
    for (const status of [200, 401, 403, 405, 429]) expect(failureOf({ status })).toBeUndefined()
    for (const status of [404, 410, 500]) expect(failureOf({ status })).toBe(`answers ${status}`)
    expect(failureOf({ failure: 'no such site' })).toBe('no such site')
  })
})

it.each([
  ['8.8.8.8', true],
  ['2606:4700::1111', true],
  ['10.0.0.1', false],
  ['100.64.0.1', false],
  ['127.8.8.8', false],
  ['169.254.169.254', false],
  ['172.31.0.1', false],
  ['192.168.1.1', false],
  ['224.0.0.1', false],
  ['0.0.0.0', false],
  ['::1', false],
  ['fe80::1', false],
  ['fd00::1', false],
  ['::ffff:8.8.8.8', false],
  ['64:ff9b::7f00:1', false],
  ['2002:7f00:1::', false],
  ['localhost', false],
])('%s is an address of the public network: %s', (address, expected) =>
  expect(isPublicAddress(address)).toBe(expected),
)
