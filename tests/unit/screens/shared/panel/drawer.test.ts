import { describe, expect, it } from 'vitest'
import { closes } from '#screens/shared/panel/drawer.ts'

const SLOWLY = 5_000

describe('a panel that is let go of', () => {
  it.each([
    ['stays under a quarter of its size', 99, false],
    ['closes from a quarter of its size', 100, true],
    ['closes beyond it', 400, true],
    ['stays where it was not moved', 0, false],
  ])('%s', (_, moved, closed) => {
    expect(closes({ moved, size: 400, took: SLOWLY })).toBe(closed)
  })

  it.each([
    ['closes when thrown at 0.4 px per ms', 100, true],
    ['stays when let go a little slower', 101, false],
  ])('%s', (_, took, closed) => {
    expect(closes({ moved: 40, size: 400, took })).toBe(closed)
  })

  it('does not divide by a time of nothing', () => {
    expect(closes({ moved: 0, size: 400, took: 0 })).toBe(false)
    expect(closes({ moved: 1, size: 400, took: 0 })).toBe(true)
  })
})
