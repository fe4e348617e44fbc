import type { Language } from '#domain/languages.ts'

export interface Prints {
  /** A PDF of one page, from the private key. Problems: card-not-found (the public key too), card-consumed. */
  sheetOf(key: string): Promise<Uint8Array>
}

/** The photo-book that the published pictures make. */
export interface PhotoBook {
  /** How far it is. Starts making it where nobody has. */
  progress(): Promise<BookProgress>
  /** The finished book's file, waiting for it at most so many ms; undefined when it did not get ready. */
  file(language: Language, patienceMs: number): Promise<string | undefined>
}

export interface BookProgress {
  readonly state: 'making' | 'ready' | 'failed'
  /** Photos done, of how many. */
  readonly done: number
  readonly total: number
  /** Photos that could not be had and are not in it; it is made again when they can. */
  readonly missing: number
}
