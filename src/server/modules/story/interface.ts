import type { Language } from '#domain/languages.ts'
import type { VolunteeringView } from '#server/modules/gifts/interface.ts'
import type { CertificateFacts } from './print/certificate.ts'

export interface Prints {
  /** A PDF of one page, from the private key. Problems: card-not-found (the public key too), card-consumed. */
  sheetOf(key: string): Promise<Uint8Array>
  /** A certificate for the tax office, as a PDF of one page. */
  certificateOf(facts: CertificateFacts): Promise<Uint8Array>
}

/** The photo-book that the published pictures make. */
export interface PhotoBook {
  /** How far it is. Starts making it where nobody has. */
  progress(): Promise<BookProgress>
  /** The finished book's file, waiting for it at most so many ms; undefined when it did not get ready. */
  file(language: Language, timeoutMs: number): Promise<string | undefined>
  /** What goes behind that file to make it one invitation's: its colours, its giver and its mission. */
  dedication(file: string, language: Language, card: BookOwner): Promise<Uint8Array>
}

/** Whose book it is. */
export type BookOwner = Pick<VolunteeringView, 'senderName' | 'theme' | 'mission'>

export interface BookProgress {
  readonly state: 'making' | 'ready' | 'failed'
  /** Photos done, of how many. */
  readonly done: number
  readonly total: number
  /** Photos that could not be had and are not in it; it is made again when they can. */
  readonly missing: number
}
