import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dayInMadrid } from '#domain/days.ts'
import { DAY_MS } from '#domain/durations.ts'
import { midnightInMadrid } from '#domain/madrid.ts'
import { forgetDonors, paidDonors } from '#server/modules/payments/donors.ts'
import { actOnInvoice } from '#server/modules/payments/invoices/acts.ts'
import { aStart, openPaymentsFixture, type PaymentsFixture } from '#tests/support/payments-fixture.ts'

const YEAR = 365.25 * DAY_MS
const AINA = { name: 'Aina Ferrer', document: '12345678Z' }
/** 70 euros and 30 of support. */
const HUNDRED = { packageId: 'their homes', ngoAmount: 7_000, supportAmount: 3_500 } as const
const LESS = { packageId: 'their homes', ngoAmount: 7_000, supportAmount: 2_800 } as const

let fixture: PaymentsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture()
  askFrom(100)
})
afterEach(() => fixture.close())

function askFrom(identityFrom: number | null): void {
  fixture.markets = { ...fixture.markets, EUR: { ...fixture.markets.EUR, identityFrom } }
}

const kept = () => fixture.test.db.read(db => db.selectFrom('donor_identities').selectAll().execute())
const orders = () => fixture.test.db.read(db => db.selectFrom('orders').select(['id', 'status']).execute())
const ALWAYS = { from: 0, to: Number.MAX_SAFE_INTEGER }
const paid = () => fixture.test.db.read(db => paidDonors(db, ALWAYS))
const KEY = 'k'.repeat(32)

describe('an order of the amount from which donors are asked', () => {
  it('is refused without who gives, and nothing is opened', async () => {
    await expect(fixture.start(HUNDRED)).rejects.toMatchObject({
      code: 'summary-changed',
      details: { fields: [{ path: 'donor', rule: 'required' }] },
    })
    expect(await orders()).toEqual([])
  })

  it('keeps who gives, once for the order', async () => {
    await fixture.start({ ...HUNDRED, donor: AINA, attemptKey: KEY })
    await fixture.start({ ...HUNDRED, donor: AINA, attemptKey: KEY })
    const [order] = await orders()
    expect(await kept()).toMatchObject([{ order_id: order!.id, ...AINA }])
    // Somebody else gives: that is another purchase.
    const other = { ...AINA, document: '87654321X' }
    await expect(fixture.start({ ...HUNDRED, donor: other, attemptKey: KEY })).rejects.toMatchObject({
      code: 'invalid-fields',
    })
  })

  it('asks nobody below the amount, or where the market sets none, and keeps nothing that was sent', async () => {
    await fixture.start({ ...LESS, donor: AINA })
    askFrom(null)
    await fixture.start({ ...HUNDRED, donor: AINA })
    expect(await orders()).toHaveLength(2)
    expect(await kept()).toEqual([])
  })
})

describe('what is kept of donors', () => {
  it('is listed once it is paid, and goes ten years later', async () => {
    const { sessionId } = await fixture.start({ ...HUNDRED, donor: AINA })
    expect(await paid()).toEqual([])
    await fixture.pay(sessionId)
    await fixture.payments.settle(sessionId)
    expect(await paid()).toMatchObject([{ ...AINA, total: 10_500, currency: 'EUR' }])
    const settled = (await paid())[0]!.paidAt
    expect(await forgetDonors(fixture.test.db, settled + 10 * YEAR)).toBe(0)
    expect(await forgetDonors(fixture.test.db, settled + 10 * YEAR + 1)).toBe(1)
    expect(await kept()).toEqual([])
  })

  it('goes within days where nobody pays, and not while somebody still may', async () => {
    await fixture.start({ ...HUNDRED, donor: AINA })
    const now = fixture.clock()
    expect(await forgetDonors(fixture.test.db, now + 30 * DAY_MS)).toBe(0)
    await fixture.test.plant(`update orders set status = 'expired', checkout_session_sealed = null`)
    expect(await forgetDonors(fixture.test.db, now + 8 * DAY_MS)).toBe(0)
    expect(await forgetDonors(fixture.test.db, now + 8 * DAY_MS + 1)).toBe(1)
  })

  it('is listed of an invoice on the day at the bank, whenever the treasurer says so', async () => {
    const to = { name: 'Escola', document: '', address: 'Carrer 3', email: 'escola@mail.example' }
    const asked = { ...aStart, ...HUNDRED, cards: 2, donor: AINA, invoice: to }
    const { orderId } = await fixture.payments.startInvoice(asked)
    const day = dayInMadrid(fixture.clock())
    fixture.clock.advance(5 * DAY_MS)
    const act = { act: 'paid', order: orderId, amount: 21_000, paidOn: day } as const
    await fixture.test.db.transaction(trx => actOnInvoice(trx, fixture.deps, act))
    const midnight = midnightInMadrid(Date.parse(day))
    const of = (from: number, to: number) => fixture.test.db.read(db => paidDonors(db, { from, to }))
    expect(await of(midnight, midnight + DAY_MS)).toMatchObject([{ ...AINA, paidAt: Date.parse(day) }])
    expect(await of(midnight + DAY_MS, midnight + 30 * DAY_MS)).toEqual([])
    expect(await of(midnight - DAY_MS, midnight)).toEqual([])
  })

  it('stays where an invoice has lapsed, as long as its money could still make cards', async () => {
    const to = { name: 'Escola', document: '', address: 'Carrer 3', email: 'escola@mail.example' }
    await fixture.payments.startInvoice({ ...aStart, ...HUNDRED, cards: 2, donor: AINA, invoice: to })
    await fixture.test.plant(`update orders set status = 'expired'`)
    const later = fixture.clock() + 300 * DAY_MS
    expect(await forgetDonors(fixture.test.db, later)).toBe(0)
    await fixture.test.plant('update invoices set email = null')
    expect(await forgetDonors(fixture.test.db, later)).toBe(1)
  })
})
