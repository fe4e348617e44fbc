import type { Database } from '#server/db/database.ts'

/** What a command found: words for a terminal, the same as data for `--json`, and whether all is well. */
export interface Report {
  readonly lines: readonly string[]
  readonly data: unknown
  readonly ok: boolean
}

/** An operator's command: `npm run ops -- <name>`. It works while the site runs. */
export interface Command {
  readonly name: string
  readonly summary: string
  run(db: Database, args: readonly string[]): Promise<Report>
}
