import { readKey } from '#domain/card/keys.ts'
import { isVisible } from '#domain/card/states.ts'
import { Problem } from '#domain/problems.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import type { Reader } from '#server/platform/db/database.ts'
import type { VolunteeringCard } from '#server/platform/db/schema.ts'

export type { VolunteeringCard } from '#server/platform/db/schema.ts'

/**
 * The volunteering card that a key opens.
 * @throws Problem card-not-found, all the same and after the same work for a key that is malformed, unknown, or of a
 *   frozen or revoked card
 */
export async function findVolunteeringCard(
  db: Reader,
  keys: CardKeys,
  written: string,
): Promise<VolunteeringCard> {
  const key = readKey(written)
  const card = await db
    .selectFrom('volunteering_cards')
    .selectAll()
    .where('key_digest', '=', keys.digest(key ?? written))
    .executeTakeFirst()
  if (key === undefined || card === undefined || !isVisible(card.status)) throw new Problem('card-not-found')
  return card
}
