import type { Language } from '#domain/languages.ts'
import type { Money } from '#domain/money/money.ts'
import type { Theme } from '#domain/themes.ts'
import type { VolunteeringView } from '#server/modules/gifts/interface.ts'
import type { CertificateFacts } from './print/certificate.ts'
import type { InvoiceFacts } from './print/invoice.ts'
import type { PaperCard } from './print/many-job.ts'

/** Cards of one order, as their buyer prints them. */
export interface ManyPrinted {
  readonly orderId: string
  /** The cards' own. */
  readonly language: Language
  readonly theme: Theme
  /** null when anonymous. */
  readonly senderName: string | null
  /** Of each card. */
  readonly credit: Money
  /** Epoch ms UTC of the end of their last day. */
  readonly autoDonateAt: number
  readonly cards: readonly (Pick<PaperCard, 'number' | 'name' | 'words'> & {
    readonly privateKey: string
    readonly checkWord: string | null
  })[]
}

export interface Prints {
  /** A PDF of one page, from the private key. Problems: card-not-found (the public key too), card-consumed. */
  sheetOf(key: string): Promise<Uint8Array>
  /**
   * Sheets of A4 with four cards each, to print and cut, as a PDF.
   * Problem temporarily-unavailable where too many wait for theirs.
   */
  sheetsOf(many: ManyPrinted): Promise<Uint8Array>
  /** A certificate for the tax office, as a PDF of one page. */
  certificateOf(facts: CertificateFacts): Promise<Uint8Array>
  /** An invoice for many cards, likewise. */
  invoiceOf(facts: InvoiceFacts): Promise<Uint8Array>
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
