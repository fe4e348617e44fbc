/** An advisory that was looked at and may stay for a while. */
export interface Exception {
  /** Where the advisory can be read: what `npm audit` calls its url. */
  readonly advisory: string
  /** Why it does no harm here. */
  readonly because: string
  /** The day, YYYY-MM-DD, from which it counts again. */
  readonly until: string
}

/** As much of `npm audit --json` (report version 2) as is read. */
interface Report {
  readonly vulnerabilities?: Readonly<
    Record<
      string,
      {
        readonly via: readonly (
          | string
          | { readonly url: string; readonly title: string; readonly severity: string }
        )[]
      }
    >
  >
}

export type Verdict =
  | { readonly kind: 'not-checked'; readonly why: string }
  /** One line for each advisory that has no exception, or whose exception is over. */
  | { readonly kind: 'checked'; readonly open: readonly string[] }

/**
 * What `npm audit --json` found, less what is excepted. A registry that does not answer, or has no advisories to give,
 * leaves the question open: that is said, and is no failure of the sources.
 * @param today YYYY-MM-DD
 */
export function verdictOf(output: string, exceptions: readonly Exception[], today: string): Verdict {
  const report = parse(output)
  if (report?.vulnerabilities === undefined) return { kind: 'not-checked', why: wordsOf(output) }
  const excepted = new Set(exceptions.filter(({ until }) => today < until).map(({ advisory }) => advisory))
  const open = Object.entries(report.vulnerabilities).flatMap(([name, { via }]) =>
    via.flatMap(each =>
      // A name alone means: because of that package, which has an entry of its own.
      typeof each === 'string' || excepted.has(each.url)
        ? []
        : [`${name}: ${each.severity}, ${each.title} (${each.url})`],
    ),
  )
  return { kind: 'checked', open: [...new Set(open)] }
}

function parse(output: string): (Report & { readonly message?: unknown }) | undefined {
  try {
    return JSON.parse(output) as Report
  } catch {
    return undefined
  }
}

function wordsOf(output: string): string {
  const message = parse(output)?.message
  // The address of a registry is nobody's business.
  return typeof message === 'string' ? message.replace(/https?:\S+/g, '…') : 'no answer'
}
