import { describe, expect, it } from 'vitest'
import { statusOf, watchedSince } from '#domain/status.ts'

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 2, 10, 12)

describe('the status that anyone can read', () => {
  it('is fine where somebody has looked and nothing lasts, and unknown where nobody has', () => {
    const over = { part: 'mail', since: NOW - 5 * HOUR, until: NOW - 3.5 * HOUR } as const
    expect(statusOf([over], { since: NOW - 30 * HOUR, last: NOW - HOUR }, NOW)).toEqual({
      parts: { payments: 'fine', mail: 'fine', ledger: 'fine' },
      watched: '2026-03-09',
      incidents: [{ part: 'mail', day: '2026-03-10', hours: 2 }],
    })
    expect(statusOf([], { since: null, last: null }, NOW).parts.mail).toBe('unknown')
    const before = statusOf([], { since: NOW - 90 * HOUR, last: NOW - HOUR - 1 }, NOW)
    expect([before.parts.payments, before.watched]).toEqual(['unknown', null])
  })

  it('tells what lasts by its part alone, the latest first, and forgets it after ninety days', () => {
    const day = 24 * HOUR
    const { parts, watched, incidents } = statusOf(
      [
        { part: 'ledger', since: NOW - 95 * day, until: NOW - 91 * day },
        { part: 'mail', since: NOW - 80 * day, until: NOW - 80 * day },
        { part: 'payments', since: NOW - HOUR, until: null },
      ],
      { since: NOW - 400 * day, last: NOW },
      NOW,
    )
    expect(watched).toBe('2025-12-10')
    expect(parts).toEqual({ payments: 'disturbed', mail: 'fine', ledger: 'fine' })
    expect(incidents).toEqual([
      { part: 'payments', day: '2026-03-10', hours: null },
      { part: 'mail', day: '2025-12-20', hours: 1 },
    ])
  })

  it('says since when somebody looks without a break: an hour in which nobody did begins it anew', () => {
    const since = NOW - 20 * HOUR
    expect(watchedSince({ since, last: NOW - HOUR }, NOW)).toBe(since)
    expect(watchedSince({ since, last: NOW - HOUR - 1 }, NOW)).toBe(NOW)
    expect(watchedSince({ since, last: null }, NOW)).toBe(NOW)
    expect(watchedSince({ since: null, last: NOW }, NOW)).toBe(NOW)
  })
})
