import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/durations.ts'
import { money } from '#domain/money/money.ts'
import { splitTax } from '#domain/money/tax.ts'
import { Problem } from '#domain/problems.ts'
import { THEMES } from '#domain/themes.ts'
import { createLostLinks } from '#server/modules/gifts/cards/lost-links.ts'
import { createPayments } from '#server/modules/payments/payments.ts'
import { CARD, openPaymentsFixture, type PaymentsFixture } from '../../../support/payments-fixture.ts'

let fixture: PaymentsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture()
})
afterEach(() => fixture.close())

const orders = () => fixture.test.db.read(db => db.selectFrom('orders').selectAll().execute())

describe('settling a paid session', () => {
  it('makes one card, one sale and one mail, and gives the same keys ever after', async () => {
    const { sessionId } = await fixture.buy()
    const first = await fixture.payments.settle(sessionId)
    expect(first).toMatchObject({
      email: 'buyer@mail.example',
      senderName: 'Aina',
      isConfirmationEmailSent: false,
    })
    expect(await fixture.payments.settle(sessionId)).toEqual(first)
    await fixture.deliver()
    expect(await fixture.payments.settle(sessionId)).toEqual(first)
    expect(await fixture.counts()).toEqual({ paid: 1, cards: 1, sales: 1, mails: 1 })
    expect(await fixture.findings()).toEqual([])
    expect(fixture.alarms).toEqual([])
    const view = await fixture.cards.open(first.privateKey, 'full')
    expect(view).toMatchObject({
      authority: 'full',
      credit: money(5_000, 'EUR'),
      theme: THEMES.ukraine,
      consumed: false,
    })
    expect((await fixture.cards.open(first.publicKey, 'full')).authority).toBe('preview')
  })

  it('shows the links of an earlier settlement only once it is confirmed, and would outlast the machine', async () => {
    const { sessionId } = await fixture.buy()
    await fixture.payments.settle(sessionId)
    let outlasts = false
    const outlasting = async () => {
      outlasts = true
    }
    await createPayments({ ...fixture.deps, outlasting }).settle(sessionId)
    expect(outlasts).toBe(true)
    // A machine that is not first any more may hold what the first does not.
    const confirmed = () => Promise.reject(new Problem('temporarily-unavailable'))
    const db = { ...fixture.test.db, confirmed }
    await expect(createPayments({ ...fixture.deps, db }).settle(sessionId)).rejects.toMatchObject({
      code: 'temporarily-unavailable',
    })
  })

  it('books the gift, the support and its tax', async () => {
    await fixture.payments.settle((await fixture.buy()).sessionId)
    const entries = await fixture.test.db.read(db =>
      db.selectFrom('ledger_entries').select(['account', 'amount']).orderBy('account').execute(),
    )
    const { net, tax } = splitTax(money(1_500, 'EUR'), 21)
    expect(entries).toEqual([
      { account: 'cards', amount: 5_000 },
      { account: 'payments', amount: -6_500 },
      { account: 'support', amount: net.amount },
      { account: 'tax', amount: tax.amount },
    ])
  })

  it('keeps nothing that opens the card: no session id, no key, no address outside its column', async () => {
    const { sessionId } = await fixture.buy()
    const settled = await fixture.payments.settle(sessionId)
    await fixture.deliver()
    const dump = await fixture.test.dump()
    for (const secret of [sessionId, settled.privateKey, settled.publicKey]) {
      expect(dump).not.toContain(secret)
      expect(fixture.logged.join()).not.toContain(secret)
    }
    const jobs = await fixture.test.db.read(db => db.selectFrom('jobs').select('payload').execute())
    expect(jobs).toEqual([{ payload: JSON.stringify({ cardId: settled.cardId }) }])
  })

  it('takes a session id with the quote and the comma that some links carry', async () => {
    const { sessionId } = await fixture.buy()
    const settled = await fixture.payments.settle(` ${sessionId}", `)
    expect(await fixture.payments.settle(`${sessionId}'`)).toEqual(settled)
  })

  it('answers a settled payment while the provider is down', async () => {
    const { sessionId } = await fixture.buy()
    const settled = await fixture.payments.settle(sessionId)
    fixture.between(() => Promise.reject(new Error('down')))
    expect(await fixture.payments.settle(sessionId)).toEqual(settled)
  })

  it('says that the mail was sent once its job is done, and not when it was given up', async () => {
    const { sessionId } = await fixture.buy()
    await fixture.payments.settle(sessionId)
    const set = (values: { done_at: number; failed_reason: string | null }) =>
      fixture.test.db.transaction(trx => trx.updateTable('jobs').set(values).execute())
    await set({ done_at: 1, failed_reason: 'EENVELOPE' })
    expect((await fixture.payments.settle(sessionId)).isConfirmationEmailSent).toBe(false)
    await set({ done_at: 1, failed_reason: null })
    expect((await fixture.payments.settle(sessionId)).isConfirmationEmailSent).toBe(true)
  })
})

describe('the session of a settled payment, as a way to its keys', () => {
  const byMail = { code: 'links-by-mail', status: 410, details: { maskedAddress: 'b…r@mail.example' } }

  it('gives a card’s keys for a day, counted from the settling, and then says where they were mailed', async () => {
    const { sessionId } = await fixture.buy()
    fixture.clock.advance(3_600_000)
    const settled = await fixture.payments.settle(sessionId)
    fixture.clock.advance(DAY_MS - 1)
    expect(await fixture.payments.settle(sessionId)).toEqual(settled)
    fixture.clock.advance(1)
    await expect(fixture.payments.settle(sessionId)).rejects.toMatchObject(byMail)
    fixture.clock.advance(300 * DAY_MS)
    await expect(fixture.payments.settle(sessionId)).rejects.toMatchObject(byMail)
  })

  it('gives an invitation’s key as long, and no longer', async () => {
    const { sessionId } = await fixture.buyInvitation()
    const settled = await fixture.payments.settleVolunteering(sessionId)
    fixture.clock.advance(DAY_MS - 1)
    expect(await fixture.payments.settleVolunteering(sessionId)).toEqual(settled)
    fixture.clock.advance(1)
    await expect(fixture.payments.settleVolunteering(sessionId)).rejects.toMatchObject(byMail)
  })

  it('gives nothing once the links have been replaced: neither the dead keys nor the new ones', async () => {
    const lostLinks = createLostLinks({ db: fixture.test.db, keys: fixture.deps.keys, clock: fixture.clock })
    const gift = await fixture.buy()
    const { cardId, privateKey, publicKey } = await fixture.payments.settle(gift.sessionId)
    const { sessionId: invitation } = await fixture.buyInvitation()
    const invited = await fixture.payments.settleVolunteering(invitation)
    await lostLinks.renew(cardId, fixture.deps.keys.renewalKey(cardId, 1))
    await lostLinks.renew(invited.cardId, fixture.deps.keys.renewalKey(invited.cardId, 1))
    await expect(fixture.payments.settle(gift.sessionId)).rejects.toMatchObject(byMail)
    await expect(fixture.payments.settleVolunteering(invitation)).rejects.toMatchObject(byMail)
    const old = { cardId, privateKey, publicKey, email: 'buyer@mail.example' }
    await expect(fixture.payments.requestConfirmation(old)).rejects.toMatchObject({ code: 'card-not-found' })
  })

  it('gives nothing of an order that somebody has put in the place of its own', async () => {
    const [own, other] = [await fixture.buy(), await fixture.buy()]
    for (const { sessionId } of [own, other]) await fixture.payments.settle(sessionId)
    const [one, two] = (await orders()).map(({ id, checkout_session_digest }) => [
      id,
      checkout_session_digest,
    ])
    await fixture.test.plant(
      `update orders set checkout_session_digest = null where id = '${one?.[0]}'`,
      `update orders set checkout_session_digest = '${one?.[1]}' where id = '${two?.[0]}'`,
      `update orders set checkout_session_digest = '${two?.[1]}' where id = '${one?.[0]}'`,
    )
    for (const { sessionId } of [own, other])
      await expect(fixture.payments.settle(sessionId)).rejects.toMatchObject({ code: 'payment-not-found' })
    expect(fixture.alarms).toContain('payment-not-ours')
  })

  it('gives nothing of an order whose seal was taken off to put it in the place of one’s own', async () => {
    const [own, other] = [await fixture.buy(), await fixture.buy()]
    for (const { sessionId } of [own, other]) await fixture.payments.settle(sessionId)
    const [one, two] = await orders()
    await fixture.test.plant(
      `update orders set checkout_session_digest = null where id = '${one?.id}'`,
      `update orders set checkout_session_digest = '${one?.checkout_session_digest}', seal = null where id = '${two?.id}'`,
    )
    await expect(fixture.payments.settle(own.sessionId)).rejects.toMatchObject({ code: 'links-by-mail' })
  })

  it.each([
    ['broken', '', 'payment-not-found'],
    ['taken off', ', seal = null', 'links-by-mail'],
  ])('gives nothing of a card that was moved to another order, its seal %s', async (_, also, code) => {
    const [own, other] = [await fixture.buy(), await fixture.buy()]
    for (const { sessionId } of [own, other]) await fixture.payments.settle(sessionId)
    const [one, two] = await orders()
    await fixture.test.plant(
      `update cards set order_id = 'moved' where order_id = '${one?.id}'`,
      `update cards set order_id = '${one?.id}'${also} where order_id = '${two?.id}'`,
    )
    for (const { sessionId } of [own, other])
      await expect(
        fixture.payments.settle(sessionId).catch((error: unknown) => error),
      ).resolves.not.toHaveProperty('privateKey')
    await expect(fixture.payments.settle(own.sessionId)).rejects.toMatchObject({ code })
  })

  it('gives nothing of an invitation that was moved to another order', async () => {
    const [own, other] = [await fixture.buyInvitation(), await fixture.buyInvitation()]
    for (const { sessionId } of [own, other]) await fixture.payments.settleVolunteering(sessionId)
    const [one, two] = await orders()
    await fixture.test.plant(
      `update volunteering_cards set order_id = 'moved' where order_id = '${one?.id}'`,
      `update volunteering_cards set order_id = '${one?.id}' where order_id = '${two?.id}'`,
    )
    await expect(fixture.payments.settleVolunteering(own.sessionId)).rejects.toMatchObject({
      code: 'payment-not-found',
    })
  })

  it('tells no address where none is known any more', async () => {
    const { sessionId } = await fixture.buy()
    await fixture.payments.settle(sessionId)
    await fixture.test.db.transaction(trx => trx.updateTable('cards').set({ email: null }).execute())
    fixture.clock.advance(DAY_MS)
    await expect(fixture.payments.settle(sessionId)).rejects.toMatchObject({
      code: 'links-by-mail',
      details: {},
    })
  })
})

/** Says what became of the payment, for the page to tell. */
const notCompleted = (rule: string) => ({
  code: 'payment-not-completed',
  details: { fields: [{ path: 'payment', rule }] },
})

describe('a session that gives no card', () => {
  afterEach(async () => {
    expect(await fixture.counts()).toEqual({ paid: 0, cards: 0, sales: 0, mails: 0 })
  })

  it('is unknown', async () => {
    const texts = ['', 'x', 'cs_test_', "cs_test_1' or 1=1", 'cs_test_unknownunknown', 'pi_1234567890']
    for (const text of [...texts, '../v1/charges', 'cs_test_ñandúñandú', `cs_test_${'a'.repeat(300)}`])
      await expect(fixture.payments.settle(text), text).rejects.toMatchObject({ code: 'payment-not-found' })
  })

  it('asks the provider nothing about what cannot be a session', async () => {
    await expect(fixture.payments.settle('cs_test_1/../../charges')).rejects.toMatchObject({
      code: 'payment-not-found',
    })
    expect(fixture.asked).toEqual([])
  })

  it('asks the provider nothing about a session that no order knows', async () => {
    const { settle, settlePurchase, settleVolunteering, settleOwnMoney } = fixture.payments
    for (const ask of [settle, settlePurchase, settleVolunteering, settleOwnMoney])
      await expect(ask('cs_test_unknownunknown')).rejects.toMatchObject({ code: 'payment-not-found' })
    expect(fixture.asked).toEqual([])
  })

  it('is not paid', async () => {
    const { sessionId } = await fixture.start()
    await expect(fixture.payments.settle(sessionId)).rejects.toMatchObject(notCompleted('open'))
    await fixture.pay(sessionId, CARD.declined)
    await expect(fixture.payments.settle(sessionId)).rejects.toMatchObject(notCompleted('open'))
    expect(await orders()).toMatchObject([{ status: 'open' }])
  })

  it('has expired', async () => {
    const { sessionId } = await fixture.start()
    fixture.clock.advance(24 * 3_600_000)
    await expect(fixture.payments.settle(sessionId)).rejects.toMatchObject(notCompleted('expired'))
    expect(await orders()).toMatchObject([{ status: 'expired' }])
  })

  it('waits for a slow payment method, which then fails', async () => {
    const { sessionId } = await fixture.buy({}, CARD.failingDebit)
    await fixture.deliver()
    await expect(fixture.payments.settle(sessionId)).rejects.toMatchObject(notCompleted('processing'))
    expect(await orders()).toMatchObject([{ status: 'open' }])
    fixture.clock.advance(60_000)
    await fixture.deliver()
    await expect(fixture.payments.settle(sessionId)).rejects.toMatchObject(notCompleted('failed'))
    expect(await orders()).toMatchObject([{ status: 'failed' }])
  })

  it.each<[string, Record<string, unknown>]>([
    ['a cent less', { amount_total: 6_499 }],
    ['a cent more', { amount_total: 6_501 }],
    ['nothing', { amount_total: 0 }],
    ['another currency', { currency: 'usd' }],
    ['no order', { metadata: {} }],
    ['an unknown order', { metadata: { order_id: 'another' } }],
    ['no metadata', { metadata: null }],
  ])('was paid, but with %s: the operator is told', async (_, changes) => {
    const { sessionId } = await fixture.buy()
    fixture.between(async (request, next) => {
      const response = await next(request)
      return Response.json({ ...(await response.json()), ...changes })
    })
    await expect(fixture.payments.settle(sessionId)).rejects.toMatchObject({ code: 'payment-not-found' })
    await fixture.deliver()
    expect(new Set(fixture.alarms)).toEqual(new Set(['payment-not-ours']))
  })

  it('is paid, but another one than the order was opened with', async () => {
    const mine = await fixture.start()
    const [order] = await orders()
    const foreign = await fixture.stripe.checkout.sessions.create({
      mode: 'payment',
      success_url: 'https://x.example/',
      metadata: { order_id: order!.id },
      line_items: [
        { quantity: 1, price_data: { currency: 'eur', unit_amount: 6_500, product_data: { name: 'x' } } },
      ],
    })
    await fixture.pay(foreign.id)
    await expect(fixture.payments.settle(foreign.id)).rejects.toMatchObject({ code: 'payment-not-found' })
    expect(fixture.alarms).toEqual([])
    await fixture.deliver()
    await expect(fixture.payments.settle(mine.sessionId)).rejects.toMatchObject({
      code: 'payment-not-completed',
    })
    expect(fixture.alarms).toEqual(['payment-not-ours'])
  })

  it('cannot be asked about: the provider is down, too busy, or wrong', async () => {
    const { sessionId } = await fixture.buy()
    const broken: (() => Promise<Response>)[] = [
      () => Promise.reject(new TypeError('reset')),
      async () => Response.json({ error: { type: 'api_error', message: 'x' } }, { status: 500 }),
      async () => Response.json({ error: { type: 'rate_limit_error', message: 'x' } }, { status: 429 }),
      async () => Response.json({ error: { type: 'invalid_request_error', message: 'x' } }, { status: 401 }),
      async () => new Response('<html>', { status: 502 }),
    ]
    for (const answer of broken) {
      fixture.between(answer)
      await expect(fixture.payments.settle(sessionId)).rejects.toMatchObject({ code: 'provider-unavailable' })
    }
    expect(fixture.logged.join()).not.toContain(sessionId)
  })
})

describe('a payment that arrives late', () => {
  it('gives its card when a slow payment method succeeds', async () => {
    const { sessionId } = await fixture.buy({}, CARD.slowDebit)
    await fixture.deliver()
    expect(await fixture.counts()).toMatchObject({ cards: 0 })
    fixture.clock.advance(60_000)
    await fixture.deliver()
    expect(await fixture.counts()).toEqual({ paid: 1, cards: 1, sales: 1, mails: 1 })
    expect((await fixture.payments.settle(sessionId)).senderName).toBe('Aina')
  })

  it('gives its card though we had given the order up', async () => {
    const { sessionId } = await fixture.buy()
    await fixture.test.plant("update orders set status = 'expired', checkout_session_sealed = null")
    await fixture.payments.settle(sessionId)
    expect(await fixture.counts()).toEqual({ paid: 1, cards: 1, sales: 1, mails: 1 })
  })

  it('gives its card though the answer with the session never reached us', async () => {
    const { sessionId } = await fixture.buy()
    await fixture.test.db.transaction(trx =>
      trx
        .updateTable('orders')
        .set({ checkout_session_sealed: null, checkout_session_digest: null })
        .execute(),
    )
    await fixture.deliver()
    expect(await fixture.counts()).toEqual({ paid: 1, cards: 1, sales: 1, mails: 1 })
    expect((await fixture.payments.settle(sessionId)).senderName).toBe('Aina')
  })
})

describe('a payment that was given back', () => {
  const cards = () => fixture.test.db.read(db => db.selectFrom('cards').select('status').execute())

  it('shows no links any more', async () => {
    const { sessionId } = await fixture.buy()
    await fixture.payments.settle(sessionId)
    await fixture.refund()
    await fixture.deliver()
    await expect(fixture.payments.settle(sessionId)).rejects.toMatchObject({ code: 'payment-not-found' })
  })

  it('before anybody settled it gives a card that is revoked at once', async () => {
    const { sessionId } = await fixture.buy()
    await fixture.refund()
    await expect(fixture.payments.settle(sessionId)).rejects.toMatchObject({ code: 'payment-not-found' })
    expect(await cards()).toEqual([{ status: 'revoked' }])
    expect(await fixture.findings()).toEqual([])
  })

  it('is booked in full though the event of the payment itself was lost', async () => {
    await fixture.buy()
    await fixture.refund()
    for (const { body, signature } of await fixture.collectEvents())
      if (body.includes('"charge.refunded"')) await fixture.payments.receiveEvent(body, signature)
    expect(await fixture.counts()).toMatchObject({ paid: 1, cards: 1, sales: 1 })
    expect(await cards()).toEqual([{ status: 'revoked' }])
    expect(await fixture.findings()).toEqual([])
  })
})
