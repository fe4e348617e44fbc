import { describe, expect, it } from 'vitest'
import { farthest } from '../../../bench/measure/crowd.ts'
import { overtaken } from '../../../bench/report/statistics.ts'

/** So many a second, evenly, for so long. */
const evenly = (perSecond: number, seconds: number): number[] =>
  Array.from({ length: perSecond * seconds }, (_, n) => n / perSecond)

describe('the figures of a crowd', () => {
  it('say how far the worst ten seconds are from the rate, after the first fifteen', () => {
    expect(farthest(evenly(20, 45), 45)).toBe(0)
    expect(farthest([...evenly(200, 10), ...evenly(20, 45).filter(at => at >= 15)], 45)).toBe(0)
    expect(farthest(evenly(23, 45), 45)).toBeCloseTo(3)
    expect(
      farthest(
        evenly(20, 45).filter(at => at < 28 || at > 31),
        45,
      ),
    ).toBeGreaterThan(3)
  })

  it('say by how long somebody was overtaken at most', () => {
    const inOrder = [0, 1, 2, 3].map(number => ({ number, at: number * 10 }))
    expect(overtaken(inOrder)).toBe(0)
    expect(overtaken([...inOrder, { number: 4, at: 8 }])).toBe(22)
  })
})
