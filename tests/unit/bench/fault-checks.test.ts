import { describe, expect, it } from 'vitest'
import type { Figure } from '../../../bench/report/threshold.ts'
import { detects, faultChecksOf, linesOf } from '../../../bench/self-test/fault-checks.ts'

const kilobytes = (measured: number): Figure => ({
  id: 'thanks all',
  part: 'Screens',
  what: 'thanks · all',
  unit: 'kB',
  measured,
  goal: { id: 'text-bytes', atMost: 15, tolerance: 0 },
})

describe('a proof that a measurement sees a fault', () => {
  it('holds when the fault turns the figure red', () => {
    expect(detects(kilobytes(6), kilobytes(26))).toBe(true)
  })

  it('fails when the figure stays within its goal', () => {
    expect(detects(kilobytes(6), kilobytes(14))).toBe(false)
  })

  it('asks for a clear worsening of a figure that was red before', () => {
    expect(detects(kilobytes(20), kilobytes(21))).toBe(false)
    expect(detects(kilobytes(20), kilobytes(40))).toBe(true)
    expect(detects(kilobytes(20), kilobytes(Number.POSITIVE_INFINITY))).toBe(true)
  })

  it('compares figures of one id, and shows what the fault did', () => {
    const other = {
      ...kilobytes(1),
      id: 'consumed requests',
      goal: { ...kilobytes(1).goal!, id: 'text-requests' as const },
    }
    const checks = faultChecksOf('more script', [other, kilobytes(6)], [other, kilobytes(26)], ['text-bytes'])
    expect(linesOf(checks)).toBe('red  more script  6 kB → 26 kB  thanks · all')
  })

  it('does not take silence for a proof', () => {
    expect(() => faultChecksOf('a fault', [kilobytes(6)], [], ['text-bytes'])).toThrow('nothing was measured')
    expect(() => faultChecksOf('a fault', [], [kilobytes(6)], ['text-bytes'])).toThrow('not measured without')
  })
})
