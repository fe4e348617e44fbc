/**
 * The numbers of what the operator makes out for an order: a pro forma invoice (`P`), a receipt (`S`), a receipt of what
 * went back (`R`), a certificate for the tax office (no mark). Each counts within a year of Madrid.
 *
 * After a restore from a backup a number can be drawn again, for another order. The letters of the order stand behind it,
 * so that no two papers of different orders have one number.
 */

const DIGITS = 6

/** So many letters of chance of an order stand behind a number. */
const LETTERS_OF_ORDER = 4

type DocumentMark = 'P' | 'S' | 'R' | ''

export interface DocumentNumber {
  readonly mark: DocumentMark
  readonly year: number
  readonly number: number
  /** Of its order, as `lettersOf` gives them; '' for what was numbered before numbers had them. */
  readonly letters: string
}

/** The letters of an order that stand behind the numbers that are drawn for it. */
export const lettersOf = (orderId: string): string => orderId.slice(-LETTERS_OF_ORDER).toUpperCase()

/** A number as it stands on paper: `S2026-000017-7QK3`. */
export const writeNumber = ({ mark, year, number, letters }: DocumentNumber): string =>
  `${mark}${year}-${String(number).padStart(DIGITS, '0')}${letters === '' ? '' : `-${letters}`}`

const WRITTEN = /^([PSR]?)(\d{4})-(\d{6,9})(?:-([0-9A-Z]{4}))?$/i

/**
 * Reads a number as somebody wrote it, with the letters of its order or without.
 * @returns undefined for every other text; `letters` in capitals, '' where there are none
 */
export function readNumber(text: string): DocumentNumber | undefined {
  const [, mark = '', year, number, letters = ''] = WRITTEN.exec(text) ?? []
  if (year === undefined || number === undefined) return undefined
  return {
    mark: mark.toUpperCase() as DocumentMark,
    year: Number(year),
    number: Number(number),
    letters: letters.toUpperCase(),
  }
}
