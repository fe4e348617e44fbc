import type { Database } from '#server/platform/db/database.ts'
import type { SettingsFile } from '#server/platform/settings/file.ts'
import type { Outside } from './doctor/outside.ts'

/** What a command found: words for a terminal, the same as data for `--json`, and whether all is well. */
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
  /** Where they are written down, if anywhere. */
  readonly settingsFile?: SettingsFile | undefined
  /** How the world is asked, for tests. */
  readonly outside?: Outside | undefined
  /** Epoch ms UTC. */
  readonly clock: () => number
  /** Says on the side how far long work is. */
  progress(text: string): void
}

/** Where the site's data is. */
export interface Place {
  readonly dataDir: string
  /** PostgreSQL, instead of the embedded database. */
  readonly databaseUrl?: string | undefined
}

/** An operator's command: `npm run ops -- <name>`. It works while the site runs, save where it says otherwise. */
export interface Command {
  readonly name: string
  /** What follows the name: `<id>`, `--to <url>`. */
  readonly usage: string
  readonly summary: string
  run(tools: Tools, args: readonly string[]): Promise<Report>
}

/** The operator asked for something that cannot be done; the message says why, and the way out. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}
