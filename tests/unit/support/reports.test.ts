import { describe, expect, test } from 'vitest'
import { browserOutcome, type VitestReport, vitestOutcome } from '#tests/support/reports.ts'

const RED = `${String.fromCharCode(27)}[31m`

describe('what a step of the test run came to', () => {
  const vitest = (failed: number, testResults: VitestReport['testResults']): VitestReport => ({
    numPassedTests: 3,
    numFailedTests: failed,
    success: failed === 0,
    testResults,
  })

  test('names each failed test with the beginning of its error', () => {
    const report = vitest(1, [
      {
        name: 'cards.test.ts',
        status: 'failed',
        message: '',
        assertionResults: [
          { status: 'passed', fullName: 'opens', failureMessages: [] },
          { status: 'failed', fullName: 'gives once', failureMessages: [`${RED}expected 1\n  at a`] },
        ],
      },
    ])
    expect(vitestOutcome(report, 1)).toEqual({
      passed: 3,
      failed: 1,
      failures: ['cards.test.ts: gives once\n      expected 1\n        at a'],
    })
  })

  test('counts a file that does not load', () => {
    const file = { name: 'cards.test.ts', status: 'failed', message: 'no such module', assertionResults: [] }
    expect(vitestOutcome(vitest(0, [file]), 1)).toEqual({
      passed: 3,
      failed: 1,
      failures: ['cards.test.ts\n      no such module'],
    })
  })

  test('sends to the output where what comes before the tests failed', () => {
    const file = { name: 'race.test.ts', status: 'failed', message: '', assertionResults: [] }
    expect(vitestOutcome(vitest(0, [file]), 1)).toMatchObject({
      failed: 1,
      failures: ['race.test.ts\n      before or after its tests: the output above says how'],
    })
  })

  test('fails where nothing failed but the program', () => {
    expect(vitestOutcome(vitest(0, []), 1).failed).toBe(1)
    expect(vitestOutcome(vitest(0, []), 0).failed).toBe(0)
    expect(vitestOutcome(undefined, 0).failed).toBe(1)
    expect(browserOutcome(undefined, 0).failed).toBe(1)
  })

  test('names a failed test of a browser by its file and its groups', () => {
    const spec = (title: string, ok: boolean) => ({
      ok,
      title,
      tests: [{ results: [{ errors: ok ? [] : [{ message: `${RED}not visible` }] }] }],
    })
    const report = {
      stats: { expected: 1, unexpected: 1, flaky: 0 },
      suites: [
        {
          title: 'press.test.ts',
          specs: [spec('shows', true)],
          suites: [{ title: 'by mouse', specs: [spec('pays', false)] }],
        },
      ],
    }
    expect(browserOutcome(report, 1)).toEqual({
      passed: 1,
      failed: 1,
      failures: ['press.test.ts › by mouse › pays\n      not visible'],
    })
  })
})
