import { parseCookie, stringifySetCookie } from 'cookie'
import { HELD_MS, MOST_HELD, readGiftLink } from '#domain/card/gift-links.ts'
import type { KeyKind } from '#domain/card/keys.ts'
import { isProblem } from '#domain/problems.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { findByKey } from '#server/modules/gifts/find.ts'
import type { GiftLinks, HeldGifts, TradedKey } from '#server/modules/gifts/interface.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'
import { COOKIES_TAKEN_COOKIE, GIFT_COOKIE } from '#wire/browser-names.ts'

interface LinkTools {
  readonly db: Database
  readonly keys: CardKeys
}

/** Opens the links of gifts of both kinds. */
export function createGiftLinks({ db, keys }: LinkTools): GiftLinks {
  return {
    trade: link =>
      db.read(async reader => {
        const read = readGiftLink(link)
        const { kind, keyKind, cardId, version } = await cardOfAnyKind(reader, keys, read?.key ?? '')
        return {
          kind,
          keyKind,
          key: keyOf(keys, { keyKind, cardId, version }),
          handle: keys.handle(`${kind}.${keyKind}.${cardId}`, version),
          cardId,
          version,
          place: read?.place,
        }
      }),
  }
}

/** A key that opens no card with a credit may open an invitation. Problem card-not-found. */
async function cardOfAnyKind(reader: Reader, keys: CardKeys, key: string) {
  const find = async (kind: GiftKind) => {
    const { card, keyKind } = await findByKey(reader, keys, kind, key)
    return { kind, keyKind, cardId: card.id, version: card.key_version }
  }
  return find('donation').catch((error: unknown) => {
    if (isProblem(error) && error.code === 'card-not-found') return find('volunteering')
    throw error
  })
}

const keyOf = (
  keys: CardKeys,
  { keyKind, cardId, version }: { keyKind: KeyKind; cardId: string; version: number },
): string => (keyKind === 'private' ? keys.privateKey(cardId, version) : keys.publicKey(cardId, version))

interface HolderTools {
  readonly keys: CardKeys
  readonly clock: Clock
  /** Is the site on https? */
  readonly secure: boolean
}

/** What a cookie holds: the card, which of its keys, that key's version, and since when, ms UTC. */
const HELD =
  /^(?<said>(?:donation|volunteering)\.(?<keyKind>private|public)\.(?<cardId>[\w-]{1,64})\.(?<version>\d{1,9})\.(?<at>\d{1,15}))\.(?<proof>[a-z2-7]+)$/

/** Keeps keys of gifts in the browsers of those who opened them, by a cookie for each, which no script reads. */
export function createHeldGifts({ keys, clock, secure }: HolderTools): HeldGifts {
  // Over https under a name that no other host can set.
  const start = secure ? '__Host-' : ''
  const prefix = start + GIFT_COOKIE
  const cookie = (name: string, value: string, lasting: { readonly maxAge?: number } = {}) =>
    stringifySetCookie({ name, value, ...lasting, path: '/', httpOnly: true, sameSite: 'strict', secure })

  /** What the cookie of a handle says, if it is ours and still holds. */
  function heldBy(handle: string, value: string) {
    const {
      said = '',
      keyKind,
      cardId = '',
      version = '',
      at = '',
      proof = '',
    } = HELD.exec(value)?.groups ?? {}
    const held = { keyKind: keyKind as KeyKind, cardId, version: Number(version), at: Number(at) }
    if (!keys.isHandleProof(`${handle}.${said}`, held.version, proof)) return undefined
    return clock() < held.at + HELD_MS ? held : undefined
  }

  return {
    keyOf(handle, cookies) {
      // Most requests bring other cookies or none.
      const value = cookies?.includes(handle) ? parseCookie(cookies)[prefix + handle] : undefined
      const held = value === undefined ? undefined : heldBy(handle, value)
      return held && keyOf(keys, held)
    },
    keep({ kind, keyKind, cardId, version, handle }: TradedKey, cookies) {
      const others = Object.entries(parseCookie(cookies ?? ''))
        .filter(([name]) => name.startsWith(prefix) && name !== prefix + handle)
        .map(([name, value]) => ({ name, at: heldBy(name.slice(prefix.length), value ?? '')?.at ?? 0 }))
        .sort((one, other) => other.at - one.at)
      const said = `${kind}.${keyKind}.${cardId}.${version}.${clock()}`
      const value = `${said}.${keys.handleProof(`${handle}.${said}`, version)}`
      return [
        cookie(prefix + handle, value, { maxAge: HELD_MS / 1_000 }),
        ...others.slice(MOST_HELD - 1).map(({ name }) => cookie(name, '', { maxAge: 0 })),
      ]
    },
    probe: cookie(start + COOKIES_TAKEN_COOKIE, 'yes'),
    takesCookies: cookies => parseCookie(cookies ?? '')[start + COOKIES_TAKEN_COOKIE] !== undefined,
  }
}
