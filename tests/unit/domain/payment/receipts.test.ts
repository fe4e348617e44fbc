import { expect, it } from 'vitest'
import { yearInMadrid } from '#domain/days.ts'
import { RECEIPT_SERIES, receiptNumber } from '#domain/payment/receipts.ts'

it('of a receipt says series, year and number, and differs between the series', () => {
  const numbers = RECEIPT_SERIES.map(series => receiptNumber({ series, year: 2026, number: 17 }))
  expect(numbers).toEqual(['S2026-000017', 'R2026-000017'])
  expect(receiptNumber({ series: 'sale', year: 2026, number: 1_234_567 })).toBe('S2026-1234567')
})

it('counts in the year of Madrid', () => {
  expect(yearInMadrid(Date.parse('2026-12-31T22:59:59Z'))).toBe(2026)
  expect(yearInMadrid(Date.parse('2026-12-31T23:00:00Z'))).toBe(2027)
})
