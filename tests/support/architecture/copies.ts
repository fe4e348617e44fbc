/** One file: its path and its text. */
export interface Source {
  readonly path: string
  readonly text: string
}

/** A line that says something of its own: not blank, no comment, no import, not punctuation alone. */
const isCode = (line: string): boolean =>
  /[A-Za-z0-9]/.test(line) && !/^(\/\/|\/\*|\*|<!--|import |export \{|\} from )/.test(line)

/**
 * The places where more than `most` lines of code in a row stand twice, as `a.ts:3 ~ b.ts:7`, each pair once.
 * White space, blank lines, comments and imports do not count.
 */
export function copiesIn(sources: readonly Source[], most: number): string[] {
  const seen = new Map<string, { path: string; line: number }>()
  const found = new Map<string, string>()
  for (const { path, text } of sources) {
    const lines = text
      .split('\n')
      .map((line, index) => ({ code: line.trim().replace(/\s+/g, ' '), line: index + 1 }))
      .filter(({ code }) => isCode(code))
    let freeFrom = 0
    for (let start = 0; start + most < lines.length; start++) {
      const run = lines.slice(start, start + most + 1)
      const key = run.map(({ code }) => code).join('\n')
      const here = { path, line: run[0]!.line }
      const first = seen.get(key)
      if (!first) seen.set(key, here)
      // Runs that overlap the first one found are the same copy.
      else if (start >= freeFrom) {
        found.set(key, `${first.path}:${first.line} ~ ${here.path}:${here.line}`)
        freeFrom = start + most + 1
      }
    }
  }
  return [...found.values()]
}
