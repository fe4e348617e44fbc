import { expect, it } from 'vitest'
import { writtenLook } from '#server/modules/payments/written-looks.ts'

const after = (...looks: readonly unknown[]) =>
  looks.reduce<number | undefined>((before, facts) => writtenLook(facts, before), undefined)!

it('keeps what stands where the next look says the same', () => {
  expect(after('two', 'two')).toBe(after('two'))
})

it('keeps something else where the next look says something else', () => {
  expect(after('two', 'three')).not.toBe(after('two'))
})

it('keeps something else where a look says again what the one before the last said', () => {
  expect(after('two', 'three', 'two')).not.toBe(after('two'))
})

it('stays a whole number that every database keeps exactly, however many looks were written', () => {
  const last = 2 ** 36 * (2 ** 16 - 1)
  const next = writtenLook('two', last)
  expect([Number.isSafeInteger(last + 2 ** 36 - 1), Number.isSafeInteger(next)]).toEqual([true, true])
  expect(next).toBeLessThan(2 ** 36)
})
