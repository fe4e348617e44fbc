import { describe, expect, it } from 'vitest'
import { median, percentile, quantile, spread } from '../../../bench/report/statistics.ts'

describe('the statistics of the benchmarks', () => {
  it('find the middle of any list, in whatever order', () => {
    expect(median([3, 1, 2])).toBe(2)
    expect(median([4, 1, 3, 2])).toBe(2.5)
    expect(median([])).toBeNaN()
  })

  it('keep a median that never came', () => {
    const never = Number.POSITIVE_INFINITY
    expect(median([never, 1, never])).toBe(never)
    expect(median([never, never])).toBe(never)
  })

  it('find a place between two values', () => {
    expect(quantile([0, 10], 0.25)).toBe(2.5)
  })

  it('take the slowest of the share that is asked for', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => index + 1)
    expect(percentile(hundred, 0.99)).toBe(99)
    expect(percentile([5, 1, 2], 0.95)).toBe(5)
    expect(percentile([7], 0.5)).toBe(7)
  })

  it('say how far the middle half reaches, compared with the median', () => {
    expect(spread([10, 10, 10])).toBe(0)
    expect(spread([8, 9, 10, 11, 12])).toBeCloseTo(0.2)
    expect(spread([0, 0, 0])).toBe(0)
  })
})
