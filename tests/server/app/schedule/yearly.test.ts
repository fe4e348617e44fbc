import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { autoDonateAt } from '#domain/card/term.ts'
import { DAY_MS, HOUR_MS } from '#domain/durations.ts'
import { expiry } from '#server/app/schedule/orders.ts'
import { reminders, retention } from '#server/app/schedule/yearly.ts'
import { deleteOldAnalytics } from '#server/modules/analytics/retention.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { forgetRequests, LOST_LINKS } from '#server/modules/gifts/cards/lost-links.ts'
import { remindSome } from '#server/modules/gifts/cards/remind.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { deleteUnconfirmed } from '#server/modules/letters/newsletter/newsletter.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { PeriodicJob } from '#server/platform/job-runner/job.ts'
import { createJobs } from '#server/platform/job-runner/job-runner.ts'
import { anOrder, CREATED_AT, sellCard, sellCards, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { quietLog } from '#tests/support/quiet-log.ts'

const DUE = autoDonateAt(CREATED_AT)

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
beforeEach(async () => {
  test = await openTestDatabase()
  clock = fakeClock(CREATED_AT)
})
afterEach(() => test.close())

const run = async (job: PeriodicJob) => {
  await test.plant('delete from periodic_jobs')
  await createJobs({ db: test.db, clock, log: quietLog(), rest: () => nextTurn(), jobs: [job] }).runDue()
}

describe('the reminders of a card that nobody has used', () => {
  const remind = () => run(reminders({ db: test.db, clock }))
  const queued = () =>
    test.db.read(async db => {
      const rows = await db
        .selectFrom('jobs')
        .select('dedupe_key')
        .where('kind', '=', 'reminder')
        .orderBy('run_at')
        .execute()
      return rows.map(({ dedupe_key }) => dedupe_key.split(':')[1])
    })

  it('go thirty and seven days before its last day, in the morning, once each', async () => {
    await sellCards(test.db, 1)
    const at = async (instant: string) => {
      clock.set(instant)
      await remind()
      return queued()
    }
    // The last day is 10 March 2027, in Madrid.
    expect(await at('2027-02-08T07:59:59Z')).toEqual([])
    expect(await at('2027-02-08T08:00:00Z')).toEqual(['30'])
    expect(await at('2027-03-03T07:59:59Z')).toEqual(['30'])
    expect(await at('2027-03-03T08:00:00Z')).toEqual(['30', '7'])
    expect(await at('2027-03-10T22:59:59Z')).toEqual(['30', '7'])
  })

  it('are one mail for each, however many processes look at once', async () => {
    await sellCards(test.db, 45)
    clock.set(DUE - 20 * DAY_MS)
    const all = async (db: Database) => {
      while ((await remindSome({ db, clock })).looked > 0) await nextTurn()
    }
    await Promise.all([test.db, await test.another(), await test.another()].map(all))
    await remind()
    expect(await queued()).toHaveLength(45)
  })

  const reminded = () =>
    test.db.read(db => db.selectFrom('cards').select(['remind_at', 'reminders_sent']).executeTakeFirst())

  it('say which one they are, and are counted', async () => {
    await test.db.transaction(trx => sellCard(trx, { term_months: 12, reminder_days: '[60,30,7]' }))
    const which = async (daysBefore: number) => {
      clock.set(DUE - daysBefore * DAY_MS)
      await remind()
      const jobs = await test.db.read(db =>
        db.selectFrom('jobs').select('payload').where('kind', '=', 'reminder').orderBy('run_at').execute(),
      )
      return jobs.map(({ payload }) => (JSON.parse(payload) as { which: string }).which)
    }
    expect(await which(59)).toEqual(['first'])
    expect(await which(29)).toEqual(['first', 'second'])
    expect(await which(5)).toEqual(['first', 'second', 'last'])
    expect(await which(2)).toEqual(['first', 'second', 'last'])
    expect(await reminded()).toEqual({ remind_at: null, reminders_sent: 3 })
  })

  it('are told once though a restored clock or another hand brings their time again', async () => {
    await sellCards(test.db, 1)
    clock.set(DUE - 20 * DAY_MS)
    await remind()
    await test.plant(`update cards set remind_at = ${DUE - 25 * DAY_MS}`)
    await remind()
    expect(await queued()).toEqual(['30'])
  })

  it('follow the term that the card was bought with', async () => {
    const sold = await test.db.transaction(trx => sellCard(trx, { term_months: 18, reminder_days: '[10]' }))
    const end = autoDonateAt(CREATED_AT, 18)
    const card = await test.db.read(db =>
      db.selectFrom('cards').select('auto_donate_at').where('id', '=', sold.cardId).executeTakeFirst(),
    )
    expect(card).toEqual({ auto_donate_at: end })
    clock.set(DUE)
    await remind()
    expect(await queued()).toEqual([])
    clock.set(end - 9 * DAY_MS)
    await remind()
    expect(await queued()).toEqual(['10'])
    expect(await checkLedger(test.db, { keys: testKeys })).toEqual([])
  })

  it('leave out what a long silence made late: only the nearest goes, and none after the end', async () => {
    await sellCards(test.db, 1)
    clock.set(DUE - 3 * DAY_MS)
    await remind()
    expect(await queued()).toEqual(['7'])
    await sellCards(test.db, 1)
    clock.set(DUE)
    await remind()
    expect(await queued()).toEqual(['7'])
  })

  it('do not go for cards that are used, frozen or of an unknown buyer', async () => {
    const [used, frozen, unknown] = await sellCards(test.db, 3)
    const { redeem } = createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => ['msf'] })
    await redeem(used!.privateKey, [{ ngoId: 'msf', points: 1 }])
    await test.plant(
      `update cards set status = 'frozen' where id = '${frozen!.cardId}'`,
      `update cards set email = null where id = '${unknown!.cardId}'`,
    )
    clock.set(DUE - 5 * DAY_MS)
    await remind()
    expect(await queued()).toEqual([])
  })
})

describe('the people behind what is over', () => {
  const KEEP_MS = 180 * DAY_MS
  const forget = () => run(retention({ db: test.db, clock, keepPersonsMs: KEEP_MS }))
  const persons = () =>
    test.db.read(async db => ({
      cards: await db.selectFrom('cards').select(['email', 'sender_name']).orderBy('id').execute(),
      orders: await db.selectFrom('orders').select('sender_name').orderBy('id').execute(),
    }))
  const anybody = { email: 'buyer@example.org', sender_name: 'Aina' }
  const nobody = { email: null, sender_name: null }

  it('are forgotten a set time after the card was used, and the books keep their numbers', async () => {
    const [card] = await sellCards(test.db, 1)
    const { redeem } = createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => ['msf'] })
    await redeem(card!.privateKey, [{ ngoId: 'msf', points: 50 }])
    clock.advance(KEEP_MS)
    await forget()
    expect(await persons()).toEqual({ cards: [anybody], orders: [{ sender_name: 'Aina' }] })
    clock.advance(1)
    await forget()
    expect(await persons()).toEqual({ cards: [nobody], orders: [{ sender_name: null }] })
    expect(await checkLedger(test.db)).toEqual([])
  })

  it('stay as long as their card can be used, or come back', async () => {
    const [, revoked] = await sellCards(test.db, 2)
    await test.plant(`update cards set status = 'revoked' where id = '${revoked!.cardId}'`)
    clock.set(DUE + KEEP_MS)
    await forget()
    expect((await persons()).cards).toEqual([anybody, anybody])
    clock.advance(1)
    await forget()
    expect((await persons()).cards).toContainEqual(nobody)
    expect((await persons()).cards).toContainEqual(anybody)
  })

  it('are forgotten however many there are, and on orders that came to nothing too', async () => {
    const sold = await sellCards(test.db, 120)
    const { redeem } = createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => ['msf'] })
    for (const { privateKey } of sold) await redeem(privateKey, [{ ngoId: 'msf', points: 50 }])
    await test.db.transaction(async trx => {
      for (const status of ['expired', 'failed', 'open'] as const)
        await trx.insertInto('orders').values(anOrder({ status })).execute()
    })
    clock.advance(KEEP_MS + DAY_MS)
    await forget()
    const { cards, orders } = await persons()
    expect(cards).toEqual(sold.map(() => nobody))
    expect(orders.filter(({ sender_name }) => sender_name !== null)).toHaveLength(1)
  })

  it.each([
    [
      'statistics',
      'analytics_events',
      `id, name, route, language, metadata, created_at) select cast(n as text), 'scroll', '/', 'es', '{}', 1`,
      deleteOldAnalytics,
    ],
    [
      'unconfirmed addresses',
      'newsletter_subscribers',
      `id, address_digest, status, language, text_version, asked_at)
        select cast(n as text), cast(n as text), 'pending', 'es', 1, 1`,
      deleteUnconfirmed,
    ],
    [
      'requests for lost links',
      'jobs',
      `id, kind, payload, dedupe_key, run_at, attempts, done_at, created_at)
        select cast(n as text), '${LOST_LINKS}', '{}', cast(n as text), 1, 1, 1, 1`,
      forgetRequests,
    ],
  ])('leave visitors their turn: %s go a few at a time', async (_, table, rows, forgetSome) => {
    await test.plant(
      `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 450)
        insert into ${table} (${rows} from numbers`,
    )
    const gone: number[] = []
    while (gone.at(-1) !== 0) gone.push(await forgetSome(test.db, clock()))
    expect(gone.reduce((sum, n) => sum + n)).toBe(450)
    expect(Math.max(...gone)).toBeLessThanOrEqual(200)
  })

  it('are followed by whatever else has had its time', async () => {
    const rows = [5, 3, 0]
    const job = retention({
      db: test.db,
      clock,
      keepPersonsMs: KEEP_MS,
      alsoForget: [async () => rows.shift() ?? 0],
    })
    await run(job)
    const [record] = await test.db.read(db => db.selectFrom('periodic_jobs').select('result').execute())
    expect(JSON.parse(record?.result ?? '')).toEqual({ cards: 0, others: 8 })
  })
})

describe('orders that nobody will pay any more', () => {
  it('are closed once they are over; those that the provider may still know of, after three weeks', async () => {
    const expires_at = CREATED_AT + HOUR_MS
    const orders = {
      unseen: anOrder({ expires_at }),
      seen: anOrder({
        expires_at,
        checkout_session_digest: testKeys.keyedDigest('cs_test_12345678'),
        checkout_session_sealed: 'sealed',
      }),
    }
    await test.db.transaction(async trx => {
      for (const order of Object.values(orders)) await trx.insertInto('orders').values(order).execute()
      await sellCard(trx)
    })
    const expire = () => run(expiry({ db: test.db, clock }))
    const statusOf = async (id: string) => {
      const row = await test.db.read(db =>
        db
          .selectFrom('orders')
          .select(['status', 'checkout_session_sealed'])
          .where('id', '=', id)
          .executeTakeFirst(),
      )
      // What could only be read again to ask about an open order goes with its being open.
      if (row?.status !== 'open') expect(row?.checkout_session_sealed).toBeNull()
      return row?.status
    }
    clock.set(expires_at - 1)
    await expire()
    expect(await statusOf(orders.unseen.id)).toBe('open')
    clock.set(expires_at)
    await expire()
    expect([await statusOf(orders.unseen.id), await statusOf(orders.seen.id)]).toEqual(['expired', 'open'])
    clock.advance(21 * DAY_MS)
    await expire()
    expect(await statusOf(orders.seen.id)).toBe('expired')
    expect(await checkLedger(test.db)).toEqual([])
  })
})
