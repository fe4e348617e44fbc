import { describe, expect, it } from 'vitest'
import {
  atBank,
  INVOICE_DAYS,
  INVOICE_STANDINGS,
  type InvoiceTo,
  invoiceDueAt,
  invoiceFaults,
  invoiceNumber,
  invoiceStanding,
  isInvoiceAwaited,
  isInvoicePrinted,
  numberInYear,
  paymentRefusal,
  writtenTo,
  yearOfInvoice,
} from '#domain/invoice/invoice.ts'

const WRITTEN = {
  name: 'Escola del Mar, SCCL',
  document: 'F-08123456',
  address: 'Carrer de Mar 3, 08003 Barcelona',
  email: 'compres@escola.example',
} satisfies InvoiceTo

const read = (changes: Partial<InvoiceTo> = {}) => writtenTo(field => ({ ...WRITTEN, ...changes })[field])

describe('whom an invoice is made out to', () => {
  it('is taken as it was written, each field as one clean line', () => {
    expect(invoiceFaults(read())).toEqual([])
    expect(read({ address: '  Carrer de Mar 3\n08003   Barcelona ' }).address).toBe(
      'Carrer de Mar 3 08003 Barcelona',
    )
  })

  it.each([
    [{ name: '' }, ['name']],
    [{ name: '株式会社' }, ['name']],
    [{ address: ' ' }, ['address']],
    [{ document: '' }, []],
    [{ document: '\u{1F600}' }, ['document']],
    [{ email: 'compres' }, ['email']],
    [{ email: '' }, ['email']],
  ] as const)('%o has to be written otherwise in %o', (changes, faults) => {
    expect(invoiceFaults(read(changes))).toEqual(faults)
  })

  it('is missing in everything where nothing was sent', () => {
    expect(invoiceFaults(writtenTo(() => undefined))).toEqual(['name', 'address', 'email'])
  })
})

describe('an invoice', () => {
  it('has a number that no receipt has, of its year in Madrid', () => {
    expect(numberInYear({ year: 2026, number: 17 })).toBe('P2026-000017')
    expect(yearOfInvoice(Date.UTC(2026, 11, 31, 22, 59))).toBe(2026)
    expect(yearOfInvoice(Date.UTC(2026, 11, 31, 23, 0))).toBe(2027)
  })

  it('shows its number with letters of its order, which no other order has after a restore', () => {
    const drawn = { year: 2026, number: 17 }
    const id = '01kb2c3d4e5f6g7h8j9k0m7qk3'
    expect(invoiceNumber({ ...drawn, orderId: id })).toBe('P2026-000017-7QK3')
    expect(invoiceNumber({ ...drawn, orderId: id.replace('7qk3', 'x0z1') })).toBe('P2026-000017-X0Z1')
  })

  it(`lapses once its order waits no more, and can be paid for ${INVOICE_DAYS} days`, () => {
    const kept = { isWithdrawn: false }
    expect(INVOICE_DAYS).toBe(30)
    // To the end of the thirtieth day in Madrid, over the change of its clocks.
    expect(invoiceDueAt(Date.UTC(2026, 10, 27, 10))).toBe(Date.UTC(2026, 11, 27, 23))
    expect(invoiceDueAt(Date.UTC(2026, 9, 20, 22, 30))).toBe(Date.UTC(2026, 10, 20, 23))
    expect(invoiceStanding('open', 'open', kept)).toBe('open')
    expect(invoiceStanding('open', 'expired', kept)).toBe('lapsed')
    expect(invoiceStanding('cancelled', 'expired', kept)).toBe('cancelled')
    expect(invoiceStanding('paid', 'paid', kept)).toBe('paid')
  })

  it('says that its buyer has withdrawn as long as it waits for their money', () => {
    const back = { isWithdrawn: true }
    expect(invoiceStanding('open', 'open', back)).toBe('withdrawn')
    expect(invoiceStanding('open', 'expired', back)).toBe('lapsed')
    expect(invoiceStanding('paid', 'paid', back)).toBe('paid')
  })

  it('is printed where somebody is to pay it or has, and awaited until it is paid or cancelled', () => {
    expect(INVOICE_STANDINGS.filter(isInvoicePrinted)).toEqual(['open', 'paid'])
    expect(INVOICE_STANDINGS.filter(isInvoiceAwaited)).toEqual(['open', 'lapsed', 'withdrawn'])
  })

  it('has at the bank what was paid less what went back, and nothing before it is paid', () => {
    expect(atBank({ state: 'paid', amount: 13_000 }, 6_500)).toBe(6_500)
    expect(atBank({ state: 'open', amount: 13_000 }, 0)).toBe(0)
    expect(atBank({ state: 'cancelled', amount: 13_000 }, 0)).toBe(0)
  })
})

describe('what arrived for an invoice', () => {
  const TODAY = '2026-03-10'
  const refusal = (state: 'open' | 'paid' | 'cancelled', amount = 13_000, paidOn = TODAY) =>
    paymentRefusal({ state, amount: 13_000 }, { amount, paidOn }, { from: '2026-03-02', today: TODAY })

  it('pays it to the cent, on a day that has come', () => {
    expect(refusal('open')).toBeUndefined()
    expect(refusal('open', 13_000, '2026-03-02')).toBeUndefined()
  })

  it.each([12_999, 13_001, 0, -13_000, Number.NaN])('is refused where it is %d', amount => {
    expect(refusal('open', amount)).toBe('other-amount')
  })

  it.each(['2026-03-11', '2026-03-01', '2026-02-30', '10/03/2026', ''])(
    'is refused for the day "%s"',
    day => {
      expect(refusal('open', 13_000, day)).toBe('not-a-day')
    },
  )

  it('pays nothing twice, and nothing that was cancelled', () => {
    expect(refusal('paid')).toBe('already-paid')
    expect(refusal('cancelled')).toBe('invoice-cancelled')
  })
})
