import { expect, it } from 'vitest'
import { areFailuresRising } from '#domain/payment/failures-rising.ts'

it.each([
  ['half as many as in the week before', { orders: 10, paid: 5 }, { orders: 20, paid: 20 }, false],
  ['fewer than half', { orders: 10, paid: 4 }, { orders: 20, paid: 20 }, true],
  ['none, where few are paid at any time', { orders: 10, paid: 0 }, { orders: 40, paid: 1 }, true],
  ['none on any day', { orders: 10, paid: 0 }, { orders: 40, paid: 0 }, false],
  ['too few of a day to tell', { orders: 9, paid: 0 }, { orders: 20, paid: 20 }, false],
  ['too few of the week before to tell', { orders: 10, paid: 0 }, { orders: 19, paid: 19 }, false],
  ['nothing ordered at all', { orders: 0, paid: 0 }, { orders: 0, paid: 0 }, false],
] as const)('judges a day of which there were paid: %s', (_, day, week, rising) => {
  expect(areFailuresRising(day, week)).toBe(rising)
})
