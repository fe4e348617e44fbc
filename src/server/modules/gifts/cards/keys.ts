import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { KEY_LENGTH, type KeyKind } from '#domain/card/keys.ts'
import { createMac, type Mac } from '#server/platform/mac.ts'

/** Makes the two keys of a card again and again from the server's secret: no key is ever stored. */
export interface CardKeys {
  privateKey(cardId: string, version: number): string
  publicKey(cardId: string, version: number): string
  /** Lets its holder replace the other two; it opens no card, and dies with them. */
  renewalKey(cardId: string, version: number): string
  /** Shows what a card was used for; `nonce` is random, made for one use of one card. */
  receiptKey(cardId: string, nonce: string): string
  /** Lets its holder say whether the giver is written to when the card is used; it opens and shows nothing. */
  lettersKey(cardId: string): string
  /** Stands for a text (an address) where it is only counted; nobody without the secret can tell it from the text. */
  pseudonym(text: string): string
  /** Proves that a text was written by whoever has the secret (`server/modules/ledger/seals.ts`): HMAC-SHA-256. */
  readonly mac: Mac
  /** What the database holds of a key, or of anything that claims to be one: SHA-256 in hex. */
  digest(key: string): string
  /**
   * What the database holds of a text that somebody could guess (an address, a name), or that is worth something by
   * itself: without the secret no guess can be confirmed. Begins with `hmac:`.
   */
  keyedDigest(text: string): string
  /** The same of a text of which only the SHA-256 in hex is known any more. */
  keyedDigestOf(sha256: string): string
  /**
   * Encrypts what has to be read again (AES-256-GCM).
   * @param about what it belongs to: it can be read for nothing else
   */
  seal(text: string, about: string): string
  /** undefined for what was sealed under another secret, about something else, or was changed. */
  unseal(sealed: string, about: string): string | undefined
}

/** How keyed digests begin, which tells them from the plain ones that were kept before. */
export const KEYED = 'hmac:'

const SHORTEST_SECRET = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
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
  const key = (
    kind: KeyKind | 'renewal' | 'receipt' | 'letters' | 'pseudonym',
    cardId: string,
    version: number,
  ) => {
    // The separator appears in none of the parts, so two different triples never make the same text.
    const mac = createHmac('sha256', secret).update(`${version}|${kind}|${cardId}`).digest()
    return base32(mac).slice(0, KEY_LENGTH)
  }
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  const digestKey = derived(secret, 'keyed digests')
  const sealKey = derived(secret, 'sealed texts')
  const keyedDigestOf = (digest: string) =>
    KEYED + createHmac('sha256', digestKey).update(digest).digest('hex')
  return {
    privateKey: (cardId, version) => key('private', cardId, version),
    publicKey: (cardId, version) => key('public', cardId, version),
    renewalKey: (cardId, version) => key('renewal', cardId, version),
    receiptKey: (cardId, nonce) => key('receipt', `${cardId}|${nonce}`, 1),
    lettersKey: cardId => key('letters', cardId, 1),
    pseudonym: text => key('pseudonym', text, 1),
    digest: sha256,
    keyedDigest: text => keyedDigestOf(sha256(text)),
    keyedDigestOf,
    seal(text, about) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce).setAAD(Buffer.from(about))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url')
    },
    unseal(sealed, about) {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
      const decipher = createDecipheriv('aes-256-gcm', sealKey, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(-TAG_BYTES))
      try {
        const body = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
        return Buffer.concat([body, decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    },
    mac: createMac(secret),
  }
}

/** A key of its own for each purpose: none of them says anything of the secret or of another. */
function derived(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `gift cards: ${purpose}`, 32))
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
