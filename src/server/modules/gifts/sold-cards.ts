import type { Selectable } from 'kysely'
import { partOfCard } from '#domain/card/batch.ts'
import { money } from '#domain/money/money.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import { createEach } from '#server/modules/gifts/cards/create.ts'
import { termOf } from '#server/modules/gifts/cards/kept-term.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { createVolunteeringCard } from '#server/modules/gifts/invitations/create.ts'
import type { Writer } from '#server/platform/db/database.ts'
import type { OrdersTable } from '#server/platform/db/schema.ts'

interface Sold {
  readonly order: Selectable<OrdersTable>
  /** Where its mails go: the address that the payment gave. */
  readonly email: string | null
  /** Epoch ms UTC. */
  readonly createdAt: number
  /** Of their keys, where those of the order were replaced before there were cards. */
  readonly keyVersion?: number | undefined
}

/** Makes the cards of a paid order, for each kind, and returns their ids, by their places in it. */
export const MAKE_CARDS: Readonly<
  Record<GiftKind, (trx: Writer, keys: CardKeys, sold: Sold) => Promise<readonly string[]>>
> = {
  async donation(trx, keys, { order, email, createdAt, keyVersion }) {
    const { id: orderId, theme_id: themeId, sender_name: senderName, language } = order
    const { card_count: count } = order
    const credit = partOfCard(money(order.ngo_amount, order.currency), count)
    const term = termOf(order)
    const card = { orderId, themeId, senderName, language, credit, email, createdAt, term, keyVersion }
    const cards = Array.from({ length: count }, (_, position) => ({ ...card, position }))
    return (await createEach(trx, keys, cards)).map(({ cardId }) => cardId)
  },
  volunteering: async (trx, keys, sold) => [await createVolunteeringCard(trx, keys, sold)],
}
