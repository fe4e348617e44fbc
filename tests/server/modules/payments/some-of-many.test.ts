import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '#domain/durations.ts'
import { isProblem } from '#domain/problems.ts'
import type { Chosen } from '#domain/withdrawal/choice.ts'
import { setHold } from '#server/modules/desk/acts.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { createWithdrawals } from '#server/modules/payments/withdrawals/withdrawals.ts'
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
const ROUNDS = count({ usual: 3, long: 100 })
/** Of the steps at which a process is killed, one in so many and others the next time, or each. */
const STRIDE = count({ usual: 11, long: 1 })
/** 50 € of credit and 15 € of support for each card. */
const [WHOLE, SUPPORT] = [6_500, 1_500]

let fixture: PaymentsFixture
let shop: WithdrawalsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture()
  shop = withdrawalsOf(fixture)
})
afterEach(() => fixture.close())

/** An order of some cards: the first one has the place 0, and the number 1. */
async function bought(cards: number, card: string = CARD.good) {
  fixture.clock.advance(1_000)
  const { sessionId } = await fixture.buy({ cards }, card)
  await fixture.payments.settle(sessionId).catch(() => {})
  const { keys } = fixture.deps
  const rows = await fixture.test.db.read(db =>
    db
      .selectFrom('cards')
      .select(['id', 'order_id', 'position'])
      .orderBy('created_at', 'desc')
      .orderBy('position')
      .limit(cards)
      .execute(),
  )
  const orderId = rows[0]!.order_id!
  const key = keys.withdrawalKey(orderId, 1)
  return {
    orderId,
    key,
    idOf: (position: number) => rows[position]!.id,
    linkOf: (position: number) => keys.privateKey(rows[position]!.id, 1),
    withdraw: (chosen?: Chosen, by = shop.withdrawals) => by.confirm(orderId, key, WORDS, chosen),
    open: (chosen?: Chosen) => shop.withdrawals.open(orderId, key, chosen),
    use: (position: number) =>
      fixture.cards.redeem(keys.privateKey(rows[position]!.id, 1), [{ ngoId: 'cerf', points: 50 }]),
    async states() {
      const found = await fixture.test.db.read(db =>
        db.selectFrom('cards').select('status').where('order_id', '=', orderId).orderBy('position').execute(),
      )
      return found.map(({ status }) => status)
    },
    rows: () =>
      fixture.test.db.read(db =>
        db
          .selectFrom('withdrawals')
          .select(['number', 'cards', 'state', 'answer', 'amount'])
          .where('order_id', '=', orderId)
          .orderBy('number')
          .execute(),
      ),
  }
}
const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'done',
    (error: unknown) => (isProblem(error) ? error.code : Promise.reject(error)),
  )
const sumOf = async (account: string) => (await shop.balances())[account] ?? 0

describe('some cards of an order of many', () => {
  it('go back by their own, again and again, and the others can be used', async () => {
    const order = await bought(5)
    const looked = (await order.open([1, 3])).many?.chosen
    expect(looked).toMatchObject({ used: 0, back: { amount: 2 * WHOLE } })
    expect(looked?.unused.map(({ number }) => number)).toEqual([2, 4])
    const { many } = await order.withdraw([1, 3])
    expect(many?.withdrawals).toMatchObject([
      { state: 'refunded', answer: 'whole', amount: { amount: 2 * WHOLE }, cards: [2, 4] },
    ])
    expect(many?.left.unused.map(({ number }) => number)).toEqual([1, 3, 5])
    await fixture.deliver()
    expect(await order.states()).toEqual(['active', 'revoked', 'active', 'revoked', 'active'])
    const { data } = await fixture.stripe.refunds.list({ limit: 1 })
    expect(data[0]?.metadata).toEqual({ withdrawal: order.orderId, attempt: '1', cards: '2, 4' })
    await order.use(0)
    await expect(order.use(1)).rejects.toMatchObject({ code: 'card-not-found' })
    expect(await fixture.findings()).toEqual([])

    // Another one later, for another card; then all that is left, the support of what was used too.
    await order.withdraw([4])
    await fixture.deliver()
    expect((await order.open()).back.amount).toBe(WHOLE + SUPPORT)
    const last = await order.withdraw()
    await fixture.deliver()
    expect(last.answer).toBe('given-back')
    expect(await order.rows()).toMatchObject([
      { number: 1, cards: '2, 4', amount: 2 * WHOLE },
      { number: 2, cards: '5', amount: WHOLE },
      { number: 3, cards: '1, 3', amount: WHOLE + SUPPORT },
    ])
    expect(await shop.refunds()).toEqual(
      [2 * WHOLE, WHOLE, WHOLE + SUPPORT].map(amount => `${amount} succeeded`),
    )
    expect(await order.states()).toEqual(['consumed', 'revoked', 'revoked', 'revoked', 'revoked'])
    expect([await sumOf('cards'), await sumOf('losses'), await sumOf('support'), await sumOf('tax')]).toEqual(
      [0, 0, 0, 0],
    )
    const receipts = await fixture.test.db.read(db =>
      db.selectFrom('receipt_numbers').select('amount').where('series', '=', 'refund').execute(),
    )
    expect(receipts.map(({ amount }) => amount)).toEqual([2 * WHOLE, WHOLE, WHOLE + SUPPORT])
    const mails = await fixture.test.db.read(db =>
      db
        .selectFrom('jobs')
        .select('payload')
        .where('kind', '=', 'withdrawal')
        .orderBy('dedupe_key')
        .execute(),
    )
    const { orderId } = order
    expect(mails.map(({ payload }) => JSON.parse(payload))).toEqual([
      { orderId },
      { orderId, number: 2 },
      { orderId, number: 3 },
    ])
    expect(fixture.alarms).toEqual([])
    expect(await fixture.findings()).toEqual([])
    // Once more gives nothing more, and writes nothing.
    await order.withdraw()
    await order.withdraw([1, 4])
    expect(await order.rows()).toHaveLength(3)
  })

  it('go back once, pressed twice at once on two servers, also where the choices overlap', async () => {
    const order = await bought(6)
    const other = shop.over(await fixture.test.another())
    const presses: readonly Chosen[] = [[0, 1], [1, 2], [0, 1], [2, 3], 'all', [0]]
    await Promise.all(presses.map((chosen, n) => order.withdraw(chosen, n % 2 ? other : shop.withdrawals)))
    await shop.withdrawals.finish()
    await fixture.deliver()
    const rows = await order.rows()
    expect(rows.every(({ state }) => state === 'refunded')).toBe(true)
    expect(rows.reduce((sum, { amount }) => sum + amount, 0)).toBe(6 * WHOLE)
    expect(await order.states()).toEqual(Array(6).fill('revoked'))
    expect(await fixture.findings()).toEqual([])
  })

  it('say that none can go back, and write nothing, where each was used without support or is none', async () => {
    const order = await bought(3)
    await order.withdraw([1])
    for (const chosen of [[7], [], [-1]]) {
      const isEmpty = chosen.length === 0
      expect(await codeOf(order.withdraw(chosen))).toBe(isEmpty ? 'done' : 'invalid-fields')
      expect((await order.open(chosen)).many?.chosen).toBe(undefined)
    }
    fixture.clock.advance(30 * DAY_MS)
    expect(await codeOf(order.withdraw([2]))).toBe('invalid-fields')
    expect((await order.open()).answer).toBe('too-late')
    expect(await order.rows()).toHaveLength(1)
  })

  it('that were used meanwhile stay given, and their support goes back with the rest', async () => {
    const order = await bought(4)
    await order.use(0)
    const { many } = await order.withdraw([0, 2])
    await fixture.deliver()
    expect(many?.withdrawals).toMatchObject([
      { amount: { amount: WHOLE + SUPPORT }, cards: [1, 3], areSomeUsed: true },
    ])
    expect(await order.states()).toEqual(['consumed', 'active', 'revoked', 'active'])
    expect(await sumOf('losses')).toBe(0)
    expect(await fixture.findings()).toEqual([])
  })

  it('are named to the provider, and go back, though they are hundreds and none beside another', async () => {
    const order = await bought(500)
    const chosen = Array.from({ length: 250 }, (_, n) => 2 * n)
    await order.withdraw(chosen)
    await fixture.deliver()
    expect((await order.states()).filter(status => status === 'revoked')).toHaveLength(250)
    const { data } = await fixture.stripe.refunds.list({ limit: 1 })
    expect(Object.keys(data[0]!.metadata!).sort()).toEqual([
      'attempt',
      'cards',
      'cards_2',
      'cards_3',
      'withdrawal',
    ])
    expect(await fixture.findings()).toEqual([])
  }, 60_000)

  it('are held though the provider is away, and are given back by the job, each by its own', async () => {
    const order = await bought(4)
    fixture.between(async (request, next) =>
      request.method === 'POST' ? new Response('{}', { status: 503 }) : next(request),
    )
    await order.withdraw([0])
    await order.withdraw([3])
    expect(await order.states()).toEqual(['cancelling', 'active', 'active', 'cancelling'])
    await expect(order.use(0)).rejects.toMatchObject({ code: 'card-not-found' })
    fixture.between((request, next) => next(request))
    await order.use(1)
    expect(await shop.withdrawals.finish()).toBe(1)
    expect(await shop.refunds()).toEqual([`${WHOLE} succeeded`, `${WHOLE} succeeded`])
    expect(await order.states()).toEqual(['revoked', 'consumed', 'active', 'revoked'])
    expect(await fixture.findings()).toEqual([])
  })

  it('are asked for again where the provider refuses one of them, and no other waits for that', async () => {
    const order = await bought(3)
    let refused = 0
    fixture.between(async (request, next) => {
      const isFirst = request.method === 'POST' && !(await request.clone().text()).includes('number')
      if (!isFirst || refused++ > 0) return next(request)
      const error = { type: 'invalid_request_error', code: 'balance_insufficient', message: 'no' }
      return Response.json({ error }, { status: 400 })
    })
    await order.withdraw([0])
    expect(fixture.alarms).toContain('withdrawal-not-refunded')
    await order.withdraw([1])
    await shop.withdrawals.finish()
    await fixture.deliver()
    expect(await order.states()).toEqual(['revoked', 'revoked', 'active'])
    expect(await shop.refunds()).toEqual([`${WHOLE} succeeded`, `${WHOLE} succeeded`])
    expect(await fixture.findings()).toEqual([])
  })

  it('work again where their refund comes back, those alone, and can be chosen again after the days', async () => {
    const order = await bought(4, CARD.failingRefund)
    await order.withdraw([0, 1])
    await order.withdraw([2])
    fixture.clock.advance(60 * DAY_MS)
    await fixture.deliver()
    expect(await order.states()).toEqual(['active', 'active', 'active', 'active'])
    expect((await order.rows()).map(({ state }) => state)).toEqual(['failed', 'failed'])
    expect(await fixture.findings()).toEqual([])
    await order.use(1)
    expect((await order.open()).many?.left.unused.map(({ number }) => number)).toEqual([1, 3])
    expect(await codeOf(order.withdraw([3]))).toBe('invalid-fields')
    await order.withdraw([0, 1])
    expect((await order.rows()).at(-1)).toMatchObject({ number: 3, cards: '1-2', amount: WHOLE + SUPPORT })
    expect(await fixture.findings()).toEqual([])
  })

  it('wait for a dispute about the payment, and go back once it is won', async () => {
    const order = await bought(3, CARD.notReceived)
    fixture.clock.advance(DAY_MS)
    await fixture.deliver()
    await order.withdraw([1])
    expect(await order.rows()).toMatchObject([{ cards: '2', state: 'waiting' }])
    await fixture.decideDispute('won')
    await fixture.deliver()
    await shop.withdrawals.finish()
    expect(await order.states()).toEqual(['active', 'revoked', 'active'])
    expect(await fixture.findings()).toEqual([])
  })

  it('go back of no row that another hand has changed, or written', async () => {
    const order = await bought(4)
    fixture.between(async (request, next) =>
      request.method === 'POST' ? new Response('{}', { status: 503 }) : next(request),
    )
    await order.withdraw([0])
    fixture.between((request, next) => next(request))
    // Another card that nobody can use at the moment: its price would go back, and the first would be free again.
    const acts = { keys: fixture.deps.keys, clock: fixture.clock }
    await fixture.test.db.transaction(trx =>
      setHold(trx, acts, 'donation', { card: order.idOf(1), stands: true }),
    )
    await fixture.test.plant(`update withdrawals set cards = '2'`)
    await shop.withdrawals.finish()
    expect(await shop.refunds()).toEqual([])
    expect(fixture.alarms).toContain('withdrawal-not-ours')
    expect(await fixture.findings()).not.toEqual([])
  })

  it('agree with a card that was used before by a server whose clock is ten hours ahead', async () => {
    for (const isProviderAway of [false, true]) {
      const order = await bought(3)
      fixture.clock.advance(10 * HOUR_MS)
      await order.use(0)
      fixture.clock.advance(-10 * HOUR_MS)
      if (isProviderAway) fixture.between(async () => new Response('{}', { status: 503 }))
      await order.withdraw([0, 1]).catch(() => {})
      fixture.between((request, next) => next(request))
      const state = isProviderAway ? 'refunding' : 'refunded'
      expect(await order.rows()).toMatchObject([{ state, amount: WHOLE + SUPPORT }])
      expect(await fixture.findings()).toEqual([])
    }
  })

  it.each([0, 10])(
    'are a finding where a card was used after them, by a clock that is %i hours behind',
    async hours => {
      const order = await bought(3)
      fixture.between(async () => new Response('{}', { status: 503 }))
      await order.withdraw([0, 1]).catch(() => {})
      fixture.between((request, next) => next(request))
      expect(await fixture.findings()).toEqual([])
      // By another hand: the product uses no card that is held.
      await fixture.test.plant(
        `update cards set status = 'active' where id = '${order.idOf(0)}'`,
        `delete from card_holds where card_id = '${order.idOf(0)}'`,
      )
      fixture.clock.advance(1_000 - hours * HOUR_MS)
      await order.use(0)
      expect(await fixture.findings()).toContainEqual(
        expect.objectContaining({
          rule: 'withdrawal-differs',
          subject: order.orderId,
          expected: WHOLE + SUPPORT,
          found: 2 * WHOLE,
        }),
      )
    },
  )

  it('are not found twice: two withdrawals of one card are a finding', async () => {
    const order = await bought(3)
    await order.withdraw([1])
    await fixture.deliver()
    await fixture.test.plant(
      `insert into withdrawals (id, order_id, number, cards, state, answer, amount, attempt, stated_at, confirmed_at, changed_at)
       select 'another', order_id, 2, cards, state, answer, amount, 1, stated_at, confirmed_at, changed_at from withdrawals`,
    )
    expect(await fixture.findings()).toContainEqual(
      expect.objectContaining({ rule: 'withdrawal-differs', expected: 1, found: 2 }),
    )
  })
})

it('what its recipient left to the draw is not given back whole, though a dispute holds it meanwhile', async () => {
  const single = await shop.buy({}, CARD.notReceived)
  await fixture.cards.leave(single.privateKey)
  const order = await bought(3, CARD.notReceived)
  await fixture.cards.leave(order.linkOf(0))
  fixture.clock.advance(DAY_MS)
  await fixture.deliver()
  expect(await order.states()).toEqual(['frozen', 'frozen', 'frozen'])
  expect((await single.open()).back.amount).toBe(SUPPORT)
  expect((await order.open()).many?.left.unused.map(({ number }) => number)).toEqual([2, 3])
  expect((await order.open()).back.amount).toBe(2 * WHOLE + SUPPORT)
  await single.withdraw()
  await order.withdraw()
  const { data } = await fixture.stripe.charges.list({ limit: 10 })
  for (const { id } of data) await fixture.decideDispute('won', id)
  await fixture.deliver()
  await shop.withdrawals.finish()
  expect(await order.states()).toEqual(['left', 'revoked', 'revoked'])
  expect(await shop.statusOf(single.cardId)).toBe('left')
  expect([...(await shop.refunds())].sort()).toEqual(
    [`${SUPPORT} succeeded`, `${2 * WHOLE + SUPPORT} succeeded`].sort(),
  )
  expect(await sumOf('losses')).toBe(0)
  expect(await fixture.findings()).toEqual([])
})

it(
  `withdrawals from some and redemptions of all of them at once: each card goes one way, ${ROUNDS} rounds`,
  async () => {
    const size = 12
    const db = await fixture.test.another()
    const servers = [shop.withdrawals, shop.over(db)]
    const tills = [
      fixture.cards,
      createCards({ db, keys: fixture.deps.keys, clock: fixture.clock, listedNgoIds: () => NGOS }),
    ]
    for (let round = 0; round < ROUNDS; round++) {
      const order = await bought(size)
      const before = (await shop.refunds()).length
      const acts = Array.from({ length: size }, (_, n) => [
        () => order.withdraw([n, (n + 1) % size], servers[n % 2]),
        () => codeOf(tills[n % 2]!.redeem(order.linkOf(n), [{ ngoId: 'cerf', points: 50 }])),
      ]).flatMap(pair => (round % 2 === 0 ? pair : pair.toReversed()))
      await Promise.all(acts.map(act => codeOf(act())))
      await shop.withdrawals.finish()
      await fixture.deliver()
      const states = await order.states()
      const used = states.filter(status => status === 'consumed').length
      expect(states.every(status => status === 'consumed' || status === 'revoked')).toBe(true)
      const back = (await shop.refunds()).slice(before).map(text => Number.parseInt(text, 10))
      const sum = back.reduce((all, amount) => all + amount, 0)
      // Who withdrew from a used card has its support back, and who came first of all its price.
      expect(sum).toBeGreaterThanOrEqual((size - used) * WHOLE)
      expect(sum).toBeLessThanOrEqual((size - used) * WHOLE + used * SUPPORT)
      expect(await fixture.findings()).toEqual([])
    }
  },
  count({ usual: 120_000, long: 1_800_000 }),
)

it('two withdrawals, one after the other, end right wherever the process is killed', async () => {
  let deaths = 0
  for (let step = 1 + Math.floor(Math.random() * STRIDE); ; step += STRIDE) {
    const order = await bought(4)
    const before = (await shop.refunds()).length
    const mortal = diesAt(step)
    const stripe = clientOf(async request => {
      mortal.step()
      const answer = await fixture.double.fetch(request)
      // The provider has done it, and nobody hears of it.
      mortal.step()
      return answer
    })
    const dying = createWithdrawals({ ...shop.parts, stripe, db: mortal.over(fixture.test.db) })
    const press = async () => {
      await order.withdraw([0, 2], dying)
      await order.withdraw([3], dying)
    }
    await press().catch(error => {
      if (!(error instanceof Killed)) throw error
    })
    expect(await fixture.findings(), `step ${step}`).toEqual([])
    const recorded = await order.rows()
    await shop.withdrawals.finish()
    const done = async () => (await shop.refunds()).slice(before)
    expect(await done(), `step ${step}`).toEqual(
      [2 * WHOLE, WHOLE].slice(0, recorded.length).map(amount => `${amount} succeeded`),
    )
    expect(await fixture.findings(), `step ${step}`).toEqual([])
    // And the buyer, who heard nothing, presses again.
    await order.withdraw([0, 2])
    await order.withdraw([3])
    await fixture.deliver()
    expect(await done(), `step ${step}`).toEqual([`${2 * WHOLE} succeeded`, `${WHOLE} succeeded`])
    expect(await order.states(), `step ${step}`).toEqual(['revoked', 'active', 'revoked', 'revoked'])
    expect(await fixture.findings(), `step ${step}`).toEqual([])
    if (mortal.survived()) break
    deaths++
  }
  expect(deaths).toBeGreaterThan(60 / STRIDE)
}, 300_000)
