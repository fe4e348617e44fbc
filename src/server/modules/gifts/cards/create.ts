import type { Insertable } from 'kysely'
import { FIRST_KEY_VERSION } from '#domain/card/shown-links.ts'
import type { Language } from '#domain/languages.ts'
import type { Money } from '#domain/money/money.ts'
import type { ThemeId } from '#domain/themes.ts'
import { autoDonateAt } from '#server/modules/gifts/cards/auto-donate-at.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { firstReminderAt } from '#server/modules/gifts/cards/reminders.ts'
import { sealOfCard } from '#server/modules/ledger/seals.ts'
import type { Writer } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/db/ids.ts'
import type { CardsTable } from '#server/platform/db/schema.ts'

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
  const { created, row } = cardOf(keys, card)
  await trx.insertInto('cards').values(row).execute()
  return created
}

/** The same for many at once, in the order given. */
export async function createEach(
  trx: Writer,
  keys: CardKeys,
  cards: readonly NewCard[],
): Promise<readonly CreatedCard[]> {
  const made = cards.map(card => cardOf(keys, card))
  await trx
    .insertInto('cards')
    .values(made.map(({ row }) => row))
    .execute()
  return made.map(({ created }) => created)
}

function cardOf(keys: CardKeys, card: NewCard): { created: CreatedCard; row: Insertable<CardsTable> } {
  const cardId = newId(card.createdAt)
  const donateAt = autoDonateAt(card.createdAt)
  const privateKey = keys.privateKey(cardId, FIRST_KEY_VERSION)
  const publicKey = keys.publicKey(cardId, FIRST_KEY_VERSION)
  const row = {
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
    key_version: FIRST_KEY_VERSION,
    private_digest: keys.digest(privateKey),
    public_digest: keys.digest(publicKey),
    created_at: card.createdAt,
    auto_donate_at: donateAt,
    remind_at: firstReminderAt(donateAt),
  } as const
  return { created: { cardId, privateKey, publicKey }, row: { ...row, seal: sealOfCard(keys, row) } }
}
