import type { KyselyPlugin } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { isProblem } from '#domain/problems.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { createPayments } from '#server/modules/payments/payments.ts'
import { createWithdrawals } from '#server/modules/payments/withdrawals/withdrawals.ts'
import type { Database, Reader, Writer } from '#server/platform/db/database.ts'
import { count } from '#tests/support/counts.ts'
import { diesAt, Killed } from '#tests/support/crash-points.ts'
import {
  CARD,
  clientOf,
  NGOS,
  openPaymentsFixture,
  type PaymentsFixture,
} from '../../../support/payments-fixture.ts'
import { type WithdrawalsFixture, WORDS, withdrawalsOf } from '../../../support/withdrawals-fixture.ts'

/** On each engine. */
const ROUNDS = count({ usual: 3, long: 200 })
const RIVALS = 50
/** Of the steps at which a process is killed, each one, or one in so many and others the next time. */
const STRIDE = count({ usual: 7, long: 1 })

let fixture: PaymentsFixture
let shop: WithdrawalsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture()
  shop = withdrawalsOf(fixture)
})
afterEach(() => fixture.close())

const firstStep = () => 1 + Math.floor(Math.random() * STRIDE)

const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'done',
    (error: unknown) => (isProblem(error) ? error.code : String(error)),
  )
/**
 * A buyer comes again where the product asks for it, as it does where a hundred wait for one card for longer than the database may
 * take to answer. Whatever else a press ends with is its end.
 */
const comingAgain = async <T>(press: () => Promise<T>): Promise<T> => {
  for (let again = 3; ; again--) {
    try {
      return await press()
    } catch (error) {
      if (again === 0 || !isProblem(error) || error.code !== 'temporarily-unavailable') throw error
    }
  }
}
/** What ends with nothing left over. */
const total = async () => Object.values(await shop.balances()).reduce((sum, amount) => sum + amount, 0)

it(
  `fifty withdrawals and fifty redemptions of one card at once: one wins, ${ROUNDS} rounds`,
  async () => {
    const db = await fixture.test.another()
    const servers = [shop.withdrawals, shop.over(db)]
    const tills = [
      fixture.cards,
      createCards({ db, keys: fixture.deps.keys, clock: fixture.clock, listedNgoIds: () => NGOS }),
    ]
    const ends = new Set<string>()
    let refunds = 0
    for (let round = 0; round < ROUNDS; round++) {
      fixture.clock.advance(1_000)
      const card = await shop.buy()
      const withdrawals = Array.from(
        { length: RIVALS },
        (_, n) => () => comingAgain(() => card.withdraw(servers[n % 2])),
      )
      const redemptions = Array.from(
        { length: RIVALS },
        (_, n) => () =>
          codeOf(tills[n % 2]!.redeem(card.privateKey, [{ ngoId: NGOS[n % NGOS.length]!, points: n + 1 }])),
      )
      // Now the ones are first, now the others.
      const starts = withdrawals.flatMap((withdraw, n) =>
        round % 2 === 0 ? [withdraw, redemptions[n]!] : [redemptions[n]!, withdraw],
      )
      const ended = await Promise.all(starts.map(start => start()))
      const answers = new Set(
        ended.flatMap(end => (typeof end === 'string' ? [] : [end.confirmed?.answer ?? 'none'])),
      )
      const won = ended.filter(end => end === 'done')
      await shop.withdrawals.finish()
      const status = await shop.statusOf(card.cardId)
      ends.add(String(status))
      expect([...answers]).toEqual([status === 'revoked' ? 'whole' : 'support'])
      expect(won).toHaveLength(status === 'revoked' ? 0 : 1)
      expect(status === 'revoked' || status === 'consumed').toBe(true)
      expect(await shop.rowOf(card.orderId)).toMatchObject({ state: 'refunded' })
      const all = await shop.refunds()
      expect(all.slice(refunds)).toEqual([status === 'revoked' ? '6500 succeeded' : '1500 succeeded'])
      refunds = all.length
      expect(await total()).toBe(0)
      expect(await fixture.findings()).toEqual([])
    }
  },
  count({ usual: 120_000, long: 3_600_000 }),
)

const STORIES = [
  { name: 'an unused card', use: false, card: CARD.good, refund: '6500 succeeded', status: 'revoked' },
  { name: 'a used card', use: true, card: CARD.good, refund: '1500 succeeded', status: 'consumed' },
] as const

it.each(STORIES)(
  'a withdrawal from $name ends right wherever the process is killed',
  async story => {
    let deaths = 0
    let refunds = 0
    for (let step = firstStep(); ; step += STRIDE) {
      fixture.clock.advance(1_000)
      const card = await shop.buy({}, story.card)
      if (story.use) await fixture.cards.redeem(card.privateKey, [{ ngoId: 'cerf', points: 50 }])
      const mortal = diesAt(step)
      const stripe = clientOf(async request => {
        mortal.step()
        const answer = await fixture.double.fetch(request)
        // The provider has done it, and nobody hears of it.
        mortal.step()
        return answer
      })
      const dying = createWithdrawals({ ...shop.parts, stripe, db: mortal.over(fixture.test.db) })
      const key = fixture.deps.keys.withdrawalKey(card.orderId, 1)
      await dying.confirm(card.orderId, key, WORDS).catch(error => {
        if (!(error instanceof Killed)) throw error
      })
      expect(await fixture.findings(), `step ${step}`).toEqual([])

      // Another process, and the job alone: what was recorded is ended, what was not has never been.
      const recorded = await shop.rowOf(card.orderId)
      await shop.withdrawals.finish()
      const done = (await shop.refunds()).slice(refunds)
      expect(done, `step ${step}`).toEqual(recorded ? [story.refund] : [])
      expect(await shop.statusOf(card.cardId)).toBe(recorded || story.use ? story.status : 'active')
      expect(await fixture.findings(), `step ${step}`).toEqual([])
      // And the buyer, who heard nothing, presses again.
      await card.withdraw()
      await fixture.deliver()
      expect((await shop.refunds()).slice(refunds), `step ${step}`).toEqual([story.refund])
      expect(await shop.rowOf(card.orderId)).toMatchObject({ state: 'refunded' })
      expect(await fixture.findings(), `step ${step}`).toEqual([])
      refunds += 1
      if (mortal.survived()) break
      deaths++
    }
    expect(deaths).toBeGreaterThan(30 / STRIDE)
    expect(await total()).toBe(0)
  },
  300_000,
)

it('a payment that arrives after its withdrawal ends right wherever the process is killed', async () => {
  let refunds = 0
  for (let step = firstStep(); ; step += STRIDE) {
    fixture.clock.advance(1_000)
    const { sessionId } = await fixture.buy({}, CARD.slowDebit)
    const allowed = (await shop.withdrawals.keyOfSession(sessionId))!
    await shop.withdrawals.confirm(allowed.orderId, allowed.key, WORDS)
    fixture.clock.advance(10_000)
    await fixture.double.runDue()
    const mortal = diesAt(step)
    const dying = createPayments({ ...fixture.deps, db: mortal.over(fixture.test.db) })
    await dying.settle(sessionId).catch(error => {
      if (!(error instanceof Killed) && !isProblem(error)) throw error
    })
    expect(await fixture.findings(), `step ${step}`).toEqual([])
    await codeOf(fixture.payments.settle(sessionId))
    await shop.withdrawals.finish()
    expect((await shop.refunds()).length, `step ${step}`).toBe(++refunds)
    expect(await shop.rowOf(allowed.orderId)).toMatchObject({ state: 'refunded', answer: 'whole' })
    expect(await fixture.findings(), `step ${step}`).toEqual([])
    await fixture.collectEvents()
    if (mortal.survived()) break
  }
  expect(await total()).toBe(0)
}, 300_000)

it('another server carries a withdrawal out while one looks at it: one refund, and no alarm', async () => {
  for (let step = 1, isReached = true; isReached; step++) {
    fixture.clock.advance(1_000)
    const card = await shop.buy()
    // It is recorded, and its refund is not asked for yet.
    fixture.between(async (request, next) =>
      request.method === 'POST'
        ? Response.json({ error: { type: 'api_error', message: 'away' } }, { status: 500 })
        : next(request),
    )
    await card.withdraw()
    fixture.between((request, next) => next(request))
    fixture.alarms.splice(0)
    const refunds = (await shop.refunds()).length
    let statements = 0
    isReached = false
    const here = withMeanwhile(fixture.test.db, async () => {
      if (++statements !== step) return
      isReached = true
      await shop.withdrawals.finish()
    })
    await shop.over(here).finish()
    expect(fixture.alarms, `after ${step} statements`).toEqual([])
    expect(await shop.refunds()).toHaveLength(refunds + 1)
    expect(await shop.rowOf(card.orderId)).toMatchObject({ state: 'refunded' })
  }
})

/** The same database; after each statement that reads, something else happens first. */
function withMeanwhile(db: Database, meanwhile: () => Promise<void>): Database {
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      await meanwhile()
      return result
    },
  }
  const slowly = (reader: Reader): Reader =>
    (reader as unknown as Writer).withPlugin(plugin) as unknown as Reader
  return {
    ...db,
    read: fn => db.read(reader => fn(slowly(reader))),
    confirmed: fn => db.confirmed(reader => fn(slowly(reader))),
    snapshot: fn => db.snapshot(reader => fn(slowly(reader))),
  }
}
