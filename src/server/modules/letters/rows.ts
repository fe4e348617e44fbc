import { isVisible } from '#domain/card/states.ts'
import { DEFAULT_MARKET } from '#domain/market.ts'
import { money } from '#domain/money/money.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import type { UnfoldsAs } from '#paths'
import { themeOf } from '#server/modules/content/theme-releases.ts'
import { termOf } from '#server/modules/gifts/cards/kept-term.ts'
import { printedWordOf } from '#server/modules/gifts/check-words.ts'
import { purchaseKeyVersion } from '#server/modules/gifts/many-pages.ts'
import type { Card } from '#server/modules/gifts/stored-cards.ts'
import type { VolunteeringCard } from '#server/platform/db/schema.ts'
import type { Gift } from './confirmation.ts'
import type { Addressee } from './letter.ts'
import type { MailParts } from './parts.ts'
import type { Sendable } from './sendings.ts'

/** The addressee of a card's letters. */
export async function addresseeOf(
  card: Card | VolunteeringCard,
  { db, keys }: Pick<MailParts, 'db' | 'keys'>,
): Promise<Addressee> {
  const { language, sender_name: name, order_id: id, key_version: version } = card
  const { theme, purchase } = await db.read(async reader => ({
    theme: await themeOf(reader, card.theme_id, card.created_at),
    // Of many the same one, whichever card it is about.
    purchase: id === null ? version : await purchaseKeyVersion(reader, id, card),
  }))
  const order = id === null ? undefined : { id, withdrawalKey: keys.withdrawalKey(id, purchase) }
  // An invitation has no preview, and no money for organisations to follow. A card that was given back has none any more,
  // and that of a secret which is gone opens nothing.
  const hasPreview = 'auto_donate_at' in card && isVisible(card.status) && keys.knows(version)
  const publicKey = hasPreview ? keys.publicKey(card.id, version) : undefined
  return { language, theme, name, ...(order && { order }), ...(publicKey !== undefined && { publicKey }) }
}

/** What the link of a gift of either kind says of it. */
export const unfoldsAs = (
  { theme_id: themeId, language }: Pick<Card | VolunteeringCard, 'theme_id' | 'language'>,
  kind: GiftKind,
): UnfoldsAs => ({ themeId, language, kind })

/** What its giver has it mailed by. */
export const sendableOf = (
  { id: cardId, key_version: version }: Card | VolunteeringCard,
  { keys }: Pick<MailParts, 'keys'>,
): Sendable => ({ cardId, sendingKey: keys.sendingKey(cardId, version) })

/** The card as its giver may see it. Its keys are derived again. */
export function giftOf(
  card: Card,
  fallbackNgoId: string | null | undefined,
  { keys, market, ngoName }: Pick<MailParts, 'keys' | 'market' | 'ngoName'>,
): Gift {
  const privateKey = keys.privateKey(card.id, card.key_version)
  return {
    privateKey,
    checkWord: printedWordOf(card, privateKey),
    publicKey: keys.publicKey(card.id, card.key_version),
    unfoldsAs: unfoldsAs(card, 'donation'),
    autoDonateAt: card.auto_donate_at,
    reminderDays: termOf(card).reminderDays,
    fallback: fallbackNgoId == null ? undefined : ngoName(fallbackNgoId, card.language),
    lastDayWords: (market?.(card.currency) ?? DEFAULT_MARKET).lastDayWords,
    credit: money(card.credit, card.currency),
  }
}
