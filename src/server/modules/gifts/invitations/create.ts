import type { Selectable } from 'kysely'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { newCardRow } from '#server/modules/gifts/stored-cards.ts'
import { sealOfInvitation } from '#server/modules/ledger/seals.ts'
import type { Writer } from '#server/platform/db/database.ts'
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
  const { theme_id: themeId, sender_name: senderName, language } = order
  const row = {
    ...newCardRow(keys, 'volunteering', { themeId, senderName, language, email, createdAt }),
    order_id: order.id,
    mission: order.mission ?? JSON.stringify({ kind: 'decide-later' }),
    answer: null,
    answered_at: null,
    answers: 0,
    told_answer: null,
  }
  await trx
    .insertInto('volunteering_cards')
    .values({ ...row, seal: sealOfInvitation(keys, row) })
    .execute()
  return row.id
}
