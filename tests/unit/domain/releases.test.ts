import { describe, expect, it } from 'vitest'
import { acceptedReleases, GRACE_MS, isStillAccepted } from '#domain/releases.ts'

const NOW = 1_800_000_000_000
const since = (minutesAgo: number, version: string) => ({ version, since: NOW - minutesAgo * 60_000 })

describe('terms that a buyer has read', () => {
  it('are accepted as long as they are in force, however long ago they came', () => {
    expect(isStillAccepted([since(600_000, 'a')], 'a', NOW)).toBe(true)
  })

  it('are accepted for an hour after others came', () => {
    expect(isStillAccepted([since(59, 'b'), since(600, 'a')], 'a', NOW)).toBe(true)
    expect(isStillAccepted([since(GRACE_MS / 60_000, 'b'), since(600, 'a')], 'a', NOW)).toBe(false)
  })

  it('are accepted again when they come back', () => {
    const releases = [since(90, 'a'), since(200, 'b'), since(600, 'a')]
    expect(isStillAccepted(releases, 'a', NOW)).toBe(true)
    expect(isStillAccepted(releases, 'b', NOW)).toBe(false)
  })

  it('are never accepted that were never in force', () => {
    expect(isStillAccepted([since(1, 'a')], 'c', NOW)).toBe(false)
    expect(isStillAccepted([], 'a', NOW)).toBe(false)
  })
})

describe('what was on offer', () => {
  const releases = [since(5, 'c'), since(30, 'b'), since(600, 'a')]
  const accepted = (graceEndedAt?: number) =>
    acceptedReleases(releases, NOW, graceEndedAt).map(({ version }) => version)

  it('is accepted for an hour, also where others came twice meanwhile', () => {
    expect(accepted()).toEqual(['c', 'b', 'a'])
  })

  it('is accepted no more from the moment in which the operator ends the hour', () => {
    expect(accepted(NOW - 31 * 60_000)).toEqual(['c', 'b', 'a'])
    expect(accepted(NOW - 30 * 60_000)).toEqual(['c', 'b'])
    expect(accepted(NOW)).toEqual(['c'])
  })
})
