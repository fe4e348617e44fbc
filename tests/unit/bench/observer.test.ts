import { describe, expect, it } from 'vitest'
import { blockedMs, type Observed } from '../../../bench/harness/observer.ts'
import { microsecondsOf } from '../../../bench/harness/processor.ts'

const observed = (longTasks: [number, number][], firstPaint: number | null = 100): Observed => ({
  firstPaint,
  largestPaint: firstPaint,
  shift: 0,
  longTasks,
  interactions: [],
})

describe('the blocking time', () => {
  it('is what tasks take beyond 50 ms each', () => {
    expect(
      blockedMs(
        observed([
          [200, 80],
          [300, 50],
          [400, 120],
        ]),
      ),
    ).toBe(100)
  })

  it('starts with the first paint', () => {
    expect(
      blockedMs(
        observed([
          [0, 100],
          [40, 130],
        ]),
      ),
    ).toBe(20)
  })

  it('never ends without a first paint', () => {
    expect(blockedMs(observed([], null))).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('the processor time of a process', () => {
  it('sums user and system time, whatever the program is called', () => {
    const stat = '42 (a (b) c) S 1 42 42 0 -1 4194560 100 0 0 0 7 5 0 0 20 0 11 0 1000'
    expect(microsecondsOf(stat)).toBe(120_000)
  })
})
