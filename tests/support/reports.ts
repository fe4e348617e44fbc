/** What a step of the test run came to. */
export interface Outcome {
  readonly passed: number
  readonly failed: number
  /** Each failed test in some lines: where it stands, and how its error begins. */
  readonly failures?: readonly string[]
}

/** What is read of vitest's report. */
export interface VitestReport {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly success: boolean
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages: readonly string[] | null
    }[]
  }[]
}

interface Suite {
  readonly title: string
  readonly suites?: readonly Suite[]
  readonly specs: readonly {
    readonly ok: boolean
    readonly title: string
    readonly tests: readonly {
      readonly results: readonly { readonly errors: readonly { readonly message?: string }[] }[]
    }[]
  }[]
}

/** What is read of Playwright's report. */
export interface BrowserReport {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number }
  readonly suites: readonly Suite[]
}

const NO_REPORT: Outcome = { passed: 0, failed: 1, failures: ['no report was written'] }

/** So much of an error is repeated. */
const ERROR_LINES = 6

// Colours would be letters without sense in a file.
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

const beginning = (message = ''): string =>
  message.replace(COLOURS, '').split('\n').slice(0, ERROR_LINES).join('\n      ')

/** Of what is done before and after tests, the report does not say how it failed. */
const UNSAID = 'before or after its tests: the output above says how'

/** @param code how the program ended: 0 where it says that all is well */
export function vitestOutcome(report: VitestReport | undefined, code: number): Outcome {
  if (!report) return NO_REPORT
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter(result => result.status === 'failed')
    // A file that does not load has no failed test of its own.
    if (failed.length === 0)
      return status === 'failed' ? [`${name}\n      ${beginning(message) || UNSAID}`] : []
    return failed.map(
      ({ fullName, failureMessages }) => `${name}: ${fullName}\n      ${beginning(failureMessages?.[0])}`,
    )
  })
  const failed = Math.max(report.numFailedTests, failures.length)
  return {
    passed: report.numPassedTests,
    failed: failed || (code === 0 && report.success ? 0 : 1),
    failures,
  }
}

/** @param code how the program ended: 0 where it says that all is well */
export function browserOutcome(report: BrowserReport | undefined, code: number): Outcome {
  if (!report) return NO_REPORT
  const { expected, unexpected, flaky } = report.stats
  return {
    passed: expected,
    failed: unexpected + flaky || (code === 0 ? 0 : 1),
    failures: report.suites.flatMap(suite => failuresIn(suite, [])),
  }
}

function failuresIn({ title, suites = [], specs }: Suite, above: readonly string[]): string[] {
  const path = [...above, title]
  const own = specs
    .filter(({ ok }) => !ok)
    .map(spec => {
      const [error] = spec.tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors))
      return `${[...path, spec.title].join(' › ')}\n      ${beginning(error?.message)}`
    })
  return [...own, ...suites.flatMap(suite => failuresIn(suite, path))]
}
