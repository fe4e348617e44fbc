import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '#domain/languages.ts'
import {
  isAnswerTo,
  isOffered,
  missingAnswers,
  offeredAnswers,
  POLL_IDS,
  POLLS,
  type PollQuestion,
  readAnswers,
  screenAfterPayment,
  valuesOf,
} from '#domain/polls/polls.ts'
import { getT } from '#i18n/index.ts'

const question = (poll: 'poll-1' | 'poll-2', id: string): PollQuestion =>
  POLLS[poll].find(each => each.id === id)!

describe('the polls', () => {
  it('ask four questions and ten', () => {
    expect(POLL_IDS.map(id => POLLS[id].length)).toEqual([4, 10])
  })

  it.each(LANGUAGES)('have words for every question and option in %s', language => {
    const t = getT(language)
    for (const poll of POLL_IDS)
      for (const each of POLLS[poll]) {
        expect(t(`${poll}-${each.id}`)).not.toBe(`${poll}-${each.id}`)
        if (!('options' in each)) continue
        for (const option of each.options.filter(one => isOffered(one, { language }))) {
          const key = `poll-${each.id}-${option.id}`
          expect(t(key)).not.toBe(key)
        }
      }
  })

  it('offer the fourth level of education in Spanish and French only', () => {
    const education = question('poll-2', 'education')
    const offered = (language: 'es' | 'en' | 'fr') =>
      'options' in education ? education.options.filter(each => isOffered(each, { language })).length : 0
    expect([offered('es'), offered('fr'), offered('en')]).toEqual([5, 5, 4])
  })

  it('ask for the income in euros, or in dollars where the currency is another', () => {
    const income = question('poll-2', 'income')
    const offered = (currency: 'EUR' | 'USD' | 'CAD' | 'GBP') =>
      'options' in income
        ? income.options.filter(each => isOffered(each, { language: 'en', currency })).map(({ id }) => id)
        : []
    expect(offered('EUR')).toEqual(['under-900', '900-1400', '1400-2000', 'over-2000'])
    for (const currency of ['USD', 'CAD', 'GBP'] as const)
      expect(offered(currency)).toEqual(['under-2000', '2000-4000', '4000-6000', 'over-6000'])
  })
})

describe('an answer', () => {
  it.each([
    ['impact', 0, true],
    ['impact', 5, true],
    ['impact', 6, false],
    ['impact', 2.5, false],
    ['impact', '3', false],
    ['donated', 'no-answer', true],
    ['donated', 'perhaps', false],
  ] as const)('to %s: %j is one: %s', (id, value, is) => {
    expect(isAnswerTo(question('poll-1', id), value)).toBe(is)
  })

  it.each([
    ['traditions', ['diwali'], true],
    ['traditions', ['diwali', 'carnival', 'ramadan'], true],
    ['traditions', ['diwali', 'carnival', 'ramadan', 'christmas'], false],
    ['traditions', ['diwali', 'diwali'], false],
    ['traditions', [], false],
    ['traditions', 'diwali', false],
    ['known', 'UNICEF', true],
    ['known', '  ', false],
    ['known', '🌍'.repeat(200), true],
    ['known', 'x'.repeat(201), false],
  ])('to %s: %j is one: %s', (id, value, is) => {
    expect(isAnswerTo(question('poll-2', id), value)).toBe(is)
  })

  it('to a question or option that is not offered any more is not sent', () => {
    const answers = { age: '20-24', income: 'under-2000', education: '4', traditions: ['diwali'], culture: 2 }
    const offered = (language: 'es' | 'en', currency: 'EUR' | 'GBP') =>
      Object.keys(offeredAnswers('poll-2', answers, { language, currency }))
    expect(offered('es', 'EUR')).toEqual(['age', 'culture', 'traditions', 'education'])
    expect(offered('es', 'GBP')).toEqual(['age', 'culture', 'traditions', 'education', 'income'])
    expect(offered('en', 'EUR')).toEqual(['age', 'culture', 'traditions'])
  })

  it('that is none is dropped, and so is one to another poll', () => {
    const kept = { donated: 'yes', impact: 9, age: '20-24', __proto__: { postcard: 'yes' }, other: 1 }
    expect(readAnswers('poll-1', kept)).toEqual({ donated: 'yes' })
    for (const nothing of [null, 'text', 7, undefined, []]) expect(readAnswers('poll-1', nothing)).toEqual({})
  })

  it('is needed to every question that is not optional', () => {
    expect(missingAnswers('poll-1', {})).toEqual(['donated', 'postcard'])
    expect(missingAnswers('poll-1', { donated: 'no-answer', postcard: 'no' })).toEqual([])
    expect(missingAnswers('poll-2', {})).toEqual(['age', 'informed', 'drink', 'studying'])
  })

  it('is counted thing by thing', () => {
    expect(valuesOf(['diwali', 'carnival'])).toEqual(['diwali', 'carnival'])
    expect([valuesOf(0), valuesOf(' UNICEF ')]).toEqual([['0'], ['UNICEF']])
  })
})

describe('after a payment', () => {
  const later = { poll1Completed: true, poll2Completed: false }
  it.each([
    [{ poll1Completed: false, poll2Completed: false }, 'poll-ngo'],
    [{ poll1Completed: false, wantsPoll2: true, poll2Completed: true }, 'poll-ngo'],
    [later, 'no-refresh/donation-2-intro-poll-postpayment'],
    [{ ...later, wantsPoll2: true }, 'no-refresh/donation-2-poll-postpayment'],
    [{ ...later, wantsPoll2: false }, 'no-refresh/checkout'],
    [{ ...later, wantsPoll2: true, poll2Completed: true }, 'no-refresh/checkout'],
  ])('%j leads to %s', (state, screen) => {
    expect(screenAfterPayment(state)).toBe(screen)
  })
})
