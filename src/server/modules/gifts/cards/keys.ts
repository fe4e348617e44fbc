import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { HANDLE_MARK } from '#domain/card/gift-links.ts'
import { KEY_LENGTH, type KeyKind } from '#domain/card/keys.ts'
import { FIRST_KEY_VERSION, turnOf, VERSIONS_OF_A_SECRET } from '#domain/card/shown-links.ts'
import { createMac, type Mac, sealsKeyOf } from '#server/platform/mac.ts'

/**
 * The uses of the first secret, which stay when the secret changes. Their results stand in the database for ever and
 * cannot be made anew: seals of the books, digests of forgotten addresses, and the links that end the newsletter.
 */
export interface StandingKeys {
  readonly digests: Buffer
  readonly seals: Buffer
  readonly newsletter: Buffer
}

/** The secrets of a site that has changed its own: which one is in use, and what the earlier ones are for. */
export interface CardSecrets {
  /** The secrets by number, from 0, in the order in which they came into use. */
  readonly all: ReadonlyMap<number, string>
  /** The number of the one in use. */
  readonly current: number
  readonly standing: StandingKeys
}

/** Makes the two keys of a card again and again from the server's secret: no key is ever stored. */
export interface CardKeys {
  /** The version of a new card's keys. */
  readonly firstVersion: number
  /** The version that replaces one: always of the secret in use. */
  nextVersion(version: number): number
  /** That of something made now which takes the place of what had this version: of the secret in use, replaced as often. */
  sameTurn(version: number): number
  /** Is the secret here that keys of this version are made from? Without it none can be made: they are an Error. */
  knows(version: number): boolean
  privateKey(cardId: string, version: number): string
  publicKey(cardId: string, version: number): string
  /** Lets its holder replace the other two; it opens no card, and dies with them. */
  renewalKey(cardId: string, version: number): string
  /** Lets its holder have the card's link mailed to somebody; dies with the links. */
  sendingKey(cardId: string, version: number): string
  /** Lets its holder stop all gifts by mail to a mailbox, which its digest stands for; it opens nothing. */
  unwantedKey(addressDigest: string): string
  /** Is it that key, of whichever secret? The same work whether it is or not. */
  isUnwantedKey(addressDigest: string, key: string): boolean
  /**
   * Shows what a card was used for; `nonce` is random, made for one use of one card.
   * @param digest of the key that was given: the same one is made again, though the secret has changed
   */
  receiptKey(cardId: string, nonce: string, digest?: string): string
  /** Lets its holder say whether the giver is written to when the card is used; it opens and shows nothing. */
  lettersKey(cardId: string): string
  /** Is it that key, of whichever secret? The same work whether it is or not. */
  isLettersKey(cardId: string, key: string): boolean
  /**
   * Lets its holder withdraw from an order; it opens no card, and dies with the card's other keys. Mails about a used
   * card hold it too: where the card's secret is gone, it is made from the one in use.
   */
  withdrawalKey(orderId: string, version: number): string
  /**
   * Opens the page of an order of many cards, whose holder may replace the links of those that nobody has used. Where the
   * secret of the version is gone, it is made from the one in use.
   */
  manyKey(orderId: string, version: number): string
  /** Lets an organisation say that a payout has arrived; it opens no card and shows no gift. */
  adviceKey(adviceId: string, version: number): string
  /** The name under which a browser may hold a key of a card; `held` says which. It opens nothing and tells nothing of the key. */
  handle(held: string, version: number): string
  /**
   * Proves that a browser was given what `text` says. Made with the secret of the version, so whoever has an earlier
   * secret can prove nothing of keys that it does not make.
   */
  handleProof(text: string, version: number): string
  /** Is it that proof? */
  isHandleProof(text: string, version: number, proof: string): boolean
  /** Stands for a text (an address) where it is only counted; nobody without the secret can tell it from the text. */
  pseudonym(text: string): string
  /** Every pseudonym that it may have been given under one of the secrets. */
  pseudonyms(text: string): readonly string[]
  /** The name under which a database knows each secret, the one in use first. The name opens nothing. */
  readonly marks: readonly string[]
  /** Makes the links of the newsletter. */
  readonly newsletterKey: Buffer
  /** Proves that a text was written by whoever has the secret (`server/modules/ledger/seals.ts`): HMAC-SHA-256. */
  readonly mac: Mac
  /** What the database holds of a key, or of anything that claims to be one: SHA-256 in hex. */
  digest(key: string): string
  /**
   * The keyed digest of a text that somebody could guess (an address, a name), or that has a value of its own. Nobody
   * can confirm a guess without the secret. Begins with `hmac:`.
   */
  keyedDigest(text: string): string
  /** The keyed digest of a text of which only the SHA-256 in hex is still known. */
  keyedDigestOf(sha256: string): string
  /**
   * Encrypts what has to be read again (AES-256-GCM).
   * @param about what it belongs to: it can be read for nothing else
   */
  seal(text: string, about: string): string
  /** undefined for what was sealed under another secret, about something else, or was changed. */
  unseal(sealed: string, about: string): string | undefined
}

/** The prefix of keyed digests. Older digests are plain and have none. */
export const KEYED = 'hmac:'

const SHORTEST_SECRET = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const BITS_PER_LETTER = 5
/** RFC 4648, in lower case. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'

/**
 * @param given the server's secret, at least 32 characters, or all that it has had; whoever has one and a card id has
 *   the card
 * @throws Error when a secret is too short to keep anything
 */
export function createCardKeys(given: string | CardSecrets): CardKeys {
  const secrets: CardSecrets =
    typeof given === 'string'
      ? { all: new Map([[0, given]]), current: 0, standing: standingKeysOf(given) }
      : given
  const { all, current, standing } = secrets
  if ([...all.values()].some(({ length }) => length < SHORTEST_SECRET)) {
    throw new Error(`The secret of the card keys needs at least ${SHORTEST_SECRET} characters.`)
  }
  const numberOf = (version: number) => Math.floor(version / VERSIONS_OF_A_SECRET)
  const inUse = all.get(current)!
  const others = [...all.values()].filter(each => each !== inUse)
  const ofAll = <T>(make: (secret: string) => T): readonly T[] => [inUse, ...others].map(make)
  /** A dead link is worse than none: it would look like a gift. */
  const ofVersion = (kind: Kind, cardId: string, version: number) => {
    const secret = all.get(numberOf(version))
    if (secret === undefined)
      throw new Error('A card was made with an earlier secret: CARD_KEY_SECRET_EARLIER must hold it.')
    return keyOf(secret, kind, cardId, version)
  }
  const isOneOf = (kind: Kind, about: string, key: string) =>
    ofAll(secret => isSame(key, keyOf(secret, kind, about, 1))).some(Boolean)
  const receiptKeys = (cardId: string, nonce: string) =>
    ofAll(secret => keyOf(secret, 'receipt', `${cardId}|${nonce}`, 1))
  const handleProof = (text: string, version: number) => ofVersion('handle proof', text, version)
  const pseudonyms = (text: string) => ofAll(secret => keyOf(secret, 'pseudonym', text, 1))
  const keyedDigestOf = (digest: string) =>
    KEYED + createHmac('sha256', standing.digests).update(digest).digest('hex')
  const sealKeys = ofAll(secret => derived(secret, 'sealed texts'))
  return {
    firstVersion: current * VERSIONS_OF_A_SECRET + FIRST_KEY_VERSION,
    nextVersion: version => current * VERSIONS_OF_A_SECRET + turnOf(version) + 1,
    sameTurn: version => current * VERSIONS_OF_A_SECRET + turnOf(version),
    knows: version => all.has(numberOf(version)),
    privateKey: (cardId, version) => ofVersion('private', cardId, version),
    publicKey: (cardId, version) => ofVersion('public', cardId, version),
    renewalKey: (cardId, version) => ofVersion('renewal', cardId, version),
    sendingKey: (cardId, version) => ofVersion('sending', cardId, version),
    unwantedKey: digest => keyOf(inUse, 'unwanted', digest, 1),
    isUnwantedKey: (digest, key) => isOneOf('unwanted', digest, key),
    receiptKey(cardId, nonce, digest) {
      const made = receiptKeys(cardId, nonce)
      return made.find(key => sha256(key) === digest) ?? made[0]!
    },
    lettersKey: cardId => keyOf(inUse, 'letters', cardId, 1),
    withdrawalKey: (orderId, version) =>
      keyOf(all.get(numberOf(version)) ?? inUse, 'withdrawal', orderId, version),
    manyKey: (orderId, version) => keyOf(all.get(numberOf(version)) ?? inUse, 'many', orderId, version),
    adviceKey: (adviceId, version) => ofVersion('advice', adviceId, version),
    handle: (held, version) => HANDLE_MARK + ofVersion('handle', held, version).slice(HANDLE_MARK.length),
    handleProof,
    isHandleProof: (text, version, proof) =>
      all.has(numberOf(version)) && isSame(proof, handleProof(text, version)),
    isLettersKey: (cardId, key) => isOneOf('letters', cardId, key),
    pseudonym: text => keyOf(inUse, 'pseudonym', text, 1),
    pseudonyms,
    marks: ofAll(markOf),
    newsletterKey: standing.newsletter,
    digest: sha256,
    keyedDigest: text => keyedDigestOf(sha256(text)),
    keyedDigestOf,
    seal: (text, about) => sealWith(sealKeys[0]!, text, about),
    unseal(sealed, about) {
      for (const key of sealKeys) {
        const text = unsealWith(key, sealed, about)
        if (text !== undefined) return text
      }
      return undefined
    },
    mac: createMac(standing.seals),
  }
}

type Kind =
  | KeyKind
  | 'renewal'
  | 'sending'
  | 'unwanted'
  | 'receipt'
  | 'letters'
  | 'withdrawal'
  | 'many'
  | 'advice'
  | 'pseudonym'
  | 'handle'
  | 'handle proof'

function keyOf(secret: string, kind: Kind, cardId: string, version: number): string {
  // The separator appears in none of the parts, so two different triples never make the same text.
  const mac = createHmac('sha256', secret).update(`${version}|${kind}|${cardId}`).digest()
  return base32(mac).slice(0, KEY_LENGTH)
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** The name of a secret in a database that has no cards. */
export const markOf = (secret: string): string =>
  sha256(keyOf(secret, 'pseudonym', 'which secret this is', 1))

const isSame = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(sha256(one)), Buffer.from(sha256(other)))

/** The digests and seals that a site's first secret makes for ever. */
export const standingKeysOf = (secret: string): StandingKeys => ({
  digests: derived(secret, 'keyed digests'),
  seals: sealsKeyOf(secret),
  newsletter: derived(secret, 'newsletter'),
})

const STANDING = 'standing keys'

/** Closes the standing keys with another secret, so that the first one may go. */
export function closeStanding({ digests, seals, newsletter }: StandingKeys, secret: string): string {
  const text = [digests, seals, newsletter].map(key => key.toString('base64url')).join('.')
  return sealWith(derived(secret, STANDING), text, STANDING)
}

/** undefined where they were closed with another secret. */
export function openStanding(closed: string, secret: string): StandingKeys | undefined {
  const parts = unsealWith(derived(secret, STANDING), closed, STANDING)?.split('.')
  const [digests, seals, newsletter] = (parts ?? []).map(part => Buffer.from(part, 'base64url'))
  return digests && seals && newsletter && { digests, seals, newsletter }
}

function sealWith(key: Buffer, text: string, about: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url')
}

function unsealWith(key: Buffer, sealed: string, about: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    const body = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES))
    return Buffer.concat([body, decipher.final()]).toString('utf8')
  } catch {
    return undefined
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
