import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DELAYS } from '#stand-ins/payments-double/index.ts'
import { CARD, openPaymentsFixture, type PaymentsFixture } from '../../../support/payments-fixture.ts'
import {
  type Bought,
  type WithdrawalsFixture,
  WORDS,
  withdrawalsOf,
} from '../../../support/withdrawals-fixture.ts'

const DAY_MS = 86_400_000

let fixture: PaymentsFixture
let shop: WithdrawalsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture()
  shop = withdrawalsOf(fixture)
})
afterEach(() => fixture.close())

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
    expect(await card.open()).toMatchObject({ answer: 'whole', total: { amount: 6_500 } })
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

describe('a withdrawal that somebody has written into the database', () => {
  it.each([
    [
      'of a card that can still be used',
      `insert into withdrawals values ('ORDER', 'refunding', 'whole', 6500, 1, 1, 1, 1, null, null, 'x')`,
    ],
    [
      'of a used card, all of it',
      `insert into withdrawals values ('ORDER', 'refunding', 'whole', 6500, 1, 1, 1, 1, null, null, 'x')`,
    ],
  ])('%s refunds nothing', async (what, statement) => {
    const card = await shop.buy()
    if (what.startsWith('of a used')) await use(card)
    await fixture.test.plant(statement.replace('ORDER', card.orderId))
    await shop.withdrawals.finish()
    expect(await shop.refunds()).toEqual([])
    expect(fixture.alarms).toContain('withdrawal-not-ours')
    expect(await fixture.findings()).not.toEqual([])
  })
})
