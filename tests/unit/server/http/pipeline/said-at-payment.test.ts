import { describe, expect, it } from 'vitest'
import { purchaseIn } from '#domain/payment/same-purchase.ts'
import { Problem } from '#domain/problems.ts'
import {
  afterRefusal,
  attemptIn,
  pressOf,
  turnAtPayment,
  wordsAtPayment,
} from '#server/http/pipeline/said-at-payment.ts'

const used = (rule: string) => new Problem('invalid-fields', { fields: [{ path: 'Idempotency-Key', rule }] })

describe('the press of a form that pays without scripts', () => {
  it('is the same for the same choice, and another one for every other', () => {
    const choice = { ngoAmount: 2_500, rows: [{ name: 'Aina', words: null }], invoice: undefined }
    expect(pressOf('a', choice)).toBe(pressOf('a', structuredClone(choice)))
    for (const other of [
      { ...choice, ngoAmount: 2_501 },
      { ...choice, rows: [] },
      { ...choice, invoice: { name: 'Escola' } },
    ])
      expect(pressOf('a', other)).not.toBe(pressOf('a', choice))
    expect(pressOf('b', choice)).not.toBe(pressOf('a', choice))
  })

  it('is the same for the same purchase, whatever is said beside it', () => {
    const choice = { cards: 3, donor: { name: 'Núria' }, language: 'es', termsVersion: '1', message: null }
    const beside = { donor: null, language: 'fr', termsVersion: '2', message: 'Hola', fallbackNgoId: 'msf' }
    const key = pressOf('a', purchaseIn(choice))
    expect(pressOf('a', purchaseIn({ ...choice, ...beside }))).toBe(key)
    expect(pressOf('a', purchaseIn({ ...choice, cards: 4 }))).not.toBe(key)
  })

  it('is of the attempt that the form carries, and of a new one where it carries none', () => {
    const carried = 'a0000000-0000-4000-8000-000000000000'
    expect(attemptIn(name => (name === 'attempt' ? carried : ''))).toBe(carried)
    expect(attemptIn(() => '')).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('gets another attempt once it was paid, and keeps it after every other refusal', () => {
    const review = { attempt: 'kept', total: 5_000 }
    const after = afterRefusal(review, used('spent'))
    expect(after).toEqual({ attempt: expect.stringMatching(/^[0-9a-f-]{36}$/), total: 5_000 })
    // What nobody knows any more opens no payment either.
    expect(afterRefusal(review, new Problem('payment-not-found'))).not.toEqual(review)
    expect(afterRefusal(review, new Problem('provider-unavailable'))).toEqual(review)
  })

  it('says that it was paid where that is why, and nowhere else', () => {
    expect(wordsAtPayment(used('spent'))).toBe('payment-spent')
    expect(wordsAtPayment(used('used-otherwise'))).toBe('payment-not-understood')
    const ofRows = new Problem('invalid-fields', { fields: [{ path: 'rows', rule: 'spent' }] })
    expect(wordsAtPayment(ofRows)).toBe('payment-not-understood')
    expect(wordsAtPayment(new Problem('terms-changed'))).toBe('problem-terms-changed')
  })

  it('is told that there are no terms where there are none, and that they changed where they did', async () => {
    const app = { waitingRoom: { enter: async () => 'in' }, limits: { left: () => 1 } }
    const pay = (terms: string, termsVersion: string) =>
      turnAtPayment(app as never, {
        headers: new Headers(),
        address: '',
        attempt: 'a',
        attemptKey: 'a:{}',
        terms,
        termsVersion,
      })
    await expect(pay('', '')).rejects.toMatchObject({ code: 'terms-missing' })
    await expect(pay('2026-01', '2026-02')).rejects.toMatchObject({ code: 'terms-changed' })
    await expect(pay('', '2026-02')).rejects.toMatchObject({ code: 'terms-changed' })
  })
})
