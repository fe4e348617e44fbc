import { randomBytes } from 'node:crypto'

const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
const TIME_LETTERS = 10
const RANDOM_LETTERS = 16

/**
 * A new row id: 10 letters of time (ms since the epoch) and 16 of chance (80 bits). Later ids sort after
 * earlier ones, so that new rows land side by side in an index however many there are.
 */
export function newId(now: number): string {
  let time = ''
  for (let rest = now, n = 0; n < TIME_LETTERS; n++, rest = Math.floor(rest / 32))
    time = LETTERS[rest % 32] + time
  let chance = ''
  for (const byte of randomBytes(RANDOM_LETTERS)) chance += LETTERS[byte % 32]
  return time + chance
}

const ID = new RegExp(`^[${LETTERS}]{${TIME_LETTERS + RANDOM_LETTERS}}$`)

/** Could this text be the id of a row? Texts from outside are asked first: PostgreSQL takes no NUL, and fails. */
export function isIdShaped(text: string): boolean {
  return ID.test(text)
}
