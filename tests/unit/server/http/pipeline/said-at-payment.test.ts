import { describe, expect, it } from 'vitest'
import { Problem } from '#domain/problems.ts'
import {
  afterRefusal,
  pressOf,
  startPress,
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

  it('is the same for whoever gives, in every language, until it is known that nobody paid', async () => {
    const choice = { cards: 3, donor: { name: 'Núria' }, language: 'es', termsVersion: '1' }
    const keys: string[] = []
    const start = (answers: readonly (string | Problem)[]) => {
      const left = [...answers]
      return ({ attemptKey }: { readonly attemptKey: string }) => {
        keys.push(attemptKey)
        const answer = left.shift()!
        return typeof answer === 'string' ? Promise.resolve(answer) : Promise.reject(answer)
      }
    }
    const inFrench = { ...choice, donor: { name: 'N. Puig' }, language: 'fr', termsVersion: '2' }
    expect(await startPress('a', choice, start(['opened']))).toBe('opened')
    await expect(startPress('a', inFrench, start([used('spent')]))).rejects.toMatchObject(used('spent'))
    expect(keys[1]).toBe(keys[0])
    expect(await startPress('a', inFrench, start([used('used-otherwise'), 'opened']))).toBe('opened')
    expect(keys[2]).toBe(keys[0])
    expect(keys[3]).not.toBe(keys[0])
    // Pressed again, it is the same payment.
    await startPress('a', inFrench, start([used('used-otherwise'), 'opened']))
    expect(keys.slice(4)).toEqual(keys.slice(2, 4))
    await expect(startPress('a', choice, start([new Problem('provider-unavailable')]))).rejects.toMatchObject(
      {
        code: 'provider-unavailable',
      },
    )
  })

  it('gets another attempt once it was paid, and keeps it after every other refusal', () => {
    const review = { attempt: 'kept', total: 5_000 }
    const after = afterRefusal(review, used('spent'))
    expect(after).toEqual({ attempt: expect.stringMatching(/^[0-9a-f-]{36}$/), total: 5_000 })
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
        attemptKey: 'a',
        terms,
        termsVersion,
      })
    await expect(pay('', '')).rejects.toMatchObject({ code: 'terms-missing' })
    await expect(pay('2026-01', '2026-02')).rejects.toMatchObject({ code: 'terms-changed' })
    await expect(pay('', '2026-02')).rejects.toMatchObject({ code: 'terms-changed' })
  })
})
