import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/durations.ts'
import { LANGUAGES } from '#domain/languages.ts'
import { type Analytics, type Caller, createAnalytics } from '#server/modules/analytics/analytics.ts'
import { readAudience, SMALLEST_GROUP } from '#server/modules/reports/audience.ts'
import { audienceCsv, audienceLines } from '#server/ops/audience.ts'
import { testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { quietLog } from '#tests/support/quiet-log.ts'

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
let analytics: Analytics
beforeEach(async () => {
  test = await openTestDatabase()
  clock = fakeClock()
  analytics = createAnalytics({ db: test.db, keys: testKeys, clock, log: quietLog(), countSession() {} })
})
afterEach(() => test.close())

const visitor = (n: number, language: Caller['language'] = 'es'): Caller => ({
  address: `192.0.2.${n}`,
  userAgent: 'Mozilla/5.0 (iPhone) Mobile',
  language,
  refuses: false,
})
const see = (from: Caller, name: string, address: string, metadata: Record<string, unknown> = {}) =>
  analytics.newEvent({ name, sessionId: '', address, metadata, isAnonymous: true }, from)
const open = (from: Caller, device: Record<string, unknown> = {}, isAnonymous = true) =>
  analytics.newSession({ device, timezoneOffset: 0, userId: '', isAnonymous }, from)
const audience = async () => {
  await analytics.flush()
  return test.db.snapshot(reader => readAudience(reader, clock()))
}
const answer = (known: string) =>
  see(visitor(1), 'poll-submitted', '/es/intro/poll-2', {
    poll: 'poll-2',
    answers: { age: '20-24', informed: 'no', drink: 'tea', studying: 'no', known },
  })

describe('what visits tell the operator', () => {
  it('is visits by consent and language, and each screen once for every visit that saw it', async () => {
    for (const [n, language] of [
      [1, 'es'],
      [2, 'es'],
      [3, 'fr'],
    ] as const) {
      await open(visitor(n, language))
      await see(visitor(n, language), 'screen-view', `/${language}/intro/packages-donation`)
      await see(visitor(n, language), 'screen-view', `/${language}/intro/packages-donation`)
    }
    await see(visitor(1), 'screen-view', '/es/intro')
    await see(visitor(1), 'screen-view', '/es/who-we-are')
    const { visits, funnel } = await audience()
    expect(visits).toEqual([
      { level: 'anonymous', language: 'es', visits: 2 },
      { level: 'anonymous', language: 'fr', visits: 1 },
    ])
    expect(funnel).toEqual([
      { route: '/intro', language: 'es', visits: 1 },
      { route: '/intro/packages-donation', language: 'es', visits: 2 },
      { route: '/intro/packages-donation', language: 'fr', visits: 1 },
    ])
  })

  it('leaves out what is older than it looks back', async () => {
    await open(visitor(1))
    clock.advance(31 * DAY_MS)
    expect((await audience()).visits).toEqual([])
  })

  it('is campaigns by the visits and the claims they brought', async () => {
    await open(visitor(1), { campaign: 'gift-seed' }, false)
    await test.plant(`insert into free_campaigns (tag, claimed) values ('gift-chain', 7)`)
    expect((await audience()).campaigns).toEqual([
      { code: 'gift-chain', visits: 0, claims: 7 },
      { code: 'gift-seed', visits: 1, claims: 0 },
    ])
  })

  it('is poll answers only where ten were alike', async () => {
    for (let n = 0; n < SMALLEST_GROUP - 1; n++) await answer(n % 2 ? 'UNICEF' : 'unicef')
    expect((await audience()).polls).toEqual([])
    await answer('Somebody’s own words')
    const before = await audience()
    expect(before.polls.map(({ question, value, answers }) => [question, value, answers])).toEqual([
      ['age', '20-24', 10],
      ['drink', 'tea', 10],
      ['informed', 'no', 10],
      ['studying', 'no', 10],
    ])
    await answer(' Unicef ')
    const { polls } = await audience()
    expect(polls).toContainEqual({ poll: 'poll-2', question: 'known', value: 'unicef', answers: 10 })
    expect(JSON.stringify(polls)).not.toContain('own words')
  })

  it('is the 75th percentile of Web Vitals by route', async () => {
    for (const value of [400, 100, 300, 200])
      await see(visitor(1), 'web-vital', '/es/intro', { name: 'LCP', value })
    await see(visitor(1), 'web-vital', '/es/intro', { name: 'LCP', value: 'fast' })
    expect((await audience()).vitals).toEqual([{ route: '/intro', name: 'LCP', p75: 300, samples: 4 }])
  })

  it('reads on a terminal, and in a spreadsheet, which takes nothing of it for a formula', async () => {
    await open(visitor(1))
    for (let n = 0; n < SMALLEST_GROUP; n++) await answer('=1+1, "x"')
    const read = await audience()
    // A column for each language, Spanish first, and the sum.
    const none = ' +0'.repeat(LANGUAGES.length - 1)
    expect(audienceLines(read, 30).join('\n')).toMatch(new RegExp(`^anonymous +1${none} +1$`, 'm'))
    const csv = audienceCsv(read)
    expect(csv[0]).toBe('figure,of,which,value')
    expect(csv).toContain('visits,anonymous,es,1')
    expect(csv).toContain(`poll-2,known,"'=1+1, ""x""",10`)
  })
})
