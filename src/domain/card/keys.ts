/** A card has two keys: the private one gives the card, the public one shows it (product.md#gift-cards). */
export type KeyKind = 'private' | 'public'

/** What a key lets its holder see and do. */
export type Authority = 'full' | 'preview'

/** Characters of a key: 5 bits each, 160 in all. */
export const KEY_LENGTH = 32

/** The card that anybody may try; it lives in the browser only and never reaches the server's cards. */
export const TRY_CARD_ID = 'giftcard-try'

/** The credit of the try card, in minor units. */
export const TRY_CARD_CREDIT = 5_000

/** Lower-case base32 (RFC 4648): no `-` and `_`, which messengers cut off links. */
const KEY_SHAPE = new RegExp(`^[a-z2-7]{${KEY_LENGTH}}$`)

/** Could this text be a key at all? Says nothing of whether a card answers to it. */
export function isKeyShaped(text: string): boolean {
  return KEY_SHAPE.test(text)
}

/** No key is written in more than this, with whatever stands between and around its letters. */
const LONGEST_WRITTEN = 128
/** Spaces, dashes, and what is not seen at all: what a key in groups has between them. */
const BETWEEN_GROUPS = /[\s\p{Pd}\p{Cf}\u2212]+/gu
/** Punctuation that surrounds a link in a sentence: quotes, brackets, a full stop. */
const AROUND = /^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu

/**
 * The key that somebody wrote: in upper case as well, in groups, with punctuation before or after it. The only place
 * that says how a key may be written; every door reads what it is given through it.
 * @returns undefined for what is no key, however it is read
 */
export function readKey(written: string): string | undefined {
  const key = withoutGroups(written)
  return key !== undefined && isKeyShaped(key) ? key : undefined
}

/**
 * What somebody wrote in groups, in upper case or amid punctuation, as one word in lower case.
 * @returns undefined for what is longer than any key with all that may stand around it
 */
export function withoutGroups(written: string): string | undefined {
  if (written.length > LONGEST_WRITTEN) return undefined
  return written.replace(BETWEEN_GROUPS, '').replace(AROUND, '').toLowerCase()
}

/** A key as people read and type it: groups of four with dashes between, which `readKey` takes out again. */
export function groupedKey(key: string): string {
  return key.replace(/(.{4})(?=.)/g, '$1-')
}

/** Authority lies in the key: `preview` in the path only ever lowers it. */
export function authorityOf(kind: KeyKind, asked: Authority): Authority {
  return kind === 'private' && asked === 'full' ? 'full' : 'preview'
}
