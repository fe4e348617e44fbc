import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { perLanguage } from '#domain/languages.ts'
import { amissInLastDayWords, DEFAULT_MARKET, lastDayWords } from '#domain/market.ts'
import { markets } from '#server/modules/content/markets.ts'
import { published } from '#server/modules/content/validate.ts'
import { inLanguages } from '#tests/builders/domain.ts'

describe('the operator’s words for the last day', () => {
  it.each([
    ['Give it until {{date}}.', undefined],
    ['', undefined],
    ['Give it soon.', 'no-date'],
    ['{{date}} {{date}}', 'no-date'],
    ['{{name}} has until {{date}}.', 'other-place'],
    ['It has until {{date}}}}.', 'other-place'],
    ['It expires on {{date}}.', 'expires'],
    ['Caduca el {{date}}.', 'expires'],
    ['Elle expire le {{date}}.', 'expires'],
    [`{{date}} ${'x'.repeat(140)}`, 'too-long'],
  ])('%s: %s', (words, amiss) => {
    expect(amissInLastDayWords(words)).toBe(amiss)
  })

  it('stand in the place of the product’s own, where there are any', () => {
    const own = { lastDayWords: { ...perLanguage(() => ''), en: 'Until {{date}}, gladly.' } }
    expect(lastDayWords(own, 'en', '1 May', 'ours')).toBe('Until 1 May, gladly.')
    expect(lastDayWords(own, 'fr', '1 May', 'ours')).toBe('ours')
  })
})

describe('what a payment costs', () => {
  const { settings } = published.shape
  const read = (paymentFee: unknown) => settings.shape.paymentFee.safeParse(paymentFee)

  it('is paid out of the support and own means where the operator says nothing', () => {
    for (const nothing of [null, undefined, {}])
      expect(read(nothing).data).toEqual({ cost: perLanguage(() => ''), paidFrom: 'support' })
  })

  it('is never paid by the organisations, whose amount the books give them whole', () => {
    expect(read({ cost: { es: '1 %', en: null, fr: '' }, paidFrom: 'own' }).success).toBe(true)
    expect(read({ paidFrom: 'organisations' }).success).toBe(false)
  })
})

describe('the markets of the content', () => {
  const read = (eur: unknown) => markets.parse({ EUR: eur, USD: null, CAD: null, GBP: null })

  it('are the product’s own where the operator sets nothing', () => {
    for (const content of [null, undefined]) expect(markets.parse(content).EUR).toEqual(DEFAULT_MARKET)
    expect(read(null).EUR).toEqual(DEFAULT_MARKET)
    expect(read({ months: null, reminderDays: [], lastDayWords: null }).EUR).toEqual(DEFAULT_MARKET)
  })

  const WORDS = inLanguages({ es: 'Ley 49/2002', en: 'Law 49/2002', fr: 'Loi 49/2002' })

  it('are what the operator sets, and read again from the disk as they are', () => {
    const lastDay = { es: 'Hasta el {{date}}.', en: null, fr: '' }
    const money = { taxShare: 10, vatRate: 5.5, receipts: 'own', certificateWords: WORDS, identityFrom: 100 }
    const set = read({ months: 18, reminderDays: [7, 60, 30], lastDayWords: lastDay, ...money })
    expect(set.EUR).toMatchObject({ months: 18, reminderDays: [60, 30, 7], ...money })
    expect(set.USD).toEqual(DEFAULT_MARKET)
    expect(markets.parse(JSON.parse(JSON.stringify(set)))).toEqual(set)
  })

  it.each([
    [{ months: 11 }],
    [{ months: 12.5 }],
    [{ reminderDays: [7, 7] }],
    [{ reminderDays: [0] }],
    [{ taxShare: 5.5 }],
    [{ vatRate: 51 }],
    [{ receipts: 'own' }],
    [{ receipts: 'own', certificateWords: { ...WORDS, en: '' } }],
    [{ identityFrom: 0 }],
    [{ lastDayWords: { es: 'Caduca el {{date}}', en: '', fr: '' } }],
  ])('refuse %j', market => {
    expect(markets.safeParse({ EUR: market }).success).toBe(false)
  })
})

it('the terms to begin with promise no more reminders than an operator has to send: one', () => {
  const seed = readFileSync(new URL('../../../studio/seed/production.ndjson', import.meta.url), 'utf8')
  for (const promise of ['más de una vez mientras', 'more than once while', 'plus d’une fois tant que'])
    expect(seed).not.toContain(promise)
  for (const promise of ['al menos una vez mientras', 'at least once while', 'au moins une fois tant que'])
    expect(seed).toContain(promise)
})
