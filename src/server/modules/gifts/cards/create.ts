import type { Insertable } from 'kysely'
import { firstReminderAt } from '#domain/card/reminders.ts'
import { autoDonateAt, type CardTerm, DEFAULT_TERM } from '#domain/card/term.ts'
import type { Language } from '#domain/languages.ts'
import type { Money } from '#domain/money/money.ts'
import type { ThemeId } from '#domain/themes.ts'
import { keptTerm } from '#server/modules/gifts/cards/kept-term.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { newCardRow } from '#server/modules/gifts/stored-cards.ts'
import { sealOfCard } from '#server/modules/ledger/seals.ts'
import type { Writer } from '#server/platform/db/database.ts'
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
  /** Its place among the cards of its order; the first when missing. */
  readonly position?: number
  /** Of its keys; the first one when missing. */
  readonly keyVersion?: number | undefined
  /** The term that the buyer was told; the product's own when missing. */
  readonly term?: CardTerm
}

export interface CreatedCard {
  readonly cardId: string
  readonly privateKey: string
  readonly publicKey: string
}

/**
 * Makes active cards, in the order given, within the transaction that paid (or claimed) them. At most one card at a place of
 * an order: a second breaks the unique pair of both, and with it the transaction.
 */
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
  const { term = DEFAULT_TERM } = card
  const donateAt = autoDonateAt(card.createdAt, term.months)
  const row = {
    ...newCardRow(keys, 'donation', card),
    order_id: card.orderId,
    position: card.position ?? 0,
    kind: card.orderId === null ? ('free' as const) : ('donation' as const),
    currency: card.credit.currency,
    credit: card.credit.amount,
    auto_donate_at: donateAt,
    remind_at: firstReminderAt({ autoDonateAt: donateAt, reminderDays: term.reminderDays }),
    ...keptTerm(term),
  }
  const { id: cardId, key_version: version } = row
  return {
    created: {
      cardId,
      privateKey: keys.privateKey(cardId, version),
      publicKey: keys.publicKey(cardId, version),
    },
    row: { ...row, seal: sealOfCard(keys, row) },
  }
}
