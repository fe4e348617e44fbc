import { type KeyKind, readKey } from '#domain/card/keys.ts'
import { isVisible } from '#domain/card/states.ts'
import { Problem } from '#domain/problems.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { CARD_SEALED } from '#server/modules/ledger/seals.ts'
import type { Reader } from '#server/platform/db/database.ts'

/**
 * The card that a key opens, and which of its two keys it is.
 * @throws Problem card-not-found, all the same and after the same work for a key that is malformed, unknown, or
 *   of a frozen or revoked card
 */
export async function findByKey(db: Reader, keys: CardKeys, written: string) {
  const key = readKey(written)
  const digest = keys.digest(key ?? written)
  const card = await db
    .selectFrom('cards')
    .select([...CARD_SEALED, 'sender_name', 'theme_id', 'language'])
    .where(eb => eb.or([eb('private_digest', '=', digest), eb('public_digest', '=', digest)]))
    .executeTakeFirst()
  if (key === undefined || card === undefined || !isVisible(card.status)) throw new Problem('card-not-found')
  const keyKind: KeyKind = card.private_digest === digest ? 'private' : 'public'
  return { card, keyKind }
}
