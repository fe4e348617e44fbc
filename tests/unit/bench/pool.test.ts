import { describe, expect, it } from 'vitest'
import { inTurn } from '../../../bench/harness/pool.ts'

describe('work in turn', () => {
  it('gives the results in the order of the items, however they end', async () => {
    const doors = [1, 2, 3].map(() => Promise.withResolvers<void>())
    const results = inTurn(3, [0, 1, 2], async item => {
      await doors[item]!.promise
      return item * 10
    })
    for (const door of doors.toReversed()) door.resolve()
    expect(await results).toEqual([0, 10, 20])
  })

  it('never has more under way than allowed', async () => {
    let underWay = 0
    let most = 0
    await inTurn(2, [1, 2, 3, 4, 5], async () => {
      most = Math.max(most, ++underWay)
      await Promise.resolve()
      underWay--
    })
    expect(most).toBe(2)
  })

  it('fails as its work does', async () => {
    await expect(inTurn(2, [1, 2], () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  })
})
