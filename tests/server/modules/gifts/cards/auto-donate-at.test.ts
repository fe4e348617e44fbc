import fc from 'fast-check'
import { expect, it } from 'vitest'
import { autoDonateAt } from '#server/modules/gifts/cards/auto-donate-at.ts'

const iso = (instant: number) => new Date(instant).toISOString().replace('.000', '')

it.each([
  { what: 'an ordinary day in winter', born: '2026-01-10T09:00:00Z', due: '2027-01-10T23:00:00Z' },
  { what: 'an ordinary day in summer', born: '2026-07-10T09:00:00Z', due: '2027-07-10T22:00:00Z' },
  { what: 'the first second of a day in Madrid', born: '2026-07-09T22:00:00Z', due: '2027-07-10T22:00:00Z' },
  { what: 'the last second of a day in Madrid', born: '2026-07-10T21:59:59Z', due: '2027-07-10T22:00:00Z' },
  { what: 'the eve of the change to summer time', born: '2025-03-28T12:00:00Z', due: '2026-03-28T23:00:00Z' },
  { what: 'the day of the change to summer time', born: '2025-03-29T12:00:00Z', due: '2026-03-29T22:00:00Z' },
  { what: 'the eve of the change to winter time', born: '2025-10-24T12:00:00Z', due: '2026-10-24T22:00:00Z' },
  { what: 'the day of the change to winter time', born: '2025-10-25T12:00:00Z', due: '2026-10-25T23:00:00Z' },
  { what: 'born in the hour that comes twice', born: '2026-10-25T01:30:00Z', due: '2027-10-25T22:00:00Z' },
  { what: '29 February', born: '2028-02-29T12:00:00Z', due: '2029-02-28T23:00:00Z' },
  { what: '28 February before a leap year', born: '2027-02-28T12:00:00Z', due: '2028-02-28T23:00:00Z' },
  {
    what: 'New Year in Madrid, still December elsewhere',
    born: '2026-12-31T23:30:00Z',
    due: '2028-01-01T23:00:00Z',
  },
  { what: '31 December', born: '2026-12-31T12:00:00Z', due: '2027-12-31T23:00:00Z' },
])('ends the year of $what', ({ born, due }) => {
  expect(iso(autoDonateAt(Date.parse(born)))).toBe(due)
})

it('always ends at a midnight of Madrid, a year and at most a day later', () => {
  const clock = new Intl.DateTimeFormat('es-ES', { timeZone: 'Europe/Madrid', timeStyle: 'medium' })
  const DAY = 86_400_000
  const HOUR = 3_600_000
  const from = new Date('2024-01-01')
  const to = new Date('2060-01-01')
  fc.assert(
    fc.property(fc.date({ min: from, max: to, noInvalidDate: true }), date => {
      const due = autoDonateAt(date.getTime())
      expect(clock.format(due)).toBe('0:00:00')
      const days = (due - date.getTime()) / DAY
      // One hour either way for clock changes; 29 February ends a day early, a leap day in between adds one.
      expect(days).toBeGreaterThan(364 - HOUR / DAY)
      expect(days).toBeLessThanOrEqual(367 + HOUR / DAY)
    }),
  )
})
