import { groupedKey, withoutGroups } from './keys.ts'
import { type CardStatus, isGiven } from './states.ts'

/** Letters of a check word: 51 bits. It opens nothing, and guesses are counted (product.md#is-this-real). */
export const CHECK_WORD_LENGTH = 12

/** No vowel, so that no word of a language comes up, and no letter that looks like another or like a digit. */
const LETTERS = 'bcdfghjkmnpqrstvwxyz'

/**
 * The check word that a hash stands for.
 * @param hash at least 128 bits, so that each word is as likely as any other
 */
export function checkWordFrom(hash: Uint8Array): string {
  const base = BigInt(LETTERS.length)
  let rest = hash.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n)
  let word = ''
  for (let n = 0; n < CHECK_WORD_LENGTH; n++) {
    word += LETTERS[Number(rest % base)]
    rest /= base
  }
  return word
}

/**
 * The check word that somebody typed: in upper case as it is printed or not, in groups or not.
 * @returns undefined for what is no check word, however it is read
 */
export function readCheckWord(written: string): string | undefined {
  const word = withoutGroups(written)
  if (word?.length !== CHECK_WORD_LENGTH) return undefined
  return [...word].every(letter => LETTERS.includes(letter)) ? word : undefined
}

/** A check word as it is printed: `BCDF-GHJK-MNPQ`. */
export function printedCheckWord(word: string): string {
  return groupedKey(word.toUpperCase())
}

/** What became of a gift, as far as its check word tells: to be used, used, or neither, without the reason. */
export type GiftStanding = 'there' | 'used' | 'held'

/** What the check word of a card says of it. */
export function standingOf(status: CardStatus): GiftStanding {
  if (status === 'active') return 'there'
  return isGiven(status) ? 'used' : 'held'
}
