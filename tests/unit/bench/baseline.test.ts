import { describe, expect, it } from 'vitest'
import { isWorse, worsened } from '../../../bench/report/baseline.ts'
import type { Figure } from '../../../bench/report/threshold.ts'

const weight = (measured: number): Figure => ({
  id: 'thanks all',
  part: 'Screens',
  what: 'thanks · all',
  unit: 'kB',
  measured,
})
const ratio = (measured: number): Figure => ({ ...weight(measured), unit: 'µs', reference: 10 })

describe('a figure beside the one that was kept', () => {
  it.each([
    ['bytes that are the same', weight(10), weight(10), false],
    ['a byte more in a name', weight(10.1), weight(10), false],
    ['a kilobyte more', weight(11), weight(10), true],
    ['a request more', { ...weight(6), unit: '' }, { ...weight(5), unit: '' }, true],
    ['a ratio within the noise of a shared machine', ratio(25), ratio(20), false],
    ['a ratio half as large again', ratio(30), ratio(20), true],
    ['less', weight(5), weight(10), false],
    ['what never came, and came before', weight(Number.POSITIVE_INFINITY), weight(10), true],
    ['what could not be measured', weight(Number.NaN), weight(10), true],
    [
      'what never came before either',
      weight(Number.POSITIVE_INFINITY),
      weight(Number.POSITIVE_INFINITY),
      false,
    ],
  ])('%s', (_, now, before, worse) => {
    expect(isWorse(now, before)).toBe(worse)
  })

  it('is left to its goal where a time has nothing measured beside it', () => {
    expect(isWorse({ ...weight(900), unit: 'ms' }, { ...weight(100), unit: 'ms' })).toBe(false)
  })

  it('makes the run fail by its id alone, and what was never kept does not', () => {
    const other = { ...weight(99), id: 'consumed all' }
    const renamed = { ...weight(20), what: 'thanks · bytes' }
    expect(worsened([renamed, other], [weight(10)])).toEqual([renamed])
  })
})
