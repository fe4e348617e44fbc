import { type KeyKind, readKey } from '#domain/card/keys.ts'
import { isVisible } from '#domain/card/states.ts'
import { Problem } from '#domain/problems.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import type { Reader } from '#server/platform/db/database.ts'
import { type CardOf, cardOfDigest } from './stored-cards.ts'

/**
 * The card of a kind that a key opens, and which of its keys it is.
 * @throws Problem card-not-found, all the same and after the same work for a key that is malformed, unknown, or
 *   of a frozen or revoked card
 */
export async function findByKey<Kind extends GiftKind>(
  db: Reader,
  keys: CardKeys,
  kind: Kind,
  written: string,
): Promise<{ readonly card: CardOf[Kind]; readonly keyKind: KeyKind }> {
  const key = readKey(written)
  const found = await cardOfDigest(db, kind, keys.digest(key ?? written))
  if (key === undefined || found === undefined || !isVisible(found.card.status))
    throw new Problem('card-not-found')
  return found
}
