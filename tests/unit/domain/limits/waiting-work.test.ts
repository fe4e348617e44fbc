import { describe, expect, it } from 'vitest'
import { comeAgainAfter, MOST_WAITING } from '#domain/limits/waiting-work.ts'

describe('a visitor’s work for the database', () => {
  it('waits while few do', () => {
    for (const waiting of [0, 1, MOST_WAITING - 1]) expect(comeAgainAfter(waiting, 0.5)).toBeUndefined()
  })

  it('is refused beyond that, and those who are refused come again one by one', () => {
    const chances = [0, 0.19, 0.2, 0.5, 0.99, 1]
    expect(chances.map(chance => comeAgainAfter(MOST_WAITING, chance))).toEqual([1, 1, 2, 3, 5, 5])
    expect(comeAgainAfter(10 * MOST_WAITING, 0)).toBe(1)
  })
})
