import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/durations.ts'
import { LIMITS } from '#domain/limits/limits.ts'
import { isProblem } from '#domain/problems.ts'
import { createRateLimits } from '#server/http/pipeline/rate-limits.ts'
import {
  type Analytics,
  type Caller,
  createAnalytics,
  type NewEvent,
} from '#server/modules/analytics/analytics.ts'
import { deleteOldAnalytics, retentionLimit } from '#server/modules/analytics/retention.ts'
import { testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { plentyOfTokens } from '#tests/support/plenty-of-tokens.ts'
import { quietLog } from '#tests/support/quiet-log.ts'

const KEY = 'abcdefghijklmnopqrstuvwxyz234567'

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
let log: ReturnType<typeof quietLog>
let analytics: Analytics
const analyticsOn = (db: TestDatabase['db']) =>
  createAnalytics({ db, keys: testKeys, clock, log, countSession() {} })
const inAnotherProcess = async () => analyticsOn(await test.another())
beforeEach(async () => {
  test = await openTestDatabase()
  clock = fakeClock()
  log = quietLog()
  analytics = analyticsOn(test.db)
})
afterEach(() => test.close())

const caller = (changes: Partial<Caller> = {}): Caller => ({
  address: '192.0.2.1',
  userAgent: 'Mozilla/5.0 (iPhone) Mobile',
  language: 'es',
  refuses: false,
  ...changes,
})
const open = (isAnonymous: boolean, changes: { userId?: string; device?: object; caller?: Caller } = {}) =>
  analytics.newSession(
    {
      device: (changes.device ?? { width: 390 }) as Record<string, unknown>,
      timezoneOffset: -60,
      userId: changes.userId ?? '',
      isAnonymous,
    },
    changes.caller ?? caller(),
  )
const send = (changes: Partial<NewEvent> = {}, from = caller()) =>
  analytics.newEvent(
    { name: 'screen-view', sessionId: '', address: '/es/intro', metadata: {}, isAnonymous: true, ...changes },
    from,
  )
const stored = async () => {
  await analytics.flush()
  return test.db.read(async db => ({
    sessions: await db.selectFrom('analytics_sessions').selectAll().orderBy('created_at').execute(),
    events: await db.selectFrom('analytics_events').selectAll().orderBy('id').execute(),
    consents: await db.selectFrom('consent_records').selectAll().execute(),
  }))
}
const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'accepted',
    (error: unknown) => (isProblem(error) ? error.code : String(error)),
  )

describe('an anonymous visit', () => {
  it('is one number for a day, another the day after, and knows nothing else', async () => {
    const first = await open(true, { device: { width: 390, language: 'es-ES' }, userId: 'f'.repeat(32) })
    expect(first.userId).toBe('')
    expect((await open(true)).sessionId).toBe(first.sessionId)
    expect((await open(true, { caller: caller({ address: '192.0.2.2' }) })).sessionId).not.toBe(
      first.sessionId,
    )
    const { sessions } = await stored()
    expect(sessions).toHaveLength(2)
    expect(sessions[0]).toMatchObject({
      id: first.sessionId,
      user_id: null,
      level: 'anonymous',
      device_class: 'phone',
      device: null,
      timezone_offset: null,
      campaign: null,
    })
    clock.advance(DAY_MS)
    expect((await open(true)).sessionId).not.toBe(first.sessionId)
  })

  it('leaves no salt of an earlier day behind', async () => {
    await open(true)
    clock.advance(DAY_MS)
    await open(true)
    const salts = await test.db.read(db => db.selectFrom('analytics_salts').select('day').execute())
    expect(salts).toEqual([{ day: '2026-03-11' }])
  })

  it('is the same number in another process', async () => {
    const other = await inAnotherProcess()
    const asked = { device: {}, timezoneOffset: 0, userId: '', isAnonymous: true }
    const [one, two] = await Promise.all([
      analytics.newSession(asked, caller()),
      other.newSession(asked, caller()),
    ])
    expect(one).toEqual(two)
    await Promise.all([analytics.flush(), other.flush()])
    expect((await stored()).sessions).toHaveLength(1)
  })

  it('cannot hold an identifier: the table refuses it', async () => {
    const insert = test.db.transaction(trx =>
      trx
        .insertInto('analytics_sessions')
        .values({
          id: 'x',
          user_id: 'u',
          level: 'anonymous',
          device_class: 'phone',
          language: 'es',
          campaign: null,
          timezone_offset: null,
          device: null,
          created_at: 1,
        })
        .execute(),
    )
    await expect(insert).rejects.toThrow(/analytics_anonymous_knows_nobody/)
  })
})

describe('a visit after "accept all"', () => {
  it('keeps its number, and what the browser says of itself', async () => {
    const first = await open(false, { device: { width: 390, campaign: 'gift-seed', referrer: 'a@b.org' } })
    expect(first.userId).toMatch(/^[0-9a-f]{32}$/)
    clock.advance(30_000)
    const again = await open(false, { userId: first.userId })
    expect(again.userId).toBe(first.userId)
    expect(again.sessionId).not.toBe(first.sessionId)
    const { sessions } = await stored()
    expect(sessions.find(({ id }) => id === first.sessionId)).toMatchObject({
      user_id: first.userId,
      level: 'pseudo-anonymous',
      campaign: 'gift-seed',
      timezone_offset: -60,
      device: '{"width":390,"campaign":"gift-seed","referrer":"[address]"}',
    })
  })

  it('gets a number of ours for whatever else the browser sends as one', async () => {
    const { userId } = await open(false, { userId: 'ana@example.org' })
    expect(userId).toMatch(/^[0-9a-f]{32}$/)
  })

  it('is forgotten when it is taken back: the events stay, nobody’s', async () => {
    const { userId, sessionId } = await open(false)
    await send({ isAnonymous: false, sessionId })
    await open(true)
    await analytics.forget({ userId, sessionId })
    const { sessions, events } = await stored()
    expect(sessions.map(({ level }) => level)).toEqual(['anonymous'])
    expect(events).toHaveLength(1)
    expect(events[0]?.session_id).toBeNull()
    expect(await test.dump()).not.toMatch(new RegExp(`${userId}|${sessionId}`))
  })

  it('is one session, asked for again by the page after the one that was left too soon to hear of it', async () => {
    const userId = 'e'.repeat(32)
    const unheard = await open(false, { userId })
    clock.advance(29_999)
    expect(await open(false, { userId })).toEqual({ userId, sessionId: unheard.sessionId })
    expect((await open(false, { userId: 'f'.repeat(32) })).sessionId).not.toBe(unheard.sessionId)
  })

  it('can be forgotten by its number alone, in whichever process it was opened a moment ago', async () => {
    const other = await inAnotherProcess()
    const userId = 'e'.repeat(32)
    await open(false, { userId })
    await other.forget({ userId, sessionId: '' })
    expect((await stored()).sessions).toEqual([])
  })

  it('takes no event once it is forgotten, nor one of a session that never was', async () => {
    const { userId, sessionId } = await open(false)
    await analytics.forget({ userId, sessionId })
    await send({ isAnonymous: false, sessionId })
    await send({ isAnonymous: false, sessionId: 'f'.repeat(32) })
    await send({ isAnonymous: false, sessionId: (await open(false)).sessionId })
    expect((await stored()).events).toHaveLength(1)
    expect(await test.dump()).not.toContain(sessionId)
  })

  it.each(['a\u0000b', '\ud800', 'ana@example.org'])(
    'forgets nothing for what was never its number (%j)',
    async id => {
      await open(false)
      await analytics.forget({ userId: id, sessionId: id })
      expect((await stored()).sessions).toHaveLength(1)
    },
  )

  it('cannot be used to forget somebody else’s anonymous visit', async () => {
    const { sessionId } = await open(true)
    await analytics.forget({ userId: '', sessionId })
    expect((await stored()).sessions).toHaveLength(1)
  })
})

describe('an event', () => {
  it('is kept with the route of its page, masked, dated by our clock', async () => {
    const { sessionId } = await open(true)
    await send({
      name: 'request-error',
      sessionId: 'somebody else',
      address: `/gift-card/${KEY}/select-ngo/final?x=${KEY}`,
      metadata: { message: `for ana@example.org and ${KEY}`, url: 'cs_test_a1B2' },
    })
    const { events } = await stored()
    expect(events[0]).toMatchObject({
      session_id: sessionId,
      route: '/gift-card/{key}/select-ngo/final',
      language: 'es',
      metadata: '{"message":"for [address] and [key]","url":"[session]"}',
      created_at: clock(),
    })
  })

  it('is masked word by word, and stays data that can be read', async () => {
    await send({ metadata: { message: `"ana@example.org"\n${KEY}`, [KEY]: ['a\\@b.org'] } })
    const { events } = await stored()
    expect(JSON.parse(events[0]?.metadata ?? '')).toEqual({
      message: '"[address]"\n[key]',
      '[key]': ['[address]'],
    })
  })

  it.each(['Screen', KEY, 'a'.repeat(60), '', 'a/b'])('called %j is refused', async name => {
    expect(await codeOf(send({ name }))).toBe('invalid-fields')
    expect((await stored()).events).toEqual([])
  })

  it('of a browser that refuses to be measured is not kept, nor is its session', async () => {
    const refusing = caller({ refuses: true })
    expect(await open(false, { caller: refusing })).toEqual({ sessionId: '', userId: '' })
    await send({}, refusing)
    await send({ name: 'consent', metadata: { choice: 'all', version: 1, text: 'a'.repeat(64) } }, refusing)
    expect(await stored()).toEqual({ sessions: [], events: [], consents: [] })
  })
})

describe('the record of an answer to the consent question', () => {
  it('says what was answered to which words, to the minute, and not who', async () => {
    clock.set('2026-03-10T09:00:42.123Z')
    const { sessionId } = await open(true)
    await send({ name: 'consent', metadata: { choice: 'all', version: 1, text: 'a'.repeat(64) } })
    const { consents, events } = await stored()
    expect(consents).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        choice: 'all',
        version: 1,
        text_hash: 'a'.repeat(64),
        language: 'es',
        created_at: Date.parse('2026-03-10T09:00:00Z'),
      },
    ])
    expect(JSON.stringify(consents)).not.toContain(sessionId)
    expect(events).toEqual([])
  })

  it('is refused where it is none', async () => {
    for (const metadata of [
      {},
      { choice: 'yes', version: 1, text: 'a'.repeat(64) },
      { choice: 'all', version: 1.5, text: 'a'.repeat(64) },
      { choice: 'all', version: 1, text: 'ana' },
    ])
      expect(await codeOf(send({ name: 'consent', metadata }))).toBe('invalid-fields')
  })
})

describe('a flood', () => {
  it('is refused beyond what may wait, said once, and taken again once written', async () => {
    await open(true)
    await analytics.flush()
    const answers = new Map<string, number>()
    for (let n = 0; n < 20_500; n++) {
      const code = await codeOf(send({ metadata: { n } }))
      answers.set(code, (answers.get(code) ?? 0) + 1)
    }
    expect(Object.fromEntries(answers)).toEqual({ accepted: 20_000, 'too-many-requests': 500 })
    expect(log.events).toEqual(['analytics-overflow'])
    await analytics.flush()
    expect(await codeOf(send())).toBe('accepted')
    const [row] = await test.db.read(db =>
      db
        .selectFrom('analytics_events')
        .select(eb => eb.fn.countAll<number>().as('n'))
        .execute(),
    )
    expect(Number(row?.n)).toBe(20_000)
  })

  it('loses nothing while the database is away, and writes it once', async () => {
    let isAway = true
    const flaky = createAnalytics({
      keys: testKeys,
      db: {
        ...test.db,
        transaction: fn => (isAway ? Promise.reject(new Error('away')) : test.db.transaction(fn)),
      },
      clock,
      log,
      countSession() {},
    })
    isAway = false
    const sendTo = () =>
      flaky.newEvent(
        { name: 'scroll', sessionId: '', address: '/', metadata: {}, isAnonymous: true },
        caller(),
      )
    await sendTo()
    isAway = true
    await expect(flaky.flush()).rejects.toThrow('away')
    await sendTo()
    isAway = false
    await flaky.flush()
    await flaky.flush()
    expect((await stored()).events).toHaveLength(2)
  })
})

describe('one address that says to be ever other browsers', () => {
  const asBrowser = (n: number) => caller({ userAgent: `Mozilla/5.0 (Linux) ${n}` })
  let now: number
  let counted: string[]
  beforeEach(() => {
    now = 0
    counted = []
    const { use } = createRateLimits({ monotonic: () => now, log, tokensOf: plentyOfTokens })
    const countSession = (address: string) => {
      counted.push(address)
      use('analytics-session', address)
    }
    analytics = createAnalytics({ db: test.db, keys: testKeys, clock, log, countSession })
  })

  it('opens no more sessions by its events than by asking for them, and keeps those that it has', async () => {
    const codes: string[] = []
    for (let n = 0; n < LIMITS['analytics-session'].uses + 20; n++)
      codes.push(await codeOf(send({}, asBrowser(n))))
    expect(codes.filter(code => code === 'accepted')).toHaveLength(LIMITS['analytics-session'].uses)
    expect(codes.at(-1)).toBe('too-many-requests')
    // Who is measured already, and who comes from elsewhere, does not notice.
    expect(await codeOf(send({}, asBrowser(0)))).toBe('accepted')
    expect(await codeOf(send({}, caller({ address: '192.0.2.9' })))).toBe('accepted')
    const { sessions, events } = await stored()
    expect(sessions).toHaveLength(LIMITS['analytics-session'].uses + 1)
    expect(events).toHaveLength(LIMITS['analytics-session'].uses + 2)
    now += LIMITS['analytics-session'].perMs
    expect(await codeOf(send({}, asBrowser(1_000)))).toBe('accepted')
  })

  it('is counted once for each, and not again where its session was asked for', async () => {
    await open(true, { caller: asBrowser(1) })
    await send({}, asBrowser(1))
    expect(counted).toEqual([])
    await send({}, asBrowser(2))
    await send({}, asBrowser(2))
    expect(counted).toEqual([caller().address])
  })
})

describe('after 38 months', () => {
  it.each([
    ['2026-03-10T09:00:00Z', '2023-01-10T09:00:00.000Z'],
    ['2026-04-30T00:00:00Z', '2023-02-28T00:00:00.000Z'],
    ['2026-01-31T12:00:00Z', '2022-11-30T12:00:00.000Z'],
  ])('the limit of %s is %s', (now, limit) => {
    expect(new Date(retentionLimit(Date.parse(now))).toISOString()).toBe(limit)
  })

  it('statistics are deleted, and nothing younger', async () => {
    clock.set('2023-01-10T08:59:00Z')
    await open(true)
    await send({ name: 'consent', metadata: { choice: 'all', version: 1, text: 'a'.repeat(64) } })
    await send()
    await analytics.flush()
    clock.set('2023-01-10T09:01:00Z')
    await open(false)
    await send()
    await analytics.flush()
    let deleted = 0
    const some = () => deleteOldAnalytics(test.db, Date.parse('2026-03-10T09:00:00Z'))
    for (let n = await some(); n > 0; n = await some()) deleted += n
    expect(deleted).toBe(3)
    const { sessions, events, consents } = await stored()
    expect([sessions.length, events.length, consents.length]).toEqual([1, 1, 0])
  })
})

it('writes thousands of events a second', async () => {
  const events = 20_000
  await open(true)
  await analytics.flush()
  const started = process.cpuUsage()
  for (let n = 0; n < events; n++) await send({ metadata: { depth: n % 100 } })
  await analytics.flush()
  const { user, system } = process.cpuUsage(started)
  // Processor time of this process: what one core could do, whoever else is at work.
  expect(events / ((user + system) / 1e6)).toBeGreaterThan(5_000)
})

describe('a poll that was submitted', () => {
  const submit = (metadata: object, from = caller()) =>
    send({ name: 'poll-submitted', metadata: metadata as NewEvent['metadata'] }, from)
  const whole = { age: '20-24', informed: 'no', drink: 'tea', studying: 'no' }

  it('holds up nothing with characters that a database refuses', async () => {
    await submit({ poll: 'poll-2', answers: { ...whole, known: 'UN\u0000IC\nEF', planned: '\u0000 \ud800' } })
    await send()
    expect((await stored()).events).toHaveLength(1)
    const texts = await test.db.read(db =>
      db
        .selectFrom('poll_answers')
        .select(['question', 'value'])
        .where('question', 'in', ['known', 'planned'])
        .execute(),
    )
    expect(texts).toEqual([{ question: 'known', value: 'UNIC EF' }])
  })

  it('becomes rows that nothing ties together, also of a browser that refuses to be measured', async () => {
    const answers = { ...whole, traditions: ['diwali', 'carnival'], known: ' ask ana@example.org ' }
    await submit({ poll: 'poll-2', answers }, caller({ refuses: true }))
    const { events, sessions } = await stored()
    expect([events, sessions]).toEqual([[], []])
    const rows = await test.db.read(db => db.selectFrom('poll_answers').selectAll().execute())
    expect(rows.map(({ question, value }) => `${question}: ${value}`).sort()).toEqual([
      'age: 20-24',
      'drink: tea',
      'informed: no',
      'known: ask [address]',
      'studying: no',
      'traditions: carnival',
      'traditions: diwali',
    ])
    expect(new Set(rows.map(({ day }) => day))).toEqual(new Set([Date.parse('2026-03-10')]))
    expect(new Set(rows.map(({ id }) => id)).size).toBe(7)
  })

  it('is read as a list of answers too, and counts once however often one submission arrives', async () => {
    const answers = [
      ...Object.entries(whole).map(([id, value]) => ({ id, value, isOptional: false })),
      { id: 'culture', value: 5, isOptional: true },
      { id: 'unasked', value: 'x', isOptional: true },
      null,
    ]
    const submission = { poll: 'poll-2', answers, attempt: 'a'.repeat(32) }
    await submit(submission)
    await submit(submission)
    await submit({ ...submission, attempt: 'b'.repeat(32) })
    await stored()
    const rows = await test.db.read(db => db.selectFrom('poll_answers').select('question').execute())
    expect(rows.filter(({ question }) => question === 'culture')).toHaveLength(2)
    expect(rows).toHaveLength(10)
    expect(JSON.stringify(rows)).not.toContain('aaaa')
  })

  it('that was refused is not taken for one that was kept', async () => {
    const attempt = 'c'.repeat(32)
    expect(await codeOf(submit({ poll: 'poll-2', answers: {}, attempt }))).toBe('invalid-fields')
    await submit({ poll: 'poll-2', answers: whole, attempt })
    await stored()
    expect(await test.db.read(db => db.selectFrom('poll_answers').selectAll().execute())).toHaveLength(4)
  })

  it('is refused while a question is open, and where it is none', async () => {
    for (const metadata of [
      { poll: 'poll-2', answers: { age: '20-24' } },
      { poll: 'poll-3', answers: whole },
      { poll: 'poll-2' },
      {},
    ])
      expect(await codeOf(submit(metadata))).toBe('invalid-fields')
  })
})
