import type { Language } from '#domain/languages.ts'
import type { Money } from '#domain/money/money.ts'
import type { ThemeId } from '#domain/themes.ts'
import { autoDonateAt } from '#server/cards/auto-donate-at.ts'
import { type CardKeys, KEY_VERSION } from '#server/cards/keys.ts'
import { firstReminderAt } from '#server/cards/reminders.ts'
import type { Writer } from '#server/db/database.ts'
import { newId } from '#server/db/ids.ts'

export interface NewCard {
  /** The paid order, or null for a free card. */
  readonly orderId: string | null
  readonly themeId: ThemeId
  /** null when anonymous. */
  readonly senderName: string | null
  readonly language: Language
  readonly credit: Money
  /** Where its mails go: the address that the payment (or the claim) gave. */
  readonly email: string | null
  /** Epoch ms UTC. */
  readonly createdAt: number
}

export interface CreatedCard {
  readonly cardId: string
  readonly privateKey: string
  readonly publicKey: string
}

/**
 * Makes an active card within the transaction that paid (or claimed) it. At most one card per order: a second
 * breaks the unique `order_id`, and with it the transaction.
 */
export async function createCard(trx: Writer, keys: CardKeys, card: NewCard): Promise<CreatedCard> {
  const cardId = newId(card.createdAt)
  const donateAt = autoDonateAt(card.createdAt)
  const privateKey = keys.privateKey(cardId, KEY_VERSION)
  const publicKey = keys.publicKey(cardId, KEY_VERSION)
  await trx
    .insertInto('cards')
    .values({
      id: cardId,
      order_id: card.orderId,
      kind: card.orderId === null ? 'free' : 'donation',
      status: 'active',
      theme_id: card.themeId,
      sender_name: card.senderName,
      language: card.language,
      currency: card.credit.currency,
      credit: card.credit.amount,
      email: card.email,
      key_version: KEY_VERSION,
      private_digest: keys.digest(privateKey),
      public_digest: keys.digest(publicKey),
      created_at: card.createdAt,
      auto_donate_at: donateAt,
      remind_at: firstReminderAt(donateAt),
    })
    .execute()
  return { cardId, privateKey, publicKey }
}
