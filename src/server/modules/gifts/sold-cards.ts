import type { Selectable } from 'kysely'
import { money } from '#domain/money/money.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import { createCard } from '#server/modules/gifts/cards/create.ts'
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
}

/** Makes the card of a paid order, for each kind, and returns the card's id. */
export const MAKE_CARD: Readonly<
  Record<GiftKind, (trx: Writer, keys: CardKeys, sold: Sold) => Promise<string>>
> = {
  async donation(trx, keys, { order, email, createdAt }) {
    const { id: orderId, theme_id: themeId, sender_name: senderName, language } = order
    const credit = money(order.ngo_amount, order.currency)
    const term = termOf(order)
    const card = { orderId, themeId, senderName, language, credit, email, createdAt, term }
    return (await createCard(trx, keys, card)).cardId
  },
  volunteering: createVolunteeringCard,
}
