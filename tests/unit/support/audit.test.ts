import { describe, expect, it } from 'vitest'
import exceptions from '#tests/audit-exceptions.json' with { type: 'json' }
import { type Exception, verdictOf } from '#tests/support/audit.ts'

const ADVISORY = 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc'
const report = JSON.stringify({
  auditReportVersion: 2,
  vulnerabilities: {
    leaky: { via: [{ url: ADVISORY, title: 'Tells everything', severity: 'high' }] },
    user: { via: ['leaky'] },
  },
})
const except = (until: string): Exception => ({ advisory: ADVISORY, because: 'never called', until })

describe('the gate of known weaknesses', () => {
  it('names each advisory once, where it lies', () => {
    expect(verdictOf(report, [], '2026-11-21')).toEqual({
      kind: 'checked',
      open: [`leaky: high, Tells everything (${ADVISORY})`],
    })
  })

  it('lets an exception hold until its day', () => {
    expect(verdictOf(report, [except('2026-11-22')], '2026-11-21')).toEqual({ kind: 'checked', open: [] })
    expect(verdictOf(report, [except('2026-11-21')], '2026-11-21')).toMatchObject({
      open: [expect.any(String)],
    })
  })

  it('says that nothing was checked when nobody answers, and not where it asked', () => {
    const refused = JSON.stringify({
      message: '405 Method Not Allowed - POST https://registry.example/x',
      error: {},
    })
    for (const output of [refused, '', 'Bad gateway', '{}']) {
      expect(verdictOf(output, [], '2026-11-21').kind).toBe('not-checked')
    }
    expect(verdictOf(refused, [], '2026-11-21')).toEqual({
      kind: 'not-checked',
      why: '405 Method Not Allowed - POST …',
    })
  })

  it('has a reason and an end within a year for every exception', () => {
    for (const { advisory, because, until } of exceptions as readonly Exception[]) {
      expect(advisory).toMatch(/^https:\/\//)
      expect(because.length).toBeGreaterThan(20)
      expect(Date.parse(until) - Date.now()).toBeLessThan(366 * 24 * 3_600_000)
    }
  })
})
