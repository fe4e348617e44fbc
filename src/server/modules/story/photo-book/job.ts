import type { Picture } from '#domain/images/picture.ts'
import type { Language } from '#domain/languages.ts'

/** What the process that makes the book is told, on one line of its standard input. */
export interface BookJob {
  /** Where the books go: `{language}.pdf` each. */
  readonly folder: string
  readonly books: readonly BookTexts[]
  /** In the order of the pages. */
  readonly photos: readonly BookPhoto[]
}

export interface BookTexts {
  readonly language: Language
  readonly title: string
  readonly author: string
  /** Of a book that is nobody's yet. */
  readonly own: OwnTexts
  /** Of each photo, in the same order. */
  readonly pages: readonly PageTexts[]
}

/** What the pages say that are drawn anew for each invitation. */
export interface OwnTexts {
  readonly title: string
  /** For whom, and of whom. */
  readonly giver: string
  readonly mission: string
  readonly opening: string
  readonly closing: string
  readonly colophon: string
}

export interface PageTexts {
  readonly caption: string
  readonly alt: string
  readonly credit: string
  /** "3 of 40". */
  readonly number: string
}

export interface BookPhoto {
  /** The original on disk; null when it could not be had. */
  readonly file: string | null
  readonly picture: Picture
}

/**
 * What it says meanwhile, a line of JSON each. `missing`: the places of the photos that could not be had or read;
 * `failed`: why there is no book, the system's code where it has one.
 */
export type BookWord =
  | { readonly done: number }
  | { readonly missing: readonly number[] }
  | { readonly failed: string }
