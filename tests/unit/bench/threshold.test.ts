import { describe, expect, it } from 'vitest'
import { type Figure, type Goal, missed, statusOf } from '../../../bench/report/threshold.ts'

const figure = (changes: Partial<Figure>): Figure => ({
  id: 'id',
  part: 'part',
  what: 'what',
  unit: 'ms',
  measured: 100,
  ...changes,
})

describe('the judge of the benchmarks', () => {
  it.each([
    [{ measured: 100 }, 'ok'],
    [{ measured: 100.1 }, 'near'],
    [{ measured: 110 }, 'near'],
    [{ measured: 110.1 }, 'missed'],
    [{ measured: Number.POSITIVE_INFINITY }, 'missed'],
    [{ measured: Number.NaN }, 'missed'],
  ] as const)('finds %o against at most 100, give or take a tenth, %s', (changes, verdict) => {
    expect(statusOf(figure({ ...changes, goal: { id: 'text-bytes', atMost: 100, tolerance: 0.1 } }))).toBe(
      verdict,
    )
  })

  it('allows nothing above a goal without tolerance', () => {
    const goal: Goal = { id: 'text-bytes', atMost: 5, tolerance: 0 }
    expect(statusOf(figure({ measured: 5, goal }))).toBe('ok')
    expect(statusOf(figure({ measured: 6, goal }))).toBe('missed')
  })

  it('holds the ratio against the goal where there is a reference', () => {
    const goal: Goal = { id: 'text-bytes', atMost: 2, tolerance: 0 }
    expect(statusOf(figure({ measured: 100, reference: 50, goal }))).toBe('ok')
    expect(statusOf(figure({ measured: 101, reference: 50, goal }))).toBe('missed')
    expect(statusOf(figure({ measured: 1, reference: 0, goal }))).toBe('missed')
    expect(statusOf(figure({ measured: 1, reference: Number.NaN, goal }))).toBe('missed')
  })

  it('misses what could not be measured at all', () => {
    expect(statusOf(figure({ failed: true }))).toBe('missed')
  })

  it('has nothing to say without a goal', () => {
    expect(statusOf(figure({ measured: Number.NaN }))).toBe('–')
  })

  it('fails a run for what is missed alone', () => {
    const goal: Goal = { id: 'text-bytes', atMost: 100, tolerance: 0.1 }
    const bad = figure({ measured: 200, goal })
    expect(
      missed([figure({ goal }), figure({ measured: 105, goal }), figure({ measured: 999 }), bad]),
    ).toEqual([bad])
  })
})
