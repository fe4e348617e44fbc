import type { Language } from '#domain/languages.ts'

/** What the thanks need to let the recipient tell the giver. */
export interface Telling {
  /** The giver's name; null when anonymous. */
  readonly giver: string | null
  /** Where the form goes without scripts. */
  readonly action: string
  readonly language: Language
  /** The receipt key, where the page itself was told it. */
  readonly receipt?: string | undefined
  /** What stands in the form, where it was refused. */
  readonly typed?: { readonly tell: boolean; readonly where: boolean; readonly words: string } | undefined
  /** Why it was refused. */
  readonly said?: string | undefined
  /** What has to be mended in the form, where it is that. */
  readonly wrong?: 'tell' | 'words' | undefined
  /** The giver is told. */
  readonly isTold?: boolean | undefined
}
