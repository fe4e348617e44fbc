import { describe, expect, it } from 'vitest'
import { dayOf, inAWhile, lastDayBefore, momentOf } from '#domain/dates.ts'
import type { Language } from '#domain/languages.ts'

describe('the last day of a card', () => {
  it.each([
    ['winter', '2027-01-31T23:00:00Z', 'January\u00a031, 2027'],
    ['summer', '2027-07-31T22:00:00Z', 'July\u00a031, 2027'],
    ['the night the clocks change', '2027-03-27T23:00:00Z', 'March\u00a027, 2027'],
    ['the end of February', '2029-02-28T23:00:00Z', 'February\u00a028, 2029'],
  ])('is the day that ends in Madrid, in %s', (_when, end, words) => {
    expect(lastDayBefore(Date.parse(end), 'en')).toBe(words)
  })

  it('is the same day when the end is given as the last millisecond', () => {
    expect(lastDayBefore(Date.parse('2027-01-31T22:59:59.999Z'), 'en')).toBe('January\u00a031, 2027')
  })
})

describe('a day in words', () => {
  it('begins a month as each language does', () => {
    const first = Date.parse('2027-11-01')
    expect(dayOf(first, 'es')).toBe('1\u00a0de\u00a0noviembre de 2027')
    expect(dayOf(first, 'en')).toBe('November\u00a01, 2027')
    expect(dayOf(first, 'fr')).toBe('1er\u00a0novembre 2027')
    expect(dayOf(first + 10 * 86_400_000, 'fr')).toBe('11\u00a0novembre 2027')
  })

  it('is the day in Madrid', () => {
    expect(dayOf(Date.parse('2027-01-31T22:59:59.999Z'), 'en')).toBe('January\u00a031, 2027')
    expect(dayOf(Date.parse('2027-01-31T23:00:00Z'), 'en')).toBe('February\u00a01, 2027')
  })
})

describe('a moment in words', () => {
  const words = (at: string, language: Language) =>
    momentOf(Date.parse(at), language).replaceAll('\u202f', ' ')

  it('has the clock of Madrid, as each language writes it', () => {
    expect(words('2027-03-10T13:05:00Z', 'es')).toBe('10\u00a0de\u00a0marzo de 2027, 14:05 (Madrid)')
    expect(words('2027-03-10T13:05:00Z', 'en')).toBe('March\u00a010, 2027, 2:05 PM (Madrid)')
    expect(words('2027-03-10T13:05:00Z', 'fr')).toBe(
      '10\u00a0mars 2027 à 14\u00a0h\u00a005 (heure de Madrid)',
    )
  })

  it('writes the small hours, a whole hour and the first of a month in French', () => {
    expect(words('2027-07-31T22:00:59Z', 'fr')).toBe(
      '1er\u00a0août 2027 à 0\u00a0h\u00a000 (heure de Madrid)',
    )
    expect(words('2027-01-31T08:07:00Z', 'fr')).toBe(
      '31\u00a0janvier 2027 à 9\u00a0h\u00a007 (heure de Madrid)',
    )
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
