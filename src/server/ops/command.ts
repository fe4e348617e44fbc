import type { Database } from '#server/platform/db/database.ts'
import type { SettingsFile } from '#server/platform/settings/file.ts'
import type { Outside } from './doctor/outside.ts'

/** The result of a command: lines for a terminal, the same as data for `--json`, and whether all is well. */
export interface Report {
  readonly lines: readonly string[]
  readonly data: unknown
  readonly ok: boolean
}

/** What a command works with. */
export interface Tools {
  /** Opens the site's database, once. */
  database(): Promise<Database>
  readonly place: Place
  /** The settings as the site would read them. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The file with the settings, where there is one. */
  readonly settingsFile?: SettingsFile | undefined
  /** Another way to ask outside services, for tests. */
  readonly outside?: Outside | undefined
  /** Epoch ms UTC. */
  readonly clock: () => number
  /** Another clock in the place of the database's, for tests. */
  readonly sharedClock?: (() => number) | undefined
  /** Shows the progress of long work, beside the result. */
  progress(text: string): void
}

/** Where the site's data is. */
export interface Place {
  readonly dataDir: string
  /** PostgreSQL, instead of the embedded database. */
  readonly databaseUrl?: string | undefined
  /** Is it a sandbox's (SANDBOX=yes)? */
  readonly sandbox?: boolean | undefined
}

/** An operator's command: `npm run ops -- <name>`. It works while the site runs, unless its help says otherwise. */
export interface Command {
  readonly name: string
  /** The words after the name, for the help: `<id>`, `--to <url>`. */
  readonly usage: string
  readonly summary: string
  /** The names of its actions, where its first word is one. */
  readonly actions?: readonly string[]
  run(tools: Tools, args: readonly string[]): Promise<Report>
}

/** The operator asked for something that cannot be done. The message says why, and what to do instead. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}
