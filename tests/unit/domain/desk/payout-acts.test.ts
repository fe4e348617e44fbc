import { describe, expect, it } from 'vitest'
import { isRunName, nextRunName } from '#domain/desk/payout-acts.ts'

describe('the name of a run', () => {
  it('is the month, with a number where the month has had one', () => {
    expect(nextRunName('2026-11-24', new Set())).toBe('2026-11')
    expect(nextRunName('2026-11-24', new Set(['2026-11']))).toBe('2026-11.2')
    expect(nextRunName('2026-11-24', new Set(['2026-11', '2026-11.2', '2026-10']))).toBe('2026-11.3')
    expect(isRunName('2026-11.3')).toBe(true)
  })

  it.each(['', ' ', 'two words', 'a'.repeat(36), 'a\nb', 'a/b'])('is not %j', name => {
    expect(isRunName(name)).toBe(false)
  })
})
