import type { Given } from '#server/platform/settings/faults.ts'
import type { SettingsFile } from '#server/platform/settings/file.ts'
import type { Settings } from '#server/platform/settings.ts'
import type { Tools } from '../command.ts'
import type { Outside } from './outside.ts'

/** `look`: it works, but the operator should know about it. */
export type Verdict = 'well' | 'look' | 'bad'

/** The result of one examination. */
export interface Seen {
  readonly verdict: Verdict
  readonly words: string
  /** What to do; nothing where all is well. */
  readonly remedy?: string
}

export interface Finding extends Seen {
  readonly what: string
}

/** What every examination may use. */
export interface Patient {
  readonly tools: Tools
  /** The settings as text, valid or not. */
  readonly given: Given
  readonly file: SettingsFile | undefined
  /** The settings as the site reads them; undefined where it refuses them. */
  readonly settings: Settings | undefined
  /** Is this a site for the public, and no rehearsal? What is only a hint elsewhere is then a fault. */
  readonly isPublic: boolean
  readonly outside: Outside
}

export type Look = (patient: Patient) => Promise<Seen>

/** How long an examination waits for the answer of a service. */
export const TIMEOUT_MS = 5_000

/** Nothing is wrong. */
export const well = (words: string): Seen => ({ verdict: 'well', words })

/** Somebody may want to change this; the site works. */
export const look = (words: string, remedy?: string): Seen => ({
  verdict: 'look',
  words,
  ...(remedy !== undefined && { remedy }),
})

/** This is wrong; `remedy` says what mends it. */
export const bad = (words: string, remedy: string): Seen => ({ verdict: 'bad', words, remedy })

/** The result for something missing: a fault for a public site, a hint for any other. */
export const lacking = ({ isPublic }: Patient, words: string, remedy: string): Seen =>
  isPublic ? bad(words, remedy) : look(words, remedy)
