import { describe, expect, it } from 'vitest'
import { statusOf } from '#domain/status.ts'

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 2, 10, 12)

describe('the status that anyone can read', () => {
  it('is fine where somebody has looked and nothing lasts, and unknown where nobody has', () => {
    const over = { part: 'mail', since: NOW - 5 * HOUR, until: NOW - 3.5 * HOUR } as const
    expect(statusOf([over], NOW - HOUR, NOW)).toEqual({
      parts: { payments: 'fine', mail: 'fine', ledger: 'fine' },
      incidents: [{ part: 'mail', day: '2026-03-10', hours: 2 }],
    })
    expect(statusOf([], null, NOW).parts.mail).toBe('unknown')
    expect(statusOf([], NOW - HOUR - 1, NOW).parts.payments).toBe('unknown')
  })

  it('tells what lasts by its part alone, the latest first, and forgets it after ninety days', () => {
    const day = 24 * HOUR
    const { parts, incidents } = statusOf(
      [
        { part: 'ledger', since: NOW - 95 * day, until: NOW - 91 * day },
        { part: 'mail', since: NOW - 80 * day, until: NOW - 80 * day },
        { part: 'payments', since: NOW - HOUR, until: null },
      ],
      NOW,
      NOW,
    )
    expect(parts).toEqual({ payments: 'disturbed', mail: 'fine', ledger: 'fine' })
    expect(incidents).toEqual([
      { part: 'payments', day: '2026-03-10', hours: null },
      { part: 'mail', day: '2025-12-20', hours: 1 },
    ])
  })
})
