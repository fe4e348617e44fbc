import type { SettingsFile } from '#server/platform/settings/file.ts'
import type { Given } from '#server/platform/settings/judge.ts'
import type { Settings } from '#server/platform/settings.ts'
import type { Tools } from '../command.ts'
import type { Outside } from './outside.ts'

/** `look`: it works, and a person should know. */
export type Verdict = 'well' | 'look' | 'bad'

/** What was seen of one thing. */
export interface Seen {
  readonly verdict: Verdict
  readonly words: string
  /** What to do; nothing where all is well. */
  readonly remedy?: string
}

export interface Finding extends Seen {
  readonly what: string
}

/** What every look may use. */
export interface Patient {
  readonly tools: Tools
  /** What is set, whether it can be used or not. */
  readonly given: Given
  readonly file: SettingsFile | undefined
  /** undefined where they are refused. */
  readonly settings: Settings | undefined
  /** Is it a site for the public, and no rehearsal? What is a hint elsewhere is a fault there. */
  readonly isPublic: boolean
  readonly outside: Outside
}

export type Look = (patient: Patient) => Promise<Seen>

/** How long anybody who is asked is waited for. */
export const TIMEOUT_MS = 5_000

export const well = (words: string): Seen => ({ verdict: 'well', words })
export const look = (words: string, remedy?: string): Seen => ({
  verdict: 'look',
  words,
  ...(remedy !== undefined && { remedy }),
})
export const bad = (words: string, remedy: string): Seen => ({ verdict: 'bad', words, remedy })

/** What a site for the public must have, and another one may do without. */
export const lacking = ({ isPublic }: Patient, words: string, remedy: string): Seen =>
  isPublic ? bad(words, remedy) : look(words, remedy)
