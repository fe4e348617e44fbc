import { expect, it } from 'vitest'
import { isSpent } from '#domain/payment/spent.ts'

it('knows a press that was paid before by its key alone', () => {
  const refused = (path: string, rule: string) => ({ fields: [{ path, rule }] })
  expect(isSpent(refused('Idempotency-Key', 'spent'))).toBe(true)
  expect(isSpent(refused('Idempotency-Key', 'used-otherwise'))).toBe(false)
  expect(isSpent(refused('rows', 'spent'))).toBe(false)
  expect(isSpent({})).toBe(false)
})
