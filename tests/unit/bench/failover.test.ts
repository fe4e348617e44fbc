import { describe, expect, it } from 'vitest'
import { faultOf, longestStandstill } from '../../../bench/measure/failover.ts'

describe('the figures of a lost machine', () => {
  it('say how long nobody was told anything, from the fault on', () => {
    const told = [900, 1_000, 1_200, 22_000, 22_300]
    expect(longestStandstill(told, 1_100, 23_000)).toBe(20.8)
    expect(longestStandstill(told, 1_300, 23_000)).toBe(20.7)
    expect(longestStandstill(told, 22_100, 30_000)).toBe(7.7)
    expect(longestStandstill([], 0, 5_000)).toBe(5)
  })

  it('take no answer for a way out that does not say when to come again', () => {
    const answer = (status: number, headers: Record<string, string>) =>
      faultOf({ status, headers, text: 'text', json: () => ({}) })
    const problem = { 'content-type': 'application/problem+json' }
    expect(answer(503, { ...problem, 'retry-after': '1' })).toBeUndefined()
    expect(answer(503, problem)).toContain('when to come again')
    expect(answer(503, { ...problem, 'retry-after': '0' })).toContain('when to come again')
    expect(answer(502, { ...problem, 'retry-after': '1' })).toContain('502')
    expect(answer(409, problem)).toContain('409')
    expect(answer(503, { 'content-type': 'text/html', 'retry-after': '1' })).toContain('503')
  })
})
