import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createCms } from '#server/modules/content/cms.ts'
import { createContent } from '#server/modules/content/content.ts'
import { createFollower } from '#server/modules/content/follower.ts'
import { isSignedNews } from '#server/modules/content/webhook.ts'
import { thrownBy } from '#tests/builders/domain.ts'
import { contentBench } from './content-fixture.ts'
import { changed } from './seed-documents.ts'

const SECRET = 'what the content service signs with'
const BODY = '{"_id":"ngo-msf"}'
const NOW = 1_795_000_000_000
const MINUTE = 60_000

const digest = (time: number | string, body = BODY, secret = SECRET): string =>
  createHmac('sha256', secret).update(`${time}.${body}`).digest('base64url')
const header = (time: number, body = BODY, secret = SECRET) => `t=${time},v1=${digest(time, body, secret)}`
const isBelieved = (given: string | null, body = BODY) =>
  isSignedNews(body, given, { secret: SECRET, now: NOW })

describe('news of the hosted content service', () => {
  it('is believed with its signature, also a little late', () => {
    for (const time of [NOW, NOW - 4 * MINUTE, NOW + MINUTE]) expect(isBelieved(header(time))).toBe(true)
    expect(isBelieved(`t=${NOW}, v1=${digest(NOW)}=`)).toBe(true)
  })

  it.each([
    ['nothing', null],
    ['an empty signature', ''],
    ['no time', `v1=${digest(NOW)}`],
    ['no digest', `t=${NOW},v1=`],
    ['another secret', header(NOW, BODY, 'another')],
    ['another body', header(NOW, '{"_id":"other"}')],
    ['another time', `t=${NOW - 1},v1=${digest(NOW)}`],
    [
      'the digest in hexadecimal',
      `t=${NOW},v1=${createHmac('sha256', SECRET).update(`${NOW}.${BODY}`).digest('hex')}`,
    ],
    ['a copy of six minutes ago', header(NOW - 6 * MINUTE)],
    ['a time to come', header(NOW + 6 * MINUTE)],
  ])('is not believed with %s', (_, given) => {
    expect(isBelieved(given)).toBe(false)
  })

  const cmsWith = (webhookSecret: string | undefined) => {
    let nudges = 0
    const cms = createCms({
      content: { state: () => ({ releasedAt: 1, checkedAt: 2 }) },
      follower: { nudge: async () => void nudges++, isBehind: () => true },
      webhookSecret,
      clock: () => NOW,
    })
    return { cms, nudges: () => nudges }
  }

  it('makes the site look, once for each, and only when it is believed', () => {
    const { cms, nudges } = cmsWith(SECRET)
    cms.receiveNews(BODY, header(NOW))
    expect(nudges()).toBe(1)
    expect(thrownBy(() => cms.receiveNews(BODY, header(NOW, 'x')))).toMatchObject({
      code: 'invalid-signature',
    })
    expect(nudges()).toBe(1)
  })

  it('is believed to nobody while no secret is set', () => {
    const { cms, nudges } = cmsWith(undefined)
    expect(thrownBy(() => cms.receiveNews(BODY, header(NOW, BODY, '')))).toMatchObject({
      code: 'invalid-signature',
    })
    expect(nudges()).toBe(0)
  })
})

describe('the state of the content', () => {
  it('tells since when visitors see what they see, and when it was looked for', async () => {
    const bench = await contentBench()
    await bench.content.load()
    bench.setTime(5_000)
    await bench.content.refresh()
    expect(bench.content.state()).toEqual({ releasedAt: 1_000, checkedAt: 5_000 })
  })

  it.each(['refusal', 'no-network', 'nonsense'] as const)(
    'says that the service does not answer (%s), since when, and into the log once',
    async mood => {
      const bench = await contentBench()
      await bench.content.load()
      bench.answerWith(mood)
      for (const now of [2_000, 3_000, 4_000]) {
        bench.setTime(now)
        await bench.content.refresh()
      }
      const { fault } = bench.content.state()
      expect(fault).toEqual({ kind: 'unreachable', since: 2_000, says: [] })
      expect(bench.errors).toHaveLength(1)
      bench.answerWith('content')
      await bench.content.refresh()
      expect(bench.content.state().fault).toBeUndefined()
    },
  )

  it('names every field that keeps a publish from being shown', async () => {
    const bench = await contentBench()
    await bench.content.load()
    await bench.publish(changed('ngo-msf', ngo => Object.assign(ngo.title, { fr: '', en: '' })))
    await bench.content.refresh()
    const { fault } = bench.content.state()
    expect(fault?.kind).toBe('broken')
    expect(fault?.says).toHaveLength(2)
    expect(bench.errors.map(({ event }) => event)).toEqual(['content-broken'])
  })
})

describe('a content service that takes its time', () => {
  it('is waited for by nobody but the follower: what visitors see stays, and follows once it answers', async () => {
    const bench = await contentBench()
    await bench.content.load()
    const { promise: answered, resolve: answerNow } = Promise.withResolvers<void>()
    let asked = 0
    const slow = createContent({
      source: {
        async fetch(request) {
          if (asked++ > 0) await answered
          return bench.lakeFetch(request)
        },
      },
      dataDir: bench.dataDir,
      log: { info() {}, error() {} },
      clock: () => 1,
    })
    await slow.load()
    await bench.publish(changed('ngo-msf', ngo => Object.assign(ngo.title, { es: 'MSF' })))
    let published = 0
    const follower = createFollower({ refresh: slow.refresh, publish: async () => Boolean(++published) })
    const looking = follower.nudge()
    expect(slow.snapshot().ngoList.ngos[0]?.title.es).toBe('Médicos Sin Fronteras')
    expect(slow.state().fault).toBeUndefined()
    expect(published).toBe(0)
    answerNow()
    await looking
    expect([slow.snapshot().ngoList.ngos[0]?.title.es, published]).toEqual(['MSF', 1])
  })

  it('with half an answer changes nothing', async () => {
    const bench = await contentBench()
    await bench.content.load()
    const before = bench.content.snapshot()
    const half = createContent({
      source: {
        async fetch(request) {
          const text = await (await bench.lakeFetch(request)).text()
          return new Response(text.slice(0, text.length / 2), {
            headers: { 'content-type': 'application/json' },
          })
        },
      },
      dataDir: bench.dataDir,
      log: { info() {}, error() {} },
      clock: () => 1,
    })
    await half.load()
    expect(await half.refresh()).toBe(false)
    expect(half.snapshot()).toEqual(before)
    expect(half.state().fault?.kind).toBe('unreachable')
  })
})
