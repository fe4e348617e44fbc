import type { Selectable } from 'kysely'
import { money } from '#domain/money/money.ts'
import type { CardsTable, OrdersTable, VolunteeringCard } from '#server/platform/db/schema.ts'
import type { Paid } from './amounts.ts'
import type { Gift } from './confirmation.ts'
import type { Addressee } from './letter.ts'
import type { MailParts } from './parts.ts'

export type Card = Selectable<CardsTable>

/** Who is told of a card. */
export function addresseeOf(card: Card | VolunteeringCard): Addressee {
  return { language: card.language, themeId: card.theme_id, name: card.sender_name }
}

/** What a card's giver may know of it, its keys derived again. */
export function giftOf(card: Card, keys: MailParts['keys']): Gift {
  return {
    privateKey: keys.privateKey(card.id, card.key_version),
    publicKey: keys.publicKey(card.id, card.key_version),
    autoDonateAt: card.auto_donate_at,
    credit: money(card.credit, card.currency),
  }
}

/** What was paid in an order beside the price. */
export function paidIn(order: Selectable<OrdersTable>): Paid {
  const { currency, support_amount: support, tax_amount: tax, total_amount: total } = order
  return { net: money(support - tax, currency), tax: money(tax, currency), total: money(total, currency) }
}
