import { describe, expect, it } from 'vitest'
import { dayOf, inAWhile, lastDayBefore } from '#domain/dates.ts'

describe('the last day of a card', () => {
  it.each([
    ['winter', '2027-01-31T23:00:00Z', 'January 31, 2027'],
    ['summer', '2027-07-31T22:00:00Z', 'July 31, 2027'],
    ['the night the clocks change', '2027-03-27T23:00:00Z', 'March 27, 2027'],
    ['the end of February', '2029-02-28T23:00:00Z', 'February 28, 2029'],
  ])('is the day that ends in Madrid, in %s', (_when, end, words) => {
    expect(lastDayBefore(Date.parse(end), 'en')).toBe(words)
  })

  it('is the same day when the end is given as the last millisecond', () => {
    expect(lastDayBefore(Date.parse('2027-01-31T22:59:59.999Z'), 'en')).toBe('January 31, 2027')
  })
})

describe('a day in words', () => {
  it('begins a month as each language does', () => {
    const first = Date.parse('2027-11-01')
    expect(dayOf(first, 'es')).toBe('1 de noviembre de 2027')
    expect(dayOf(first, 'en')).toBe('November 1, 2027')
    expect(dayOf(first, 'fr')).toBe('1er novembre 2027')
    expect(dayOf(first + 10 * 86_400_000, 'fr')).toBe('11 novembre 2027')
  })

  it('is the day in Madrid', () => {
    expect(dayOf(Date.parse('2027-01-31T22:59:59.999Z'), 'en')).toBe('January 31, 2027')
    expect(dayOf(Date.parse('2027-01-31T23:00:00Z'), 'en')).toBe('February 1, 2027')
  })
})

describe('a while', () => {
  it.each([
    [12, 'es', 'dentro de 12 segundos'],
    [61, 'en', 'in 2 minutes'],
    [3_600, 'fr', 'dans 60 minutes'],
    [3_601, 'es', 'dentro de 2 horas'],
    [86_391.2, 'en', 'in 24 hours'],
  ] as const)('of %d s is never said too short', (seconds, language, words) => {
    expect(inAWhile(seconds, language)).toBe(words)
  })
})
