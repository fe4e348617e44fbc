import { expect, it } from 'vitest'
import { Problem } from '#domain/problems.ts'
import { problemWords } from '../../../src/pages/_many-review.ts'

it('says of an organisation that is not listed any more that it is the one to fall back on', () => {
  expect(problemWords(new Problem('ngo-not-listed'))).toBe('fallback-gone')
  expect(problemWords(new Problem('terms-changed'))).toBe('problem-terms-changed')
  const spent = new Problem('invalid-fields', { fields: [{ path: 'Idempotency-Key', rule: 'spent' }] })
  expect(problemWords(spent)).toBe('payment-spent')
})

it('marks nothing where a payment is looked over, and so sends nobody to what is marked', () => {
  const unclear = new Problem('invalid-fields', { fields: [{ path: 'theme', rule: 'unknown' }] })
  expect(problemWords(unclear)).toBe('payment-not-understood')
})
