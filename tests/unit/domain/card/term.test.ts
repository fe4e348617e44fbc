import fc from 'fast-check'
import { expect, it } from 'vitest'
import { firstReminderAt, reminderDue } from '#domain/card/reminders.ts'
import { areReminderDays, autoDonateAt, isTermMonths } from '#domain/card/term.ts'
import { DAY_MS } from '#domain/durations.ts'

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
  const HOUR = 3_600_000
  const from = new Date('2024-01-01')
  const to = new Date('2060-01-01')
  fc.assert(
    fc.property(fc.date({ min: from, max: to, noInvalidDate: true }), date => {
      const due = autoDonateAt(date.getTime())
      expect(clock.format(due)).toBe('0:00:00')
      const days = (due - date.getTime()) / DAY_MS
      // One hour either way for clock changes; 29 February ends a day early, a leap day in between adds one.
      expect(days).toBeGreaterThan(364 - HOUR / DAY_MS)
      expect(days).toBeLessThanOrEqual(367 + HOUR / DAY_MS)
    }),
  )
})

it.each([
  { months: 18, born: '2026-01-10T09:00:00Z', due: '2027-07-10T22:00:00Z' },
  { months: 13, born: '2026-01-31T09:00:00Z', due: '2027-02-28T23:00:00Z' },
  { months: 24, born: '2026-12-31T23:30:00Z', due: '2029-01-01T23:00:00Z' },
])('ends $months months after $born', ({ months, born, due }) => {
  expect(iso(autoDonateAt(Date.parse(born), months))).toBe(due)
})

it('is twelve whole months at least', () => {
  expect([12, 13, 120].every(isTermMonths)).toBe(true)
  expect([11, 0, -12, 12.5, 121, Number.NaN].some(isTermMonths)).toBe(false)
})

it('has one to four reminders on different days', () => {
  expect([[30, 7], [7, 30], [2], [90, 60, 30, 7]].every(areReminderDays)).toBe(true)
  expect([[], [1], [7, 7], [181], [7.5], [5, 4, 3, 2, 6]].some(areReminderDays)).toBe(false)
})

const END = Date.parse('2027-03-10T23:00:00Z')

it.each([
  { reminderDays: [30, 7], sent: 0, before: 20, which: 'first' },
  { reminderDays: [30, 7], sent: 1, before: 3, which: 'last' },
  { reminderDays: [60, 30, 7], sent: 1, before: 20, which: 'second' },
  // A silence left the first one out: this one is the first that is said.
  { reminderDays: [60, 30, 7], sent: 0, before: 20, which: 'first' },
  { reminderDays: [30], sent: 0, before: 20, which: 'last' },
  { reminderDays: [90, 60, 30, 7], sent: 2, before: 20, which: 'second' },
])('is the $which reminder, of $reminderDays, $before days before the end after $sent', reminder => {
  const { reminderDays, sent, before, which } = reminder
  const { due } = reminderDue({ autoDonateAt: END, reminderDays, sent }, END - before * DAY_MS)
  expect(due?.which).toBe(which)
})

it('has no reminder before the first day nor after the last', () => {
  const card = { autoDonateAt: END, reminderDays: [30, 7], sent: 0 }
  const first = firstReminderAt(card)!
  expect(reminderDue(card, first - 1)).toEqual({ due: undefined, next: first })
  expect(reminderDue(card, first).due).toEqual({ days: 30, which: 'first' })
  expect(reminderDue(card, END)).toEqual({ due: undefined, next: null })
})
