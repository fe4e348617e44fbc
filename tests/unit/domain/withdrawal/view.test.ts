import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '#domain/languages.ts'
import { withdrawalView } from '#domain/withdrawal/view.ts'
import { isRefunded, WITHDRAWAL_ANSWERS, WITHDRAWAL_STATES } from '#domain/withdrawal/withdrawal.ts'
import { CATALOGUES } from '#i18n/catalogues.ts'

const KINDS = ['donation', 'volunteering'] as const
const PAID = { byTransfer: false, isAwaited: false } as const
const INVOICED = { byTransfer: true, isAwaited: true } as const

describe('before the button is pressed', () => {
  it.each(KINDS)('a %s can be withdrawn from where something would go back, and nowhere else', kind => {
    for (const answer of WITHDRAWAL_ANSWERS) {
      const { title, canConfirm } = withdrawalView({ ...PAID, kind, answer })
      expect([title, canConfirm], answer).toEqual(['withdraw-offer-title', isRefunded(answer)])
    }
  })

  it('says what would go back, and never that it has gone', () => {
    expect(withdrawalView({ ...PAID, kind: 'donation', answer: 'whole' }).text).toBe('withdraw-offer-whole')
    expect(withdrawalView({ ...PAID, kind: 'donation', answer: 'support' }).text).toBe(
      'withdraw-offer-support-donation',
    )
    expect(withdrawalView({ ...PAID, kind: 'volunteering', answer: 'support' }).text).toBe(
      'withdraw-offer-support-volunteering',
    )
    expect(withdrawalView({ ...PAID, kind: 'donation', answer: 'used' }).text).toBe(
      'withdraw-answer-used-donation',
    )
    expect(withdrawalView({ ...PAID, kind: 'donation', answer: 'too-late' }).text).toBe(
      'withdraw-answer-too-late',
    )
  })
})

it('says of an invoice that nobody has paid that it is not to be paid', () => {
  const invoiced = { kind: 'donation', ...INVOICED } as const
  expect(withdrawalView({ ...invoiced, answer: 'whole' }).text).toBe('withdraw-offer-invoice')
  const arrived = { ...invoiced, isAwaited: false, answer: 'whole' } as const
  expect(withdrawalView(arrived).text).toBe('withdraw-offer-whole')
  const confirmed = { answer: 'whole', state: 'waiting' } as const
  expect(withdrawalView({ ...invoiced, answer: 'whole', confirmed }).text).toBe(
    'withdraw-transfer-whole-waiting',
  )
})

describe('after it was pressed', () => {
  it('only a refund that came back can be asked for again', () => {
    for (const kind of KINDS)
      for (const answer of ['whole', 'support'] as const)
        for (const state of WITHDRAWAL_STATES) {
          const { canConfirm } = withdrawalView({ ...PAID, kind, answer, confirmed: { answer, state } })
          expect(canConfirm, `${answer} ${state}`).toBe(state === 'failed')
        }
  })

  it('its title says whether it was received, answered, or has failed', () => {
    const titleOf = (state: (typeof WITHDRAWAL_STATES)[number]) =>
      withdrawalView({
        ...PAID,
        kind: 'donation',
        answer: 'given-back',
        confirmed: { answer: 'whole', state },
      }).title
    expect(WITHDRAWAL_STATES.map(titleOf)).toEqual([
      'withdraw-done-title',
      'withdraw-done-title',
      'withdraw-done-title',
      'withdraw-failed-title',
      'withdraw-closed-title',
    ])
  })
})

it.each(LANGUAGES)('has words in %s for every answer in every state', language => {
  for (const kind of KINDS)
    for (const answer of WITHDRAWAL_ANSWERS)
      for (const state of [undefined, ...WITHDRAWAL_STATES])
        for (const from of [PAID, INVOICED]) {
          const { title, text } = withdrawalView({
            ...from,
            kind,
            answer,
            confirmed: state && { answer, state },
          })
          for (const key of [title, text]) expect(CATALOGUES[language][key], key).toBeTruthy()
        }
})
