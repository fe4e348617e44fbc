import type { Selectable } from 'kysely'
import { FIRST_KEY_VERSION } from '#domain/card/shown-links.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { sealOfInvitation } from '#server/modules/ledger/seals.ts'
import type { Writer } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/db/ids.ts'
import type { OrdersTable } from '#server/platform/db/schema.ts'

interface NewVolunteeringCard {
  readonly order: Selectable<OrdersTable>
  /** Where its mails go: the address that the payment gave. */
  readonly email: string | null
  /** Epoch ms UTC. */
  readonly createdAt: number
}

/**
 * Makes a volunteering card within the transaction that paid it. At most one per order: a second breaks the unique
 * `order_id`, and with it the transaction. @returns its id
 */
export async function createVolunteeringCard(
  trx: Writer,
  keys: CardKeys,
  { order, email, createdAt }: NewVolunteeringCard,
): Promise<string> {
  const id = newId(createdAt)
  const sealed = {
    id,
    order_id: order.id,
    status: 'active',
    key_version: FIRST_KEY_VERSION,
    key_digest: keys.digest(keys.privateKey(id, FIRST_KEY_VERSION)),
    created_at: createdAt,
  } as const
  await trx
    .insertInto('volunteering_cards')
    .values({
      ...sealed,
      seal: sealOfInvitation(keys, sealed),
      theme_id: order.theme_id,
      sender_name: order.sender_name,
      language: order.language,
      mission: order.mission ?? JSON.stringify({ kind: 'decide-later' }),
      email,
      answer: null,
      answered_at: null,
      answers: 0,
      told_answer: null,
    })
    .execute()
  return id
}
