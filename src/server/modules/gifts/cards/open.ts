import { type Authority, authorityOf } from '#domain/card/keys.ts'
import { money } from '#domain/money/money.ts'
import { themeOf } from '#server/modules/content/theme-releases.ts'
import { allocationsOf } from '#server/modules/gifts/cards/allocations.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { findByKey } from '#server/modules/gifts/find.ts'
import type { CardUse, CardView } from '#server/modules/gifts/interface.ts'
import { giverMessage } from '#server/modules/gifts/messages.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'

/** Shows the card of a key. It reads and never writes. Problem card-not-found. */
export function openCard(db: Database, keys: CardKeys, key: string, asked: Authority): Promise<CardView> {
  return db.read(async reader => {
    const { card, keyKind } = await findByKey(reader, keys, 'donation', key)
    const authority = authorityOf(keyKind, asked)
    const consumed = authority === 'full' && card.status === 'consumed'
    return {
      authority,
      createdAt: card.created_at,
      autoDonateAt: card.auto_donate_at,
      credit: money(card.credit, card.currency),
      senderName: card.sender_name,
      message: authority === 'full' && !consumed ? await giverMessage(reader, card) : null,
      theme: await themeOf(reader, card.theme_id, card.created_at),
      language: card.language,
      consumed,
      free: card.kind === 'free',
      use: consumed ? await howUsed(reader, card.id) : null,
    }
  })
}

async function howUsed(db: Reader, cardId: string): Promise<CardUse> {
  const { cause, created_at: at } = await db
    .selectFrom('redemptions')
    .select(['cause', 'created_at'])
    .where('card_id', '=', cardId)
    .executeTakeFirstOrThrow()
  if (cause === 'recipient') return { by: cause, at }
  return { by: cause, at, ngoIds: (await allocationsOf(db, cardId)).map(({ ngoId }) => ngoId) }
}
