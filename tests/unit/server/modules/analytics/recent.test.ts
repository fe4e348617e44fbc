import { describe, expect, it } from 'vitest'
import { createRecent } from '#server/modules/analytics/recent.ts'

describe('what was noted lately', () => {
  it('is known, and nothing else is', () => {
    const recent = createRecent(2)
    expect(recent.has('a')).toBe(false)
    recent.note('a')
    expect(recent.has('a')).toBe(true)
  })

  it('pushes out what was noted or asked about longest ago, so that it never grows', () => {
    const recent = createRecent(2)
    for (const what of ['a', 'b']) recent.note(what)
    recent.has('a')
    recent.note('c')
    expect(['a', 'b', 'c'].filter(what => recent.has(what))).toEqual(['a', 'c'])
  })

  it('keeps its place for what is noted again', () => {
    const recent = createRecent(2)
    for (const what of ['a', 'b', 'a', 'c']) recent.note(what)
    expect(['a', 'b', 'c'].filter(what => recent.has(what))).toEqual(['a', 'c'])
  })
})
