import { timingSafeEqual } from 'node:crypto'
import { ALL_GIFT_KINDS } from '#domain/card/gifts.ts'
import { readKey } from '#domain/card/keys.ts'
import { Problem } from '#domain/problems.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { type CardOf, storedCard } from '#server/modules/gifts/stored-cards.ts'
import type { Reader } from '#server/platform/db/database.ts'
import { isIdShaped } from '#server/platform/db/ids.ts'

/** A card of whichever kind. */
export type CardOfKind = {
  readonly [Kind in GiftKind]: { readonly kind: Kind; readonly card: CardOf[Kind] }
}[GiftKind]

/** What a link of a mail to a giver says: the id of a card and a key of it, as they were typed. */
export interface IdAndKey {
  readonly cardId: string
  readonly key: string
}

/**
 * The card of whichever kind with this id, where the key is the one that a purpose has now.
 * @param made the key of that purpose
 * @throws Problem card-not-found for every wrong key, after the same work: the time of an answer tells nothing
 */
export async function cardByIdAndKey(
  db: Reader,
  keys: CardKeys,
  { cardId, key }: IdAndKey,
  made: (cardId: string, version: number) => string,
): Promise<CardOfKind> {
  // Ids are in lower case like keys; a visitor may type either case.
  const asked = cardId.toLowerCase()
  const id = isIdShaped(asked) ? asked : ''
  const found: CardOfKind[] = []
  for (const kind of ALL_GIFT_KINDS) {
    const card = await storedCard(db, kind, id)
    if (card) found.push({ kind, card } as CardOfKind)
  }
  const [one] = found
  const expected = keys.digest(made(id, one?.card.key_version ?? keys.firstVersion))
  const given = keys.digest(readKey(key) ?? key)
  const isKey = timingSafeEqual(Buffer.from(given), Buffer.from(expected))
  if (one === undefined || !isKey) throw new Problem('card-not-found')
  return one
}
