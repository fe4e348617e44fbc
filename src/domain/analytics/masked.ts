import { KEY_LENGTH } from '../card/keys.ts'

/** Keys are lower case; a long name of an error in mixed case is none. */
const CARD_KEY = new RegExp(`(?<![A-Za-z0-9])[a-z2-7]{${KEY_LENGTH}}(?![A-Za-z0-9])`, 'g')
const SESSION = /\bcs_(?:test_|live_)?[A-Za-z0-9_]+/g
const SECRET = /\b(?:(?:sk|rk)_(?:test|live)_|whsec_)[A-Za-z0-9_-]+/g
const MAIL = /[^\s@<>"'(),:;]+(?:@|%40)[^\s@<>"'(),:;]+\.[^\s@<>"'(),:;/?&]+/gi

/** Takes card keys, Checkout session ids, provider secrets and e-mail addresses out of a text (decisions §3, §11). */
export function masked(text: string): string {
  return text
    .replace(CARD_KEY, '[key]')
    .replace(SESSION, '[session]')
    .replace(SECRET, '[secret]')
    .replace(MAIL, '[address]')
}
