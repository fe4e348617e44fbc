import { cleanLine } from '../text/clean-line.ts'

/** An organisation that a recipient misses on the list (product.md#wishes). */
export interface Wish {
  /** One clean line. */
  readonly name: string
  /** A country, or a word of the web by which it is found; null where nothing was written. */
  readonly hint: string | null
}

/** The fields of the form, as it calls them. */
export const WISH_FIELDS = ['name', 'hint'] as const

export type WrittenWish = Readonly<Record<(typeof WISH_FIELDS)[number], string>>

/** The longest text of each field, in characters (code points). */
export const LONGEST_WISH = 80

/** Reads what was sent, each field as one clean line; '' for a missing one. */
export function readWritten(field: (name: keyof WrittenWish) => string | null): WrittenWish {
  const read = (name: keyof WrittenWish) => cleanLine(field(name) ?? '', LONGEST_WISH)
  return { name: read('name'), hint: read('hint') }
}

/** The wish that was written; undefined where no organisation is named. */
export function readWish({ name, hint }: WrittenWish): Wish | undefined {
  return name === '' ? undefined : { name, hint: hint === '' ? null : hint }
}

/**
 * What two spellings of a name have in common: letters and digits, in lower case, without accents. Wishes are counted by it.
 */
export function commonWord(name: string): string {
  const word = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return word === '' ? name : word
}
