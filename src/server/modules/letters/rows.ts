import { DEFAULT_MARKET } from '#domain/market.ts'
import { money } from '#domain/money/money.ts'
import { termOf } from '#server/modules/gifts/cards/kept-term.ts'
import type { Card } from '#server/modules/gifts/stored-cards.ts'
import type { VolunteeringCard } from '#server/platform/db/schema.ts'
import type { Gift } from './confirmation.ts'
import type { Addressee } from './letter.ts'
import type { MailParts } from './parts.ts'

/** Who is told of a card. */
export function addresseeOf(card: Card | VolunteeringCard, keys: MailParts['keys']): Addressee {
  const { language, theme_id: themeId, sender_name: name, order_id: id, key_version: version } = card
  const order = id === null ? undefined : { id, withdrawalKey: keys.withdrawalKey(id, version) }
  return { language, themeId, name, ...(order && { order }) }
}

/** What a card's giver may know of it, its keys derived again. */
export function giftOf(card: Card, { keys, market }: Pick<MailParts, 'keys' | 'market'>): Gift {
  return {
    privateKey: keys.privateKey(card.id, card.key_version),
    publicKey: keys.publicKey(card.id, card.key_version),
    autoDonateAt: card.auto_donate_at,
    reminderDays: termOf(card).reminderDays,
    lastDayWords: (market?.(card.currency) ?? DEFAULT_MARKET).lastDayWords,
    credit: money(card.credit, card.currency),
  }
}
