import { expect, it } from 'vitest'
import { yearInMadrid } from '#domain/days.ts'
import { RECEIPT_SERIES, receiptNumber, seriesOf } from '#domain/payment/receipts.ts'

it('of a receipt says series, year, number and letters of the order, and differs between the series', () => {
  const drawn = { year: 2026, number: 17, letters: '7QK3' }
  const numbers = RECEIPT_SERIES.map(series => receiptNumber({ series, ...drawn }))
  expect(numbers).toEqual(['S2026-000017-7QK3', 'R2026-000017-7QK3'])
  expect(receiptNumber({ series: 'sale', ...drawn, number: 1_234_567 })).toBe('S2026-1234567-7QK3')
})

it('of a receipt from before there were letters stays as it was given', () => {
  expect(receiptNumber({ series: 'sale', year: 2026, number: 17, letters: '' })).toBe('S2026-000017')
})

it('tells the series of a receipt by its mark, and of other papers none', () => {
  expect((['S', 'R', 'P', ''] as const).map(seriesOf)).toEqual(['sale', 'refund', undefined, undefined])
})

it('counts in the year of Madrid', () => {
  expect(yearInMadrid(Date.parse('2026-12-31T22:59:59Z'))).toBe(2026)
  expect(yearInMadrid(Date.parse('2026-12-31T23:00:00Z'))).toBe(2027)
})
