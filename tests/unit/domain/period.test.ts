import { expect, it } from 'vitest'
import { monthsOf, periodOf } from '#domain/period.ts'

const bounds = (text: string) => {
  const period = periodOf(text)
  return period && [period.from, period.to].map(at => new Date(at).toISOString())
}

it.each([
  ['2026', '2025-12-31T23:00:00.000Z', '2026-12-31T23:00:00.000Z'],
  ['2026-Q3', '2026-06-30T22:00:00.000Z', '2026-09-30T22:00:00.000Z'],
  ['2026-Q4', '2026-09-30T22:00:00.000Z', '2026-12-31T23:00:00.000Z'],
  ['2026-07', '2026-06-30T22:00:00.000Z', '2026-07-31T22:00:00.000Z'],
  ['2026-12', '2026-11-30T23:00:00.000Z', '2026-12-31T23:00:00.000Z'],
])('%s goes from midnight to midnight in Madrid', (text, from, to) => {
  expect(bounds(text)).toEqual([from, to])
})

it.each(['', '26', '2026-Q5', '2026-13', '2026-7', '2026-07-01', ' 2026'])('"%s" names no period', text => {
  expect(periodOf(text)).toBeUndefined()
})

it('cuts a year at the midnights of Madrid, with no moment twice or left out', () => {
  const year = periodOf('2026')!
  const months = monthsOf(year)
  expect(months).toEqual(
    Array.from({ length: 12 }, (_, n) => periodOf(`2026-${String(n + 1).padStart(2, '0')}`)),
  )
  expect(months.flatMap(({ from, to }) => [from, to]).slice(1, -1)).toEqual(
    months.slice(1).flatMap(({ from }) => [from, from]),
  )
  expect(monthsOf(periodOf('2026-Q4')!).map(({ from }) => new Date(from).toISOString())).toEqual([
    '2026-09-30T22:00:00.000Z',
    '2026-10-31T23:00:00.000Z',
    '2026-11-30T23:00:00.000Z',
  ])
})
