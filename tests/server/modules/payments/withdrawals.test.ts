import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS, MINUTE_MS } from '#domain/durations.ts'
import { forgetWithdrawn } from '#server/modules/gifts/cards/forget.ts'
import { createWithdrawals } from '#server/modules/payments/withdrawals/withdrawals.ts'
import { DELAYS } from '#stand-ins/payments-double/index.ts'
import {
  CARD,
  clientOf,
  openPaymentsFixture,
  type PaymentsFixture,
} from '../../../support/payments-fixture.ts'
import {
  type Bought,
  type WithdrawalsFixture,
  WORDS,
  withdrawalsOf,
} from '../../../support/withdrawals-fixture.ts'

let fixture: PaymentsFixture
let shop: WithdrawalsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture()
  shop = withdrawalsOf(fixture)
})
afterEach(() => fixture.close())

/** Withdraws while the provider takes no refund on. */
const withdrawUnheard = async (card: Bought) => {
  fixture.between(async (request, next) =>
    request.method === 'POST' ? new Response('{}', { status: 503 }) : next(request),
  )
  await card.withdraw()
  fixture.between((request, next) => next(request))
}
const use = (card: Bought) => fixture.cards.redeem(card.privateKey, [{ ngoId: 'cerf', points: 50 }])
const mailsOf = async (kind: string) =>
  (await fixture.test.db.read(db => db.selectFrom('jobs').select('id').where('kind', '=', kind).execute()))
    .length
/** The order of the newest payment, as the provider will settle it. */
const orderId = async () =>
  (
    await fixture.test.db.read(db =>
      db.selectFrom('orders').select('id').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow(),
    )
  ).id

describe('an unused card', () => {
  it('is revoked, and all of its payment goes back', async () => {
    const card = await shop.buy()
    expect(await card.open()).toMatchObject({
      answer: 'whole',
      total: { amount: 6_500 },
      back: { amount: 6_500 },
    })
    const { confirmed } = await card.withdraw()
    expect(confirmed).toMatchObject({
      state: 'refunded',
      answer: 'whole',
      amount: { amount: 6_500 },
      ...WORDS,
    })
    expect(await shop.statusOf(card.cardId)).toBe('revoked')
    expect(await shop.refunds()).toEqual(['6500 succeeded'])
    expect(await shop.balances()).toEqual({ payments: -6_500, refunds: 6_500 })
    expect(await mailsOf('withdrawal')).toBe(1)
    await expect(use(card)).rejects.toMatchObject({ code: 'card-not-found' })
    await fixture.deliver()
    expect(await fixture.findings()).toEqual([])
    expect(fixture.alarms).toEqual([])
  })

  it('is withdrawn from once, in two tabs, and pressed again and again', async () => {
    const card = await shop.buy()
    const other = shop.over(await fixture.test.another())
    await Promise.all([card.withdraw(), card.withdraw(other), card.withdraw(), card.withdraw(other)])
    const again = await card.withdraw()
    expect(again.confirmed).toMatchObject({ state: 'refunded' })
    expect(await shop.refunds()).toEqual(['6500 succeeded'])
    expect(await mailsOf('withdrawal')).toBe(1)
    expect(await fixture.findings()).toEqual([])
  })

  it('reads as one that does not exist while it is being cancelled', async () => {
    fixture.between(async () => new Response(null, { status: 503 }))
    const card = await bought()
    expect((await card.withdraw()).confirmed).toMatchObject({ state: 'refunding' })
    expect(await shop.statusOf(card.cardId)).toBe('cancelling')
    await expect(use(card)).rejects.toMatchObject({ code: 'card-not-found' })
    await expect(fixture.cards.open(card.privateKey, 'full')).rejects.toMatchObject({
      code: 'card-not-found',
    })
    expect(await fixture.findings()).toEqual([])

    async function bought() {
      const wrap = async (request: Request, next: (request: Request) => Promise<Response>) => next(request)
      fixture.between(wrap)
      const card = await shop.buy()
      fixture.between(async () => new Response('{}', { status: 503 }))
      return card
    }
  })

  it('is ended by the job where the provider did not answer', async () => {
    const card = await shop.buy()
    fixture.between(async (request, next) =>
      request.method === 'POST' ? new Response('{}', { status: 503 }) : next(request),
    )
    expect((await card.withdraw()).confirmed).toMatchObject({ state: 'refunding' })
    fixture.between((request, next) => next(request))
    expect(await shop.withdrawals.finish()).toBe(1)
    expect(await shop.rowOf(card.orderId)).toMatchObject({ state: 'refunded' })
    expect(await shop.withdrawals.finish()).toBe(0)
    expect(await shop.refunds()).toEqual(['6500 succeeded'])
    expect(await fixture.findings()).toEqual([])
  })

  it('comes back where the refund fails, and is refunded when its buyer presses again', async () => {
    const card = await shop.buy({}, CARD.failingRefund)
    await card.withdraw()
    expect(await shop.statusOf(card.cardId)).toBe('revoked')
    fixture.clock.advance(DELAYS.refundResultMs)
    await fixture.deliver()
    expect(await shop.rowOf(card.orderId)).toMatchObject({ state: 'failed' })
    expect(await shop.statusOf(card.cardId)).toBe('active')
    expect(fixture.alarms).toEqual(['withdrawal-not-refunded'])
    expect(await shop.balances()).toEqual({ payments: -6_500, cards: 5_000, support: 1_185, tax: 315 })
    expect(await fixture.findings()).toEqual([])

    // In time is what was stated, however long the bank took.
    fixture.clock.advance(40 * DAY_MS)
    expect((await card.withdraw()).confirmed).toMatchObject({ state: 'refunded', answer: 'whole' })
    expect(await shop.statusOf(card.cardId)).toBe('revoked')
    expect(await shop.refunds()).toEqual(['6500 failed', '6500 succeeded'])
    expect(await fixture.findings()).toEqual([])
  })

  it('gets what is left where a part went back before', async () => {
    const card = await shop.buy()
    await fixture.refund(700)
    await fixture.deliver()
    expect((await card.withdraw()).confirmed).toMatchObject({ amount: { amount: 5_800 } })
    expect(await shop.refunds()).toEqual(['700 succeeded', '5800 succeeded'])
    expect(await shop.statusOf(card.cardId)).toBe('revoked')
    expect(await fixture.findings()).toEqual([])
  })

  it('gets what is left where a part goes back while all of it is asked for, which the provider refuses', async () => {
    const card = await shop.buy()
    let isFirst = true
    fixture.between(async (request, next) => {
      if (!isFirst || request.method !== 'POST') return next(request)
      isFirst = false
      await fixture.refund(700)
      await fixture.deliver()
      expect(await shop.rowOf(card.orderId)).toMatchObject({ state: 'refunding', amount: 5_800 })
      return next(request)
    })
    await card.withdraw()
    await shop.withdrawals.finish()
    expect(await shop.refunds()).toEqual(['700 succeeded', '5800 succeeded'])
    expect(await shop.rowOf(card.orderId)).toMatchObject({ state: 'refunded' })
    expect(await shop.statusOf(card.cardId)).toBe('revoked')
    // The part that went back. Of the refusal there is nothing to look at.
    expect(fixture.alarms).toEqual(['payment-reversed-at-a-loss'])
    expect(await fixture.findings()).toEqual([])
  })

  it('gets what is left, though the provider refused all of it, which nobody heard, and keeps no other withdrawal waiting', async () => {
    const card = await shop.buy()
    let asked = 0
    fixture.between(async (request, next) => {
      if (request.method !== 'POST') return next(request)
      if (asked++ === 0) await fixture.refund(700)
      await next(request)
      throw new TypeError('fetch failed')
    })
    await card.withdraw()
    fixture.between((request, next) => next(request))
    const another = await shop.buy()
    fixture.between(async () => new Response(null, { status: 503 }))
    await another.withdraw()
    fixture.between((request, next) => next(request))
    await shop.withdrawals.finish()
    expect(await shop.rowOf(another.orderId)).toMatchObject({ state: 'refunded' })
    fixture.clock.advance(MINUTE_MS)
    await shop.withdrawals.finish()
    await shop.withdrawals.finish()
    expect(await shop.refunds()).toEqual(['700 succeeded', '6500 succeeded', '5800 succeeded'])
    expect(await shop.rowOf(card.orderId)).toMatchObject({ state: 'refunded' })
    expect(await fixture.findings()).toEqual([])
  })

  it('goes on by its own refund, which was made while a part went back and less was asked for under the same key', async () => {
    const card = await shop.buy()
    await fixture.cards.redeem(card.privateKey, [{ ngoId: 'cerf', points: 50 }])
    let first: Request | undefined
    let asked = 0
    fixture.between(async (request, next) => {
      if (request.method !== 'POST' || !request.url.endsWith('/v1/refunds')) return next(request)
      asked++
      if (asked === 1) {
        first = request
        await fixture.refund(700)
        await fixture.deliver()
        const copy = request.clone()
        // The job asks for the 800 that are left.
        await shop.withdrawals.finish()
        return next(copy)
      }
      if (asked === 2) await next(first!.clone())
      return next(request)
    })
    await card.withdraw()
    for (let run = 0; run < 2; run++) {
      fixture.clock.advance(MINUTE_MS)
      await shop.withdrawals.finish()
    }
    expect(await shop.refunds()).toEqual(['700 succeeded', '1500 succeeded'])
    expect(await shop.rowOf(card.orderId)).toMatchObject({ state: 'refunded' })
  })

  it('is never free again, though a look from before the refund is to be written after it', async () => {
    const card = await shop.buy()
    await withdrawUnheard(card)
    const seen: unknown[] = []
    let asked = 0
    const stripe = clientOf(async request => {
      const answer = await fixture.double.fetch(request)
      asked++
      // The first look is three questions: once they are answered, another server goes all the way.
      if (asked === 3) await shop.withdrawals.finish()
      if (asked > 3) seen.push(await shop.statusOf(card.cardId))
      return answer
    })
    await createWithdrawals({ ...shop.parts, stripe }).finish()
    expect([...new Set(seen)]).toEqual(['revoked'])
    expect(await shop.statusOf(card.cardId)).toBe('revoked')
    expect(await shop.refunds()).toEqual(['6500 succeeded'])
    expect(await fixture.findings()).toEqual([])
  })

  it('gets the rest too where a part that went back before comes back', async () => {
    const card = await shop.buy({}, CARD.failingRefund)
    await fixture.refund(700)
    fixture.clock.advance(DELAYS.refundResultMs - 1_000)
    await fixture.deliver()
    await card.withdraw()
    expect(await shop.statusOf(card.cardId)).toBe('revoked')
    fixture.clock.advance(1_000)
    await fixture.deliver()
    expect(await shop.rowOf(card.orderId)).toMatchObject({ state: 'refunding', amount: 700 })
    expect(await shop.statusOf(card.cardId)).toBe('cancelling')
    expect(await fixture.findings()).toEqual([])
    await shop.withdrawals.finish()
    expect(await shop.refunds()).toEqual(['700 failed', '5800 succeeded', '700 succeeded'])
    expect(await shop.rowOf(card.orderId)).toMatchObject({ state: 'refunded' })
    expect(await shop.statusOf(card.cardId)).toBe('revoked')
    expect(await fixture.findings()).toEqual([])
  })

  it('can be withdrawn from after all where what was given back by hand comes back', async () => {
    const card = await shop.buy({}, CARD.failingRefund)
    await fixture.refund()
    await fixture.deliver()
    expect((await card.withdraw()).confirmed).toMatchObject({ state: 'closed', answer: 'given-back' })
    fixture.clock.advance(DELAYS.refundResultMs)
    await fixture.deliver()
    expect(await shop.statusOf(card.cardId)).toBe('active')
    expect(await card.open()).toMatchObject({ answer: 'whole', back: { amount: 6_500 } })
    expect((await card.open()).confirmed).toBeUndefined()
    expect((await card.withdraw()).confirmed).toMatchObject({ state: 'refunded', answer: 'whole' })
    expect(await shop.refunds()).toEqual(['6500 failed', '6500 succeeded'])
    expect(await fixture.findings()).toEqual([])
  })

  it('that nobody answers for keeps no other one waiting', async () => {
    const stuck = await shop.buy()
    fixture.clock.advance(1_000)
    const other = await shop.buy()
    await withdrawUnheard(stuck)
    fixture.clock.advance(1_000)
    await withdrawUnheard(other)
    const { charge_id: charge } = await fixture.test.db.read(db =>
      db
        .selectFrom('charges')
        .select('charge_id')
        .where('order_id', '=', stuck.orderId)
        .executeTakeFirstOrThrow(),
    )
    fixture.between((request, next) =>
      request.url.includes(charge)
        ? Promise.resolve(Response.json({ error: { type: 'api_error' } }, { status: 500 }))
        : next(request),
    )
    for (let run = 0; run < 2; run++) {
      fixture.clock.advance(1_000)
      // The job fails, which the operator hears of.
      await expect(shop.withdrawals.finish()).rejects.toMatchObject({ code: 'provider-unavailable' })
    }
    expect(await shop.rowOf(stuck.orderId)).toMatchObject({ state: 'refunding' })
    expect(await shop.rowOf(other.orderId)).toMatchObject({ state: 'refunded' })
  })

  it('whose charge the payment account does not know is for the operator, and stays held', async () => {
    const card = await shop.buy()
    await fixture.test.plant("update charges set charge_id = 'ch_of_another_account'")
    await card.withdraw()
    expect(await shop.withdrawals.finish()).toBe(1)
    expect(await shop.statusOf(card.cardId)).toBe('cancelling')
    expect(fixture.alarms).toEqual(['withdrawal-without-charge', 'withdrawal-without-charge'])
  })

  it('is answered plainly after its days', async () => {
    const card = await shop.buy()
    fixture.clock.advance(20 * DAY_MS)
    expect((await card.withdraw()).confirmed).toMatchObject({ state: 'closed', answer: 'too-late' })
    expect(await shop.statusOf(card.cardId)).toBe('active')
    expect(await shop.refunds()).toEqual([])
    expect(await fixture.findings()).toEqual([])
  })

  it('is found at the provider where its charge was not kept', async () => {
    const card = await shop.buy()
    await shop.buy()
    await fixture.test.plant('delete from charges')
    await card.withdraw()
    expect(await shop.statusOf(card.cardId)).toBe('revoked')
    expect(await fixture.findings()).toEqual([])
  })
})

describe('a used card', () => {
  it('gives the support back and nothing else, and touches no payout', async () => {
    const card = await shop.buy()
    await use(card)
    expect(await card.open()).toMatchObject({ answer: 'support', back: { amount: 1_500 } })
    const { confirmed } = await card.withdraw()
    expect(confirmed).toMatchObject({ state: 'refunded', answer: 'support', amount: { amount: 1_500 } })
    expect(await shop.statusOf(card.cardId)).toBe('consumed')
    expect(await shop.refunds()).toEqual(['1500 succeeded'])
    expect(await shop.balances()).toEqual({ payments: -6_500, 'ngo:cerf': 5_000, refunds: 1_500 })
    await fixture.deliver()
    expect(fixture.alarms).toEqual([])
    expect(await fixture.findings()).toEqual([])
  })

  it('gives the support back once where its refund fails first', async () => {
    const card = await shop.buy({}, CARD.failingRefund)
    await use(card)
    await card.withdraw()
    fixture.clock.advance(DELAYS.refundResultMs)
    await fixture.deliver()
    expect(await shop.rowOf(card.orderId)).toMatchObject({ state: 'failed', answer: 'support' })
    expect(await fixture.findings()).toEqual([])
    await card.withdraw()
    expect(await shop.refunds()).toEqual(['1500 failed', '1500 succeeded'])
    expect(await fixture.findings()).toEqual([])
  })

  it.each([
    [700, ['700 succeeded', '800 succeeded'], 'support'],
    [1_500, ['1500 succeeded'], 'given-back'],
    [2_000, ['2000 succeeded'], 'given-back'],
  ])('gives the support back once where %i went back by hand', async (cents, refunds, answer) => {
    const card = await shop.buy()
    await use(card)
    await fixture.refund(cents)
    await fixture.deliver()
    expect((await card.withdraw()).confirmed).toMatchObject({ answer })
    expect(await shop.refunds()).toEqual(refunds)
    expect(await fixture.findings()).toEqual([])
  })

  it('gives the support back once where the operator sent it after a refund that failed', async () => {
    const card = await shop.buy({}, CARD.failingRefund)
    await use(card)
    await card.withdraw()
    fixture.clock.advance(DELAYS.refundResultMs)
    await fixture.deliver()
    await fixture.refund(1_500)
    await fixture.deliver()
    expect(await shop.rowOf(card.orderId)).toMatchObject({ state: 'closed' })
    await card.withdraw()
    expect(await shop.refunds()).toEqual(['1500 failed', '1500 succeeded'])
    expect(await fixture.findings()).toEqual([])
  })

  it('gives back what a lost dispute has left of the support', async () => {
    const card = await shop.buy()
    await use(card)
    await fixture.disputePart(1_300)
    await fixture.deliver()
    expect((await card.withdraw()).confirmed).toMatchObject({ state: 'waiting' })
    await fixture.decideDispute('lost')
    await fixture.deliver()
    await shop.withdrawals.finish()
    expect(await shop.refunds()).toEqual(['1200 succeeded'])
    expect(await fixture.findings()).toEqual([])
  })

  it('has nothing to give back where nothing was added', async () => {
    const card = await shop.buy({ supportAmount: 0 })
    await use(card)
    expect((await card.withdraw()).confirmed).toMatchObject({ state: 'closed', answer: 'used' })
    expect(await shop.refunds()).toEqual([])
  })
})

describe('a disputed payment', () => {
  const disputed = async (card: string) => {
    const bought = await shop.buy({}, card)
    fixture.clock.advance(DELAYS.disputeMs)
    await fixture.deliver()
    expect(await shop.statusOf(bought.cardId)).toBe('frozen')
    expect((await bought.withdraw()).confirmed).toMatchObject({ state: 'waiting', answer: 'whole' })
    await shop.withdrawals.finish()
    expect(await shop.refunds()).toEqual([])
    expect(await shop.statusOf(bought.cardId)).toBe('frozen')
    return bought
  }

  it('is refunded once the dispute is won, however late, and the card was never free in between', async () => {
    const card = await disputed(CARD.notReceived)
    fixture.clock.advance(40 * DAY_MS)
    await fixture.decideDispute('won')
    await fixture.deliver()
    expect(await shop.statusOf(card.cardId)).toBe('cancelling')
    await shop.withdrawals.finish()
    expect(await shop.statusOf(card.cardId)).toBe('revoked')
    expect(await shop.refunds()).toEqual(['6500 succeeded'])
    expect(await shop.balances()).toEqual({ payments: -6_500, refunds: 6_500 })
    expect(await fixture.findings()).toEqual([])
  })

  it('is told of as a loss where the bank takes too what was refunded', async () => {
    const card = await shop.buy()
    await card.withdraw()
    await fixture.disputePart(6_500)
    await fixture.deliver()
    await fixture.decideDispute('lost')
    await fixture.deliver()
    expect(await shop.statusOf(card.cardId)).toBe('revoked')
    expect(fixture.alarms).toEqual(['payment-reversed-at-a-loss'])
    expect(fixture.logged.join('\n')).toContain('"loss":6500')
    expect(await fixture.findings()).toEqual([])
  })

  it('is not refunded once more where the bank has given it back', async () => {
    const card = await disputed(CARD.disputed)
    await fixture.decideDispute('lost')
    await fixture.deliver()
    expect(await shop.statusOf(card.cardId)).toBe('revoked')
    expect(await shop.rowOf(card.orderId)).toMatchObject({ state: 'closed' })
    await shop.withdrawals.finish()
    expect(await shop.refunds()).toEqual([])
    expect(await fixture.findings()).toEqual([])
  })

  it('that begins between the press and the refund is waited for', async () => {
    const card = await shop.buy()
    fixture.between(async (request, next) =>
      request.method === 'POST' ? new Response('{}', { status: 503 }) : next(request),
    )
    await card.withdraw()
    fixture.between((request, next) => next(request))
    await fixture.disputePart(6_500)
    await shop.withdrawals.finish()
    expect(await shop.rowOf(card.orderId)).toMatchObject({ state: 'waiting' })
    expect(await shop.statusOf(card.cardId)).toBe('frozen')
    await fixture.decideDispute('won')
    await shop.withdrawals.finish()
    expect(await shop.statusOf(card.cardId)).toBe('revoked')
    expect(await fixture.findings()).toEqual([])
  })
})

describe('a payment on its way', () => {
  const pending = async (account: string) => {
    const { sessionId } = await fixture.buy({}, account)
    await expect(fixture.payments.settle(sessionId)).rejects.toMatchObject({ code: 'payment-not-completed' })
    const allowed = await shop.withdrawals.keyOfSession(sessionId)
    expect(allowed?.orderId).toBe(await orderId())
    const { confirmed } = await shop.withdrawals.confirm(allowed!.orderId, allowed!.key, WORDS)
    expect(confirmed).toMatchObject({ state: 'waiting', answer: 'whole', amount: { amount: 6_500 } })
    await shop.withdrawals.finish()
    expect(await shop.refunds()).toEqual([])
    fixture.clock.advance(DELAYS.sepaResultMs)
    await fixture.deliver()
    await shop.withdrawals.finish()
    return allowed!.orderId
  }

  it('is refunded as soon as it has arrived, and its card is never usable', async () => {
    const id = await pending(CARD.slowDebit)
    expect(await shop.rowOf(id)).toMatchObject({ state: 'refunded' })
    expect(await shop.refunds()).toEqual(['6500 pending'])
    expect(await mailsOf('confirmation')).toBe(0)
    expect(await mailsOf('withdrawal')).toBe(1)
    expect(await shop.balances()).toEqual({ payments: -6_500, refunds: 6_500 })
    expect(await fixture.findings()).toEqual([])
  })

  it('that never arrives has nothing to give back', async () => {
    const id = await pending(CARD.failingDebit)
    expect(await shop.rowOf(id)).toMatchObject({ state: 'closed', answer: 'unpaid', amount: 0 })
    expect(await shop.refunds()).toEqual([])
    expect(await fixture.findings()).toEqual([])
    // There is no card whose end would take the person off it.
    const forget = (before: number) => forgetWithdrawn(fixture.test.db, before)
    expect([await forget(0), await forget(fixture.clock() + 1), await forget(fixture.clock() + 1)]).toEqual([
      0, 1, 0,
    ])
  })
})

describe('a statement without the link', () => {
  const statement = { ...WORDS, order: '', language: 'es' as const }

  it('keeps the time that counts, until the link is pressed', async () => {
    const card = await shop.buy()
    fixture.clock.advance(13 * DAY_MS)
    await shop.withdrawals.state({ ...statement, email: WORDS.email.toUpperCase() })
    expect(await shop.statusOf(card.cardId)).toBe('active')
    fixture.clock.advance(20 * DAY_MS)
    expect((await card.withdraw()).confirmed).toMatchObject({ answer: 'whole', state: 'refunded' })
    expect(await fixture.findings()).toEqual([])
  })

  it.each([
    ['with another address', { email: 'other@mail.example' }],
    ['about another order', { order: '01arz3ndektsv4rrffq69g5fav' }],
  ])('%s counts for nothing', async (_, changes) => {
    const card = await shop.buy()
    await shop.withdrawals.state({ ...statement, ...changes })
    fixture.clock.advance(30 * DAY_MS)
    expect((await card.withdraw()).confirmed).toMatchObject({ answer: 'too-late' })
  })

  it('from before the purchase counts for nothing', async () => {
    await shop.withdrawals.state(statement)
    fixture.clock.advance(DAY_MS)
    const card = await shop.buy()
    fixture.clock.advance(30 * DAY_MS)
    expect((await card.withdraw()).confirmed).toMatchObject({ answer: 'too-late' })
  })

  it('writes the same for every address, and queues three mails a day', async () => {
    await shop.buy()
    const written: string[] = []
    for (const email of [WORDS.email, 'nobody@mail.example']) {
      const before = await mailsOf('withdrawal-links')
      for (let n = 0; n < 5; n++) await shop.withdrawals.state({ ...statement, email })
      written.push(String((await mailsOf('withdrawal-links')) - before))
    }
    expect(written).toEqual(['3', '3'])
  })
})

describe('the key', () => {
  it.each(['wrong', 'of another order'])('that is %s opens nothing and withdraws nothing', async which => {
    const card = await shop.buy()
    const other = await shop.buy()
    const key = which === 'wrong' ? 'x'.repeat(32) : fixture.deps.keys.withdrawalKey(other.orderId, 1)
    const code = { code: 'payment-not-found' }
    await expect(shop.withdrawals.open(card.orderId, key)).rejects.toMatchObject(code)
    await expect(shop.withdrawals.confirm(card.orderId, key, WORDS)).rejects.toMatchObject(code)
    await expect(shop.withdrawals.open('unknown', key)).rejects.toMatchObject(code)
    expect(await shop.statusOf(card.cardId)).toBe('active')
  })

  it('dies with the links of the card', async () => {
    const card = await shop.buy()
    await fixture.test.plant(`update cards set key_version = 2 where id = '${card.cardId}'`)
    await expect(card.open()).rejects.toMatchObject({ code: 'payment-not-found' })
  })
})

const WRITTEN = `insert into withdrawals
  (id, order_id, number, state, answer, amount, attempt, stated_at, confirmed_at, changed_at, seal)
  values ('ORDER', 'ORDER', 1, 'refunding', 'whole', 6500, 1, 1, 1, 1, 'x')`

describe('a withdrawal that somebody has written into the database', () => {
  it.each([
    ['of a card that can still be used', WRITTEN],
    ['of a used card, all of it', WRITTEN],
  ])('%s refunds nothing', async (what, statement) => {
    const card = await shop.buy()
    if (what.startsWith('of a used')) await use(card)
    await fixture.test.plant(statement.replaceAll('ORDER', card.orderId))
    await shop.withdrawals.finish()
    expect(await shop.refunds()).toEqual([])
    expect(fixture.alarms).toContain('withdrawal-not-ours')
    expect(await fixture.findings()).not.toEqual([])
  })
})
