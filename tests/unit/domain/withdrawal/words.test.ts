import { expect, it } from 'vitest'
import { LANGUAGES } from '#domain/languages.ts'
import { WITHDRAWAL_STATES } from '#domain/withdrawal/withdrawal.ts'
import { namedInWords, statementSentence, withdrawalSentence } from '#domain/withdrawal/words.ts'
import { getT } from '#i18n/index.ts'

const CHARGED = { kind: 'donation', byTransfer: false } as const
const INVOICED = { kind: 'donation', byTransfer: true } as const
const VALUES = { amount: '€130.00', date: '3 December 2026' }

it.each(LANGUAGES)('of an invoice no sentence says that money is on its way by itself, in %s', language => {
  const t = getT(language)
  const byItself = /ten business days|diez días hábiles|deux semaines, selon votre banque/
  for (const cards of [undefined, [3, 5]])
    for (const answer of ['whole', 'support'] as const) {
      const of = (state: (typeof WITHDRAWAL_STATES)[number], from: typeof CHARGED | typeof INVOICED) =>
        withdrawalSentence(t, { answer, state, cards, areSomeUsed: false }, from, VALUES)
      for (const state of WITHDRAWAL_STATES) expect(of(state, INVOICED)).not.toMatch(byItself)
      expect(of('refunding', CHARGED)).toMatch(byItself)
      for (const state of ['refunding', 'refunded'] as const)
        expect(of(state, INVOICED)).toContain(VALUES.amount)
      expect(of('refunding', INVOICED)).not.toBe(of('refunded', INVOICED))
    }
})

it.each(LANGUAGES)('a withdrawal from some cards names them and what goes back, in %s', language => {
  const t = getT(language)
  for (const answer of ['whole', 'support'] as const)
    for (const state of WITHDRAWAL_STATES)
      for (const cards of [[3], [3, 5, 6, 7]]) {
        const said = withdrawalSentence(t, { answer, state, cards, areSomeUsed: false }, CHARGED, VALUES)
        expect(said).toContain(namedInWords(t, cards))
        expect(said.includes(VALUES.amount)).toBe(state !== 'closed')
        expect(said).not.toMatch(/[{}]/)
      }
})

it.each(LANGUAGES)(
  'a buyer states which cards they withdraw from, else the whole purchase, in %s',
  language => {
    const t = getT(language)
    expect(statementSentence(t, [2, 3])).toContain(namedInWords(t, [2, 3]))
    expect(statementSentence(t, [])).toBe(t('withdraw-statement'))
    expect(statementSentence(t, undefined)).toBe(t('withdraw-statement'))
  },
)

it('of cards that were used meanwhile it says that the support alone goes back', () => {
  const t = getT('en')
  const said = { answer: 'whole', state: 'refunding', cards: [1, 2] } as const
  const note = t('withdraw-cards-some-used')
  expect(withdrawalSentence(t, { ...said, areSomeUsed: true }, CHARGED, VALUES)).toContain(note)
  expect(withdrawalSentence(t, { ...said, areSomeUsed: false }, CHARGED, VALUES)).not.toContain(note)
})

it('a withdrawal from all of an order says what it always did', () => {
  const t = getT('en')
  const all = { answer: 'whole', state: 'refunded', areSomeUsed: false } as const
  expect(withdrawalSentence(t, all, CHARGED, VALUES)).toBe(t('withdraw-answer-whole', VALUES))
})
