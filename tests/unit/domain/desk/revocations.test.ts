import { describe, expect, it } from 'vitest'
import {
  mergeRevocations,
  REVOCABLE,
  REVOCATIONS_KEPT_MS,
  type Revocation,
  readRevocations,
  writeRevocations,
} from '#domain/desk/revocations.ts'

const NOW = Date.parse('2026-11-27T12:00:00Z')
const revoked = (changes: Partial<Revocation> = {}): Revocation => ({
  what: 'partner',
  id: '01kb2c3d4e5f6g7h8j9k0m7qk3',
  at: NOW - 1_000,
  ...changes,
})

describe('the list of what was revoked', () => {
  it('has each once, by its first instant, the oldest first', () => {
    const first = revoked({ at: NOW - 5_000 })
    const other = revoked({ what: 'person', at: NOW - 2_000 })
    expect(mergeRevocations([other, revoked(), first, other], NOW)).toEqual([first, other])
  })

  it('forgets what was revoked in every backup that is kept', () => {
    const [old, young] = [NOW - REVOCATIONS_KEPT_MS, NOW - REVOCATIONS_KEPT_MS + 1].map(at => revoked({ at }))
    expect(mergeRevocations([old!, young!], NOW)).toEqual([young])
  })

  it('is read as it was written', () => {
    const all = REVOCABLE.map((what, n) => revoked({ what, id: `${n}`.repeat(26) }))
    expect(readRevocations(writeRevocations(all))).toEqual(all)
    expect(readRevocations('')).toEqual([])
  })

  it.each([
    'partner',
    'owner 1 2026-11-27T12:00:00.000Z',
    'partner 1 yesterday',
    'partner 1 2026-11-27T12:00:00.000Z x',
  ])('is not read where a line is another: %s', line => {
    expect(() => readRevocations(`${writeRevocations([revoked()])}${line}\n`)).toThrow('cannot be read')
  })
})
