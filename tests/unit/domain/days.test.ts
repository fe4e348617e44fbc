import { expect, it } from 'vitest'
import { dayAfter, dayBefore, dayInMadrid, dayInUtc, isDay } from '#domain/days.ts'

it.each([
  ['2026-03-10', true],
  ['2026-02-30', false],
  ['2026-3-1', false],
  ['', false],
  ['9999-99-99', false],
])('knows whether %s is a day: %s', (text, is) => expect(isDay(text)).toBe(is))

it('says the day in UTC', () => {
  expect(dayInUtc(Date.parse('2026-11-21T23:59:59.999Z'))).toBe('2026-11-21')
  expect(dayInUtc(Date.parse('2026-11-22T00:30:00+01:00'))).toBe('2026-11-21')
})

it('says the day in Madrid, which begins before that of UTC', () => {
  expect(dayInMadrid(Date.parse('2026-07-21T21:59:59.999Z'))).toBe('2026-07-21')
  expect(dayInMadrid(Date.parse('2026-07-21T22:00:00Z'))).toBe('2026-07-22')
  expect(dayInMadrid(Date.parse('2026-11-21T23:00:00Z'))).toBe('2026-11-22')
})

it('knows the day before', () => {
  expect(dayBefore('2026-03-01')).toBe('2026-02-28')
  expect(dayBefore('2027-01-01')).toBe('2026-12-31')
})

it('knows the day after', () => {
  expect(dayAfter('2028-02-28')).toBe('2028-02-29')
  expect(dayAfter('2026-12-31')).toBe('2027-01-01')
})
