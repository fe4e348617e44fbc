import { afterEach, beforeEach, expect, it } from 'vitest'
import { DAY_MS, MINUTE_MS } from '#domain/durations.ts'
import { cardFile } from '#server/modules/desk/card-file.ts'
import { clearPersons, forgetMessagesOfNobody, forgetSome } from '#server/modules/gifts/cards/forget.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import type { Message } from '#server/modules/letters/message.ts'
import { createCertificates, listCertificates } from '#server/modules/payments/certificates/certificates.ts'
import { refundByOperator } from '#server/modules/payments/refund-by-operator.ts'
import { readSummary } from '#server/modules/reports/summary.ts'
import { readMovements } from '#server/modules/treasury/read.ts'
import { letterWorker } from '#tests/builders/letters.ts'
import { aPress } from '#tests/builders/press.ts'
import { deskOf } from '#tests/support/desk-of-payments.ts'
import { NGOS, openPaymentsFixture, type PaymentsFixture } from '../../../support/payments-fixture.ts'
import { type WithdrawalsFixture, WORDS, withdrawalsOf } from '../../../support/withdrawals-fixture.ts'

let fixture: PaymentsFixture
let shop: WithdrawalsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture()
  shop = withdrawalsOf(fixture)
})
afterEach(() => fixture.close())

const AINA = { name: 'Aina Ferrer', document: '12345678Z', address: 'Carrer Major 1' }
const everything = { from: 0, until: Number.MAX_SAFE_INTEGER, to: Number.MAX_SAFE_INTEGER }

/** The cards of an order of so many, by their places. */
async function bought(cards: number, changes: Parameters<PaymentsFixture['buy']>[0] = {}) {
  await fixture.buy({ ...changes, cards })
  await fixture.deliver()
  const rows = await fixture.test.db.read(db =>
    db
      .selectFrom('cards')
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('position')
      .limit(cards)
      .execute(),
  )
  const order = rows[0]!.order_id!
  return { order, cards: rows, key: fixture.deps.keys.withdrawalKey(order, 1) }
}
const use = ({ id }: { readonly id: string }, n = 0) =>
  fixture.cards.redeem(fixture.deps.keys.privateKey(id, 1), [{ ngoId: NGOS[n % NGOS.length]!, points: 50 }])
/** Gives back money of one card of three. */
const backOf = ({ id }: { readonly id: string }, amount = 6_500) =>
  ({ act: 'refund', card: id, amount, currency: 'EUR', left: 19_500, used: false }) as const
const statuses = async () => {
  const rows = await fixture.test.db.read(db =>
    db.selectFrom('cards').select('status').orderBy('position').execute(),
  )
  return rows.map(({ status }) => status)
}
const desk = () => deskOf(fixture)

it('the desk finds each card of an order, and each has its own lines of the books', async () => {
  const { order, cards } = await bought(3)
  const found = await desk().find(order)
  expect(found.hits.map(({ id }) => id)).toEqual(cards.map(({ id }) => id))
  for (const { id } of cards) {
    const file = await fixture.test.db.read(db => cardFile(db, id))
    const booked = file?.history.filter(({ what }) => what === 'booked: sale')
    expect(booked?.map(({ details }) => details)).toEqual([
      'cards 50.00, payments -65.00, support 11.85, tax 3.15',
    ])
    expect(file?.history.find(({ what }) => what === 'ordered')?.details).toContain('for 3 cards')
  }
})

it('money that an operator gives back from the file of a card is of that one, even where it is all that is left', async () => {
  const { cards } = await bought(3)
  const back = (card: string, amount: number, left: number, press: string) =>
    desk().act({ act: 'refund', card, amount, currency: 'EUR', left, used: false }, aPress(press))
  await back(cards[1]!.id, 6_500, 19_500, 'one')
  expect(await statuses()).toEqual(['active', 'revoked', 'active'])
  const lines = await fixture.test.db.read(db => cardFile(db, cards[0]!.id))
  expect(lines?.history.some(({ what }) => what === 'booked: reversal')).toBe(false)
  const refused = { code: 'act-refused', details: { fields: [{ path: 'act', rule: 'amount' }] } }
  await expect(back(cards[0]!.id, 13_000, 13_000, 'all')).rejects.toMatchObject(refused)
  expect(await statuses()).toEqual(['active', 'revoked', 'active'])
  await back(cards[0]!.id, 1_000, 13_000, 'a part')
  await back(cards[2]!.id, 6_500, 12_000, 'three')
  await back(cards[0]!.id, 5_500, 5_500, 'the rest')
  expect(await statuses()).toEqual(['revoked', 'revoked', 'revoked'])
  const named = (await fixture.stripe.refunds.list()).data.map(({ metadata }) => metadata?.cards)
  expect(named).toEqual(['1', '3', '1', '2'])
  // The part was the product's loss until the rest was back.
  expect(fixture.alarms).toEqual(['payment-reversed-at-a-loss'])
  expect(await fixture.findings()).toEqual([])
})

it('while money goes back of one card that one alone is held, even where no more is left of all', async () => {
  const { cards } = await bought(3)
  let seen: readonly string[] = []
  const { act } = deskOf(fixture, {
    async refund() {
      seen = await statuses()
      return 'provider-refused'
    },
  })
  const asked = { card: cards[1]!.id, amount: 19_500, currency: 'EUR', left: 19_500, used: false } as const
  await expect(act({ act: 'refund', ...asked }, aPress('all'))).rejects.toMatchObject({ code: 'act-refused' })
  expect(seen).toEqual(['active', 'frozen', 'active'])
  expect(await statuses()).toEqual(['active', 'active', 'active'])
})

it('of two parts that go back of one card at once the second is refused, and of two cards none', async () => {
  const { cards } = await bought(3)
  const back = (card: string, left: number, press: string) =>
    desk().act({ act: 'refund', card, amount: 3_250, currency: 'EUR', left, used: false }, aPress(press))
  const [one, other] = [cards[1]!.id, cards[2]!.id]
  const meanwhile: unknown[] = []
  let isFirst = true
  fixture.between(async (request, next) => {
    if (isFirst && request.method === 'POST' && request.url.endsWith('/v1/refunds')) {
      isFirst = false
      meanwhile.push(await back(one, 19_500, 'second').catch(error => error.details.fields[0].rule))
      meanwhile.push((await back(other, 19_500, 'of another')).isRepeated)
      meanwhile.push(await statuses())
    }
    return next(request)
  })
  await back(one, 19_500, 'first')
  expect(meanwhile).toEqual(['refund-under-way', false, ['active', 'frozen', 'active']])
  await back(one, 13_000, 'second')
  expect(await statuses()).toEqual(['active', 'revoked', 'active'])
  expect((await fixture.stripe.refunds.list()).data.map(({ metadata }) => metadata?.cards)).toEqual([
    '2',
    '2',
    '3',
  ])
  expect(await fixture.findings()).toEqual([])
})

it('a card whose refund by an operator is under way goes back once, though its buyer withdraws at the same moment', async () => {
  const { order, cards, key } = await bought(3)
  const asked = { amount: 6_500, currency: 'EUR', left: 19_500, used: false } as const
  let isFirst = true
  fixture.between(async (request, next) => {
    if (isFirst && request.method === 'POST' && request.url.endsWith('/v1/refunds')) {
      isFirst = false
      await shop.withdrawals.confirm(order, key, WORDS, [1, 2])
    }
    return next(request)
  })
  await desk().act({ act: 'refund', card: cards[1]!.id, ...asked }, aPress('one'))
  await shop.withdrawals.finish()
  // What the buyer withdrew from beside it goes back all the same.
  expect((await fixture.stripe.refunds.list()).data.map(({ amount }) => amount)).toEqual([6_500, 6_500])
  expect(await statuses()).toEqual(['active', 'revoked', 'revoked'])
  expect(await shop.rowOf(order)).toMatchObject({ state: 'refunded' })
  expect(await fixture.findings()).toEqual([])
})

it('a refund that was under way when a withdrawal asked the provider is waited for, however long it takes', async () => {
  const { order, cards, key } = await bought(3)
  const asked = { amount: 6_500, currency: 'EUR', left: 19_500, used: false } as const
  let step: 'before' | 'withdrawing' | 'after' = 'before'
  fixture.between(async (request, next) => {
    if (step === 'before' && request.method === 'POST' && request.url.endsWith('/v1/refunds')) {
      step = 'withdrawing'
      fixture.clock.advance(10 * MINUTE_MS - 1)
      await shop.withdrawals.confirm(order, key, WORDS, [1])
      expect(step).toBe('after')
    } else if (step === 'withdrawing') {
      step = 'after'
      fixture.clock.advance(1)
    }
    return next(request)
  })
  await desk().act({ act: 'refund', card: cards[1]!.id, ...asked }, aPress('one'))
  await shop.withdrawals.finish()
  expect((await fixture.stripe.refunds.list()).data.map(({ amount }) => amount)).toEqual([6_500])
  expect(await statuses()).toEqual(['active', 'revoked', 'active'])
  expect(await fixture.findings()).toEqual([])
})

it('a card that its buyer withdraws from goes back once, though an operator looked at the provider just before', async () => {
  const { order, cards, key } = await bought(3)
  const asked = { amount: 6_500, currency: 'EUR', left: 19_500, used: false } as const
  const looked = Promise.withResolvers<void>()
  const withdrawn = Promise.withResolvers<void>()
  let step: 'before' | 'operator looks' | 'after' = 'before'
  let looks = 0
  let operator: Promise<unknown> | undefined
  fixture.between(async (request, next) => {
    if (step === 'before' && request.method === 'POST' && request.url.endsWith('/v1/refunds')) {
      step = 'operator looks'
      const press = desk().act({ act: 'refund', card: cards[1]!.id, ...asked }, aPress('one'))
      operator = press.catch(error => error.details.fields[0].rule)
      await looked.promise
      step = 'after'
      return next(request)
    }
    if (step !== 'operator looks') return next(request)
    const answer = await next(request)
    // Charge, refunds and disputes: what the operator hears is from before the withdrawal's refund.
    if (++looks === 3) looked.resolve()
    await withdrawn.promise
    return answer
  })
  await shop.withdrawals.confirm(order, key, WORDS, [1])
  withdrawn.resolve()
  expect(await operator).toBe('withdrawal-under-way')
  expect((await fixture.stripe.refunds.list()).data.map(({ amount }) => amount)).toEqual([6_500])
  expect(await statuses()).toEqual(['active', 'revoked', 'active'])
  expect(await fixture.findings()).toEqual([])
})

it.each(['withdrawal-under-way', 'changed'])(
  'a press that comes again and is refused ends nothing that its call of before began: %s',
  async why => {
    const { order, cards, key } = await bought(3)
    const card = cards[1]!.id
    const asked = { act: 'refund', card, amount: 6_500, currency: 'EUR', left: 19_500, used: false } as const
    const seen: unknown[] = []
    let isFirst = true
    fixture.between(async (request, next) => {
      if (isFirst && request.method === 'POST' && request.url.endsWith('/v1/refunds')) {
        isFirst = false
        if (why === 'changed') await desk().act({ ...asked, card: cards[2]!.id }, aPress('of another'))
        else await shop.withdrawals.confirm(order, key, WORDS, [1])
        seen.push(
          await desk()
            .act(asked, aPress('one'))
            .catch(error => error.details.fields[0].rule),
        )
        seen.push(await use(cards[1]!).catch(error => error.code))
        await shop.withdrawals.finish()
      }
      return next(request)
    })
    await desk()
      .act(asked, aPress('one'))
      .catch(() => {})
    expect(seen).toEqual([why, 'card-not-found'])
    await shop.withdrawals.finish()
    const named = (await fixture.stripe.refunds.list()).data.map(({ metadata }) => metadata?.cards)
    expect(named).toEqual(why === 'changed' ? ['2', '3'] : ['2'])
    expect(await statuses()).toEqual(['active', 'revoked', why === 'changed' ? 'revoked' : 'active'])
    expect(await fixture.findings()).toEqual([])
  },
)

it.each(['the first of three', 'the second of two'])(
  'of several calls of one press %s ends last, and leaves its card held by nothing',
  async last => {
    const { cards } = await bought(3)
    const asked = backOf(cards[1]!, 1_000)
    const firstIsOver = Promise.withResolvers<void>()
    const secondLooks = Promise.withResolvers<void>()
    const again = () =>
      desk()
        .act(asked, aPress('one'))
        .catch(error => error.details.fields[0].rule)
    let second: Promise<unknown> | undefined
    fixture.between(async (request, next) => {
      if (second === undefined && request.method === 'POST' && request.url.endsWith('/v1/refunds')) {
        const answer = await next(request)
        const both = () => Promise.all([again(), again()]).then(([one]) => one)
        second = last === 'the first of three' ? both() : again()
        await (last === 'the first of three' ? second : secondLooks.promise)
        return answer
      }
      if (second !== undefined && last === 'the second of two') {
        secondLooks.resolve()
        // What the first asks meanwhile is what follows its own refund.
        if (isSecondWaiting()) await firstIsOver.promise
      }
      return next(request)
    })
    let looks = 0
    const isSecondWaiting = () => ++looks <= 3
    await desk().act(asked, aPress('one'))
    firstIsOver.resolve()
    expect(await second).toEqual({ card: asked.card, isRepeated: false })
    expect((await fixture.stripe.refunds.list()).data.map(({ amount }) => amount)).toEqual([1_000])
    expect(await statuses()).toEqual(['active', 'active', 'active'])
    const notes = await fixture.test.db.read(db =>
      db.selectFrom('sightings').select('name').where('name', 'like', 'refund%').execute(),
    )
    expect(notes).toEqual([])
  },
)

it('a card goes back once, though its press comes again after the provider refused to give back another', async () => {
  const { cards } = await bought(3)
  const asked = backOf(cards[1]!)
  const rules: unknown[] = []
  let times = 0
  fixture.between(async (request, next) => {
    if (request.method !== 'POST' || !request.url.endsWith('/v1/refunds')) return next(request)
    times++
    if (times === 2)
      return Response.json({ error: { type: 'invalid_request_error', message: 'no' } }, { status: 400 })
    if (times === 1) {
      const other = desk().act({ ...asked, card: cards[2]!.id }, aPress('of another'))
      rules.push(await other.catch(error => error.details.fields[0].rule))
      await desk().act(asked, aPress('one'))
    }
    return next(request)
  })
  await desk().act(asked, aPress('one'))
  expect(rules).toEqual(['provider-refused'])
  expect((await fixture.stripe.refunds.list()).data.map(({ metadata }) => metadata?.cards)).toEqual(['2'])
  expect(await statuses()).toEqual(['active', 'revoked', 'active'])
  expect(await fixture.findings()).toEqual([])
})

it('no call of a press asks anew while another still hears what was refused, and frees the card', async () => {
  const { cards } = await bought(3)
  const asked = backOf(cards[1]!)
  const call = () =>
    desk()
      .act(asked, aPress('one'))
      .catch(error => error.details.fields[0].rule)
  const [lastAsks, firstIsOver, slowAsks] = [1, 2, 3].map(() => Promise.withResolvers<void>())
  const refused = () =>
    Response.json({ error: { type: 'invalid_request_error', message: 'no' } }, { status: 400 })
  const calls: Promise<unknown>[] = []
  let posts = 0
  let looks = 0
  fixture.between(async (request, next) => {
    const isRefund = request.method === 'POST' && request.url.endsWith('/v1/refunds')
    if (!isRefund) {
      // The second call looks for so long that the first is refused meanwhile, and the third has looked before that.
      if (calls.length > 0 && ++looks === 1) {
        calls.push(call())
        await firstIsOver!.promise
      }
      return next(request)
    }
    posts++
    if (posts === 1) {
      calls.push(call())
      await lastAsks!.promise
      return refused()
    }
    if (posts === 2) {
      lastAsks!.resolve()
      await slowAsks!.promise
      return refused()
    }
    slowAsks!.resolve()
    expect(await calls[1]).toBe('provider-refused')
    await use(cards[1]!)
    // What is asked under the key of before is refused as before.
    return request.headers.get('idempotency-key')?.includes('after') ? next(request) : refused()
  })
  expect(await call()).toBe('provider-refused')
  firstIsOver!.resolve()
  expect(await Promise.all(calls)).toEqual(['provider-refused', 'provider-refused'])
  expect([posts, await statuses()]).toEqual([3, ['active', 'consumed', 'active']])
  expect((await fixture.stripe.refunds.list()).data).toEqual([])
  expect(await fixture.findings()).toEqual([])
})

it('no more goes back of a used card than it cost, whose support its buyer had withdrawn before', async () => {
  const { order, key, cards } = await bought(3)
  await use(cards[0]!)
  await shop.withdrawals.confirm(order, key, WORDS, [0])
  expect(await shop.refunds()).toEqual(['1500 succeeded'])
  const refundable = async () => (await desk().card(cards[0]!.id)).refundable!
  const back = async (amount: number, press: string) =>
    desk().act({ act: 'refund', card: cards[0]!.id, ...(await refundable()), amount }, aPress(press))
  expect(await refundable()).toMatchObject({ left: 18_000, leftOfCard: 5_000, used: true })
  await back(2_500, 'half')
  expect(await refundable()).toMatchObject({ left: 15_500, leftOfCard: 2_500 })
  const refused = { code: 'act-refused', details: { fields: [{ path: 'act', rule: 'amount' }] } }
  await expect(back(2_501, 'beyond')).rejects.toMatchObject(refused)
  await back(2_500, 'the rest')
  expect(await refundable()).toMatchObject({ left: 13_000, leftOfCard: 0 })
  expect(await statuses()).toEqual(['consumed', 'active', 'active'])
  expect(await fixture.findings()).toEqual([])
})

it('no more goes back of one card than is left of it, so that none of the others pays for it', async () => {
  const { cards } = await bought(3)
  const back = (amount: number, left: number, press: string) =>
    desk().act(
      { act: 'refund', card: cards[1]!.id, amount, currency: 'EUR', left, used: false },
      aPress(press),
    )
  const refused = { code: 'act-refused', details: { fields: [{ path: 'act', rule: 'amount' }] } }
  await expect(back(6_501, 19_500, 'beyond')).rejects.toMatchObject(refused)
  await back(1_000, 19_500, 'a part')
  await expect(back(5_501, 18_500, 'beyond the rest')).rejects.toMatchObject(refused)
  expect((await fixture.stripe.refunds.list()).data.map(({ amount }) => amount)).toEqual([1_000])
  // What the file offers is what the rule takes.
  expect((await desk().card(cards[1]!.id)).refundable).toEqual({
    left: 18_500,
    leftOfCard: 5_500,
    used: false,
    currency: 'EUR',
  })
  await back(5_500, 18_500, 'the rest')
  expect(await statuses()).toEqual(['active', 'revoked', 'active'])
  // A part leaves its card whole, so it is the product's loss until the rest is back.
  expect(fixture.alarms).toEqual(['payment-reversed-at-a-loss'])
  expect(await fixture.findings()).toEqual([])
})

it('a certificate waits for every card, and counts what went back of each for itself', async () => {
  const { order, cards, key } = await bought(3)
  const certificates = createCertificates({ ...shop.parts, market: () => ({ receipts: 'own' }) })
  for (const card of cards.slice(0, 2)) await use(card)
  expect((await certificates.open(order, key)).answer).toBe('early')
  await refundByOperator(
    fixture.deps,
    order,
    { amount: 6_500, currency: 'EUR', left: 19_500, used: false },
    { number: 3 },
  )
  const open = await certificates.open(order, key)
  expect([open.answer, open.amount.amount]).toEqual(['ready', 10_000])
  await certificates.make(order, key, AINA)
  const [listed] = await fixture.test.db.read(db => listCertificates(db, everything))
  expect([listed?.amount.amount, listed?.isVoid]).toEqual([10_000, false])
  expect(await fixture.findings()).toEqual([])
})

it('no hold on a card that was given back keeps the certificate of the others waiting', async () => {
  const { order, cards, key } = await bought(2)
  const certificates = createCertificates({ ...shop.parts, market: () => ({ receipts: 'own' }) })
  await use(cards[0]!)
  const asked = { amount: 6_500, currency: 'EUR', left: 13_000, used: false } as const
  await desk().act({ act: 'refund', card: cards[1]!.id, ...asked }, aPress('back'))
  await desk().act({ act: 'hold', card: cards[1]!.id }, aPress('held too, in case the refund comes back'))
  expect(await statuses()).toEqual(['consumed', 'revoked'])
  expect(await certificates.open(order, key)).toMatchObject({ answer: 'ready', amount: { amount: 5_000 } })
})

it('whoever asks by mail to withdraw is told of the order once, however many cards it has', async () => {
  const first = await bought(1)
  fixture.clock.advance(1_000)
  const many = await bought(30)
  const sent: Message[] = []
  await shop.withdrawals.state({ ...WORDS, order: '', language: 'en' })
  fixture.clock.advance(1_000)
  const worker = letterWorker({ ...fixture.test, clock: fixture.clock, keys: fixture.deps.keys }, sent)
  while ((await worker.runDue()) > 0);
  // Each card has a mail of its own, which goes out beside this one.
  const mail = sent.find(({ text }) => [first, many].every(({ key }) => text.includes(key)))
  const keys = [first, many].map(({ key }) => mail?.text.split(key).length)
  // Each key stands in one link.
  expect(keys).toEqual([2, 2])
})

it('an order says who gave it as long as one of its cards does', async () => {
  const { order, cards } = await bought(2, { message: 'Para ti' })
  await use(cards[0]!)
  const far = fixture.clock() + 1
  const names = async () => {
    const { sender_name } = await fixture.test.db.read(db =>
      db.selectFrom('orders').select('sender_name').where('id', '=', order).executeTakeFirstOrThrow(),
    )
    const messages = await fixture.test.db.read(db => db.selectFrom('gift_messages').selectAll().execute())
    const nonces = await fixture.test.db.read(db =>
      db.selectFrom('ledger_nonces').select('card_id').execute(),
    )
    return [sender_name, messages.length, new Set(nonces.map(({ card_id }) => card_id)).size]
  }
  await forgetSome(fixture.test.db, far, '')
  await forgetMessagesOfNobody(fixture.test.db, far, far)
  expect(await names()).toEqual(['Aina', 1, 1])
  await use(cards[1]!)
  await forgetMessagesOfNobody(fixture.test.db, fixture.clock(), far)
  expect(await names()).toEqual(['Aina', 1, 1])
  await forgetSome(fixture.test.db, far, '')
  expect(await names()).toEqual([null, 0, 0])
})

it('who is erased is named by no card of the order, though one of them has another address', async () => {
  const { cards } = await bought(2)
  await fixture.test.db.transaction(async trx => {
    await trx.updateTable('cards').set({ email: 'other@mail.example' }).where('position', '=', 1).execute()
    await clearPersons(trx, 'donation', [cards[0]!])
  })
  const rows = await fixture.test.db.read(db =>
    db.selectFrom('cards').select(['sender_name', 'email']).orderBy('position').execute(),
  )
  expect(rows).toEqual([
    { sender_name: null, email: null },
    { sender_name: null, email: 'other@mail.example' },
  ])
})

it('three hundred cards, partly given and the rest withdrawn, agree with the provider, the books and the figures', async () => {
  const { order, cards, key } = await bought(300)
  for (let n = 0; n < 60; n++) await use(cards[n]!, n)
  await shop.withdrawals.confirm(order, key, WORDS)
  await shop.withdrawals.finish()
  await fixture.deliver()
  expect(await shop.rowOf(order)).toEqual({
    state: 'refunded',
    answer: 'whole',
    amount: 240 * 6_500 + 60 * 1_500,
  })
  for (let day = 0; day < 3; day++) {
    fixture.clock.advance(DAY_MS)
    await fixture.deliver()
    await readMovements(fixture.deps)
  }
  const findings = await checkLedger(fixture.test.db, { keys: fixture.deps.keys, now: fixture.clock() })
  expect(findings).toEqual([])
  const summary = await fixture.test.db.read(db => readSummary(db, fixture.clock()))
  expect(summary.cards).toEqual({ active: 0, left: 0, consumed: 60, frozen: 0, cancelling: 0, revoked: 240 })
  const [money] = summary.money
  expect(money).toMatchObject({ orders: 1, allocated: 60 * 5_000, outstanding: 0, losses: 0, support: 0 })
  expect(money?.refunded).toBe(240 * 6_500 + 60 * 1_500)
}, 120_000)
