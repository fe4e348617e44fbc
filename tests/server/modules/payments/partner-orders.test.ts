import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '#domain/durations.ts'
import { clearPersons } from '#server/modules/gifts/cards/forget.ts'
import { addPartner } from '#server/modules/partners/partner-acts.ts'
import type { StartPartnerOrder } from '#server/modules/payments/interface.ts'
import { forgetReferences } from '#server/modules/payments/partner-orders.ts'
import { testKeys } from '#tests/builders/server.ts'
import { aStart, openPaymentsFixture, type PaymentsFixture } from '#tests/support/payments-fixture.ts'

const KEY = 'an order of the shop, number 7'

let fixture: PaymentsFixture
let shop: string
let other: string
beforeEach(async () => {
  fixture = await openPaymentsFixture()
  const make = { mac: testKeys.mac, now: fixture.clock() }
  const asked = {
    name: 'Shop',
    contact: 'shop@example.org',
    scopes: ['orders:create', 'orders:read'],
  } as const
  ;[shop, other] = await fixture.test.db.transaction(async trx => [
    (await addPartner(trx, asked, make)).partner,
    (await addPartner(trx, asked, make)).partner,
  ])
})
afterEach(() => fixture.close())

const order = (changes: Partial<StartPartnerOrder> = {}, reference: string | null = 'cart 7') =>
  fixture.payments.startPartnerOrder({
    ...aStart,
    partner: { id: shop, reference },
    idempotencyKey: KEY,
    ...changes,
  })
const read = (id: string, partner = shop) => fixture.payments.readPartnerOrder(partner, id)
const sessionIn = (url: string | null) => url!.slice(url!.lastIndexOf('/') + 1)
const orders = () => fixture.test.db.read(db => db.selectFrom('orders').selectAll().execute())
const references = () =>
  fixture.test.db.read(db => db.selectFrom('partner_orders').select('reference').execute())

describe('an order of a partner’s program', () => {
  it('is an order as any other, with the page where it is paid', async () => {
    const made = await order()
    expect(made).toEqual({
      id: expect.stringMatching(/^\w{26}$/),
      state: 'open',
      total: { amount: 6_500, currency: 'EUR' },
      reference: 'cart 7',
      url: expect.stringContaining('/c/pay/'),
    })
    expect(await orders()).toMatchObject([{ id: made.id, status: 'open', sender_name: 'Aina' }])
    expect(await read(made.id)).not.toHaveProperty('url')
  })

  it('comes again with the same order and page under the same key, though all come at once', async () => {
    const all = await Promise.all([order(), order(), order(), order()])
    expect(new Set(all.map(({ id, url }) => `${id} ${url}`)).size).toBe(1)
    expect(await orders()).toHaveLength(1)
  })

  it.each([
    ['another amount', { supportAmount: 0 }],
    ['another theme', { themeId: 'palestine' }],
    ['another name', { sender: { kind: 'anonymous' } }],
    ['a message', { message: 'For you' }],
    ['an organisation', { fallbackNgoId: 'msf' }],
  ] as const)('is refused under the same key with %s', async (_, changes) => {
    await order()
    await expect(order(changes as Partial<StartPartnerOrder>)).rejects.toMatchObject({
      code: 'invalid-fields',
      details: { fields: [{ path: 'Idempotency-Key', rule: 'used-otherwise' }] },
    })
    expect(await orders()).toHaveLength(1)
  })

  it('is refused under the same key with another reference', async () => {
    await order()
    await expect(order({}, 'cart 8')).rejects.toMatchObject({ code: 'invalid-fields' })
  })

  it('is its own partner’s: the same key of another one is another order, and neither reads the other’s', async () => {
    const mine = await order()
    const theirs = await order({ partner: { id: other, reference: null } })
    expect(theirs.id).not.toBe(mine.id)
    for (const [id, partner] of [
      [mine.id, other],
      [theirs.id, shop],
      ['0'.repeat(26), shop],
      ['', shop],
    ] as const)
      await expect(read(id, partner)).rejects.toMatchObject({ code: 'payment-not-found' })
  })

  it('is no browser’s order, and a browser’s order is none of a partner', async () => {
    await fixture.start({ attemptKey: KEY.replaceAll(' ', '-') })
    const [browsers] = await orders()
    await expect(read(browsers!.id)).rejects.toMatchObject({ code: 'payment-not-found' })
    expect((await order()).id).not.toBe(browsers!.id)
  })

  it('is paid, and then its links go to the buyer’s mailbox alone, though its partner knows the session', async () => {
    const { id, url } = await order()
    await fixture.pay(sessionIn(url))
    await expect(fixture.payments.settle(sessionIn(url))).rejects.toMatchObject({
      code: 'links-by-mail',
      details: { maskedAddress: expect.stringContaining('@') },
    })
    expect(await fixture.counts()).toEqual({ paid: 1, cards: 1, sales: 1, mails: 1 })
    expect(await read(id)).toMatchObject({ state: 'paid' })
    expect(await fixture.findings()).toEqual([])
    // Whoever asks again under the same key gets the order, and no way to the links.
    expect(await order()).toMatchObject({ id, state: 'paid', url: null })
  })

  it('gives no address of its links between the payment and the provider’s news of it', async () => {
    const { id, url } = await order()
    await fixture.pay(sessionIn(url))
    expect(await order()).toMatchObject({ id, url: null })
  })

  it('is refunded once everything went back, and paid until then', async () => {
    const { id, url } = await order()
    await fixture.pay(sessionIn(url))
    await fixture.deliver()
    await fixture.refund(500)
    await fixture.deliver()
    expect((await read(id)).state).toBe('paid')
    await fixture.refund()
    await fixture.deliver()
    expect(await read(id)).toEqual({
      id,
      state: 'refunded',
      total: { amount: 6_500, currency: 'EUR' },
      reference: 'cart 7',
    })
  })

  it('expires, and its key makes no other one', async () => {
    const { id } = await order()
    fixture.clock.advance(25 * HOUR_MS)
    await fixture.payments.reconcile()
    expect((await read(id)).state).toBe('expired')
    expect(await order()).toMatchObject({ id, state: 'expired', url: null })
    expect(await orders()).toHaveLength(1)
  })

  it.each([
    ['price-not-listed', { ngoAmount: 4_999 }],
    ['ngo-not-listed', { fallbackNgoId: 'gone' }],
    ['invalid-fields', { fulfilmentConsent: false }],
  ] as const)('is refused as a buyer’s is: %s', async (code, changes) => {
    await expect(order(changes)).rejects.toMatchObject({ code })
    expect(await orders()).toEqual([])
    expect(await references()).toEqual([])
  })
})

describe('a reference', () => {
  it('is forgotten with whatever names a person', async () => {
    const { url } = await order()
    await fixture.pay(sessionIn(url))
    await fixture.deliver()
    await fixture.test.db.transaction(async trx => {
      const cards = await trx.selectFrom('cards').select(['id', 'order_id']).execute()
      await clearPersons(trx, 'donation', cards)
    })
    expect(await references()).toEqual([{ reference: null }])
  })

  it('is forgotten after its time', async () => {
    await order()
    expect(await forgetReferences(fixture.test.db, fixture.clock())).toBe(0)
    fixture.clock.advance(DAY_MS)
    expect(await forgetReferences(fixture.test.db, fixture.clock())).toBe(1)
    expect(await references()).toEqual([{ reference: null }])
  })

  it('has no more than 64 characters, whoever writes', async () => {
    await expect(order({}, 'a'.repeat(65))).rejects.toThrow(/check/i)
  })
})
