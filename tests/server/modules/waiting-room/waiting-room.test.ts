import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Standing } from '#domain/limits/waiting-room.ts'
import type { Comer } from '#server/modules/waiting-room/interface.ts'
import { createSharedRoom } from '#server/modules/waiting-room/shared-room.ts'
import { createWaitingRoom } from '#server/modules/waiting-room/waiting-room.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'

const PER_SECOND = 20
const BURST = 5 * PER_SECOND
const FIRST = { place: undefined, lane: 0 }

let test: TestDatabase
let another: Database
let nowUs = 0
const alarms: unknown[] = []
const log: Log = { info() {}, error: (event, _, facts) => void alarms.push([event, facts]) }
beforeAll(async () => {
  test = await openTestDatabase()
  another = await test.another()
})
afterAll(() => test.close())
beforeEach(async () => {
  await test.plant('delete from waiting_rooms')
  nowUs = 1_000_000_000
  alarms.length = 0
})

async function pass(ms: number): Promise<void> {
  nowUs += ms * 1_000
}
const shared = (db: Database, name = 'gateway') =>
  createSharedRoom({ db, name, perSecond: PER_SECOND, commonUs: () => nowUs })

describe('a room that processes share', () => {
  it('lets in no more than one process alone would, and gives each place once', async () => {
    const both = [shared(test.db), shared(another)]
    const standings: Standing[] = []
    // Both at once, again and again: each time one of them finds that the other has been first.
    for (let n = 0; n < BURST / 2 + 25; n++)
      standings.push(...(await Promise.all(both.map(room => room.ask(FIRST)))))
    expect(standings.filter(({ kind }) => kind === 'in')).toHaveLength(BURST)
    const places = standings.flatMap(each => (each.kind === 'waiting' ? [each.place.number] : []))
    expect(places.toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: 50 }, (_, n) => BURST + n),
    )
  })

  it('knows in one process the place that another has given', async () => {
    const [one, other] = [shared(test.db), shared(another)]
    for (let n = 0; n < BURST; n++) await one.ask(FIRST)
    const given = await one.ask(FIRST)
    if (given.kind !== 'waiting') throw new Error('it was let in')
    await pass(50)
    expect(await other.ask({ ...FIRST, place: given.place })).toEqual({ kind: 'in' })
  })

  it('is one row, however many wait, and not another room', async () => {
    for (let n = 0; n < BURST + 5; n++) await shared(test.db).ask(FIRST)
    expect((await shared(test.db, 'another').ask(FIRST)).kind).toBe('in')
    const rows = await test.db.read(db =>
      db.selectFrom('waiting_rooms').select('name').orderBy('name').execute(),
    )
    expect(rows).toEqual([{ name: 'another' }, { name: 'gateway' }])
  })

  it('goes by the time that all processes have in common', async () => {
    const room = createSharedRoom({ db: test.db, name: 'real', perSecond: PER_SECOND })
    expect((await room.ask(FIRST)).kind).toBe('in')
  })

  it('tells everybody who asks what the database says', async () => {
    const closed = await test.another()
    await closed.close()
    const asked = [shared(closed), shared(closed)].map(room => room.ask(FIRST))
    for (const each of asked) await expect(each).rejects.toThrow()
  })
})

describe('the waiting room of the payments', () => {
  const letIn = new Set<string>()
  const slept: number[] = []
  const roomOf = (db: Database, secret = 'a secret of the server') =>
    createWaitingRoom({
      db,
      name: 'gateway',
      perSecond: PER_SECOND,
      commonUs: () => nowUs,
      secret,
      secure: true,
      monotonic: () => nowUs / 1_000,
      log,
      wasLetIn: async key => letIn.has(key),
      async sleep(ms) {
        slept.push(ms)
        await pass(ms)
      },
    })
  const comer = (attemptKey: string | undefined, cookie = '', left = 1): Comer => ({
    headers: new Headers({ cookie }),
    attemptKey,
    left,
  })
  /** As if so many had pressed at this very moment. */
  async function crowd(count: number): Promise<void> {
    const room = shared(test.db)
    await Promise.all(Array.from({ length: count }, () => room.ask(FIRST)))
  }
  async function waits(room: ReturnType<typeof roomOf>, key: string | undefined, cookie = '') {
    const entry = await room.enter(comer(key, cookie))
    if (entry.kind !== 'waiting') throw new Error('it was let in')
    return { ...entry, sent: entry.cookie.split(';')[0]! }
  }

  it('lets everybody in where few press', async () => {
    for (let n = 0; n < BURST; n++)
      expect(await roomOf(test.db).enter(comer(`key ${n}`))).toEqual({ kind: 'in' })
    expect(alarms).toEqual([])
  })

  it('keeps whoever is next within the request until their turn', async () => {
    await crowd(BURST + 3)
    const before = nowUs
    expect(await roomOf(test.db).enter(comer('key'))).toEqual({ kind: 'in' })
    expect((nowUs - before) / 1_000).toBeLessThan(2_200)
  })

  it('gives others a place, in a cookie that no script reads, and lets them in by it', async () => {
    await crowd(BURST + 10 * PER_SECOND)
    const room = roomOf(test.db)
    const first = await waits(room, 'key')
    expect(first).toMatchObject({ ahead: 10 * PER_SECOND, isOver: false })
    expect(first.waitMs).toBeGreaterThanOrEqual(10_000)
    expect(first.askAgainMs).toBe(Math.ceil(first.waitMs / 2))
    expect(first.cookie).toMatch(/^__Host-place-[\w-]{8}=/)
    expect(first.cookie).toMatch(/; HttpOnly; Secure; SameSite=Strict$/)
    expect(room.holdsPlace(comer('key', first.sent))).toBe(true)
    expect(alarms).toEqual([['limit-of-all-visitors-spent', { limit: 'gateway' }]])
    // None of those before comes: their turns go on, and this one is called before its time.
    for (let n = 0; n < 40; n++) {
      await pass(250)
      await shared(test.db).ask({ place: undefined, lane: 4 })
    }
    const entry = await roomOf(another).enter(comer('key', first.sent))
    expect(entry).toMatchObject({ kind: 'in', cookie: expect.stringContaining('Max-Age=0') })
  })

  it.each<[string, (sent: string) => string]>([
    ['moved up by hand', sent => sent.replace(/=0-\d+-/, '=0-0-')],
    ['without its signature', sent => sent.slice(0, sent.lastIndexOf('.'))],
    ['signed by somebody else', sent => `${sent.slice(0, -4)}AAAA`],
  ])('knows no place that was %s', async (_, forge) => {
    await crowd(BURST + 10 * PER_SECOND)
    const { sent } = await waits(roomOf(test.db), 'key')
    await crowd(5)
    expect(roomOf(test.db).holdsPlace(comer('key', sent))).toBe(true)
    const forged = forge(sent)
    expect(forged).not.toBe(sent)
    expect(roomOf(test.db).holdsPlace(comer('key', forged))).toBe(false)
    expect(await waits(roomOf(test.db), 'key', forged)).toMatchObject({ ahead: 10 * PER_SECOND + 6 })
  })

  it('takes a place for no other press, and none of another secret', async () => {
    await crowd(BURST + 10 * PER_SECOND)
    const { sent, cookie } = await waits(roomOf(test.db), 'key')
    expect(roomOf(test.db).holdsPlace(comer('another key', sent))).toBe(false)
    const other = await waits(roomOf(test.db), 'another key')
    const renamed = `${other.sent.split('=')[0]}=${sent.slice(sent.indexOf('=') + 1)}`
    expect(roomOf(test.db).holdsPlace(comer('another key', renamed))).toBe(false)
    expect(roomOf(test.db, 'another secret').holdsPlace(comer('key', sent))).toBe(false)
    expect(cookie).not.toContain('key')
  })

  it('lets a press in again whose answer was lost, without another turn', async () => {
    letIn.add('lost')
    await crowd(BURST + 10 * PER_SECOND)
    const before = await test.db.read(db => db.selectFrom('waiting_rooms').selectAll().execute())
    expect(await roomOf(test.db).enter(comer('lost'))).toEqual({ kind: 'in' })
    // A form keeps its place by one key, and its payment is known by another.
    expect(await roomOf(test.db).enter({ ...comer('form'), begunBy: 'lost' })).toEqual({ kind: 'in' })
    expect(await test.db.read(db => db.selectFrom('waiting_rooms').selectAll().execute())).toEqual(before)
  })

  it('says that a place is over that was called in vain, and gives another', async () => {
    await crowd(BURST + 10 * PER_SECOND)
    const { sent } = await waits(roomOf(test.db), 'key')
    for (let n = 0; n < 60; n++) {
      await pass(500)
      await crowd(20)
    }
    await crowd(2_000)
    expect(await waits(roomOf(test.db), 'key', sent)).toMatchObject({ isOver: true })
  })

  it('lets those who have pressed much wait behind those who have not', async () => {
    await crowd(BURST)
    for (let n = 0; n < 200; n++) await shared(test.db).ask({ place: undefined, lane: 3 })
    expect(await roomOf(test.db).enter(comer('new'))).toEqual({ kind: 'in' })
    const pressed = await roomOf(test.db).enter(comer('much', '', 0.1))
    expect(pressed).toMatchObject({ kind: 'waiting' })
  })

  it('sends away whoever would wait for more than an hour, and says when to come again', async () => {
    await test.plant('delete from waiting_rooms')
    const lanes = Array.from({ length: 5 }, (_, n) => ({ given: n === 0 ? 80_000 : 0, called: 0 }))
    const state = JSON.stringify({ lanes, called: [], absent: 0, nextAt: nowUs + 5_000_000 })
    await test.plant(`insert into waiting_rooms (name, changes, state) values ('gateway', 1, '${state}')`)
    await expect(roomOf(test.db).enter(comer('key'))).rejects.toMatchObject({
      code: 'line-full',
      details: { retryAfterSeconds: 600 },
    })
  })
})
