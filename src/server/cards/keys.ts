import { createHash, createHmac } from 'node:crypto'
import { KEY_LENGTH, type KeyKind } from '#domain/card/keys.ts'

/** Makes the two keys of a card again and again from the server's secret: no key is ever stored. */
export interface CardKeys {
  privateKey(cardId: string, version: number): string
  publicKey(cardId: string, version: number): string
  /** Lets its holder replace the other two; it opens no card, and dies with them. */
  renewalKey(cardId: string, version: number): string
  /** Stands for a text (an address) where it is only counted; nobody without the secret can tell it from the text. */
  pseudonym(text: string): string
  /** What the database holds of a key, or of anything that claims to be one: SHA-256 in hex. */
  digest(key: string): string
}

const SHORTEST_SECRET = 32
const BITS_PER_LETTER = 5
/** RFC 4648, in lower case. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'

/**
 * @param secret the server's, at least 32 characters; whoever has it and a card id has the card
 * @throws Error when the secret is too short to keep anything
 */
export function createCardKeys(secret: string): CardKeys {
  if (secret.length < SHORTEST_SECRET) {
    throw new Error(`The secret of the card keys needs at least ${SHORTEST_SECRET} characters.`)
  }
  const key = (kind: KeyKind | 'renewal' | 'pseudonym', cardId: string, version: number) => {
    // The separator appears in none of the parts, so two different triples never make the same text.
    const mac = createHmac('sha256', secret).update(`${version}|${kind}|${cardId}`).digest()
    return base32(mac).slice(0, KEY_LENGTH)
  }
  return {
    privateKey: (cardId, version) => key('private', cardId, version),
    publicKey: (cardId, version) => key('public', cardId, version),
    renewalKey: (cardId, version) => key('renewal', cardId, version),
    pseudonym: text => key('pseudonym', text, 1),
    digest: text => createHash('sha256').update(text).digest('hex'),
  }
}

function base32(bytes: Uint8Array): string {
  let text = ''
  let held = 0
  let bits = 0
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff
    for (bits += 8; bits >= BITS_PER_LETTER; bits -= BITS_PER_LETTER) {
      text += LETTERS[(held >> (bits - BITS_PER_LETTER)) & 31]
    }
  }
  return text
}
