import { type Authority, authorityOf } from '#domain/card/keys.ts'
import { isGiven } from '#domain/card/states.ts'
import { money } from '#domain/money/money.ts'
import { themeOf } from '#server/modules/content/theme-releases.ts'
import { allocationsOf } from '#server/modules/gifts/cards/allocations.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { findByKey } from '#server/modules/gifts/find.ts'
import { leftToDraw } from '#server/modules/gifts/holds.ts'
import type { CardUse, CardView, LeftToDraw } from '#server/modules/gifts/interface.ts'
import { giverMessage } from '#server/modules/gifts/messages.ts'
import type { Database, Reader } from '#server/platform/db/database.ts'

/** Shows the card of a key. It reads and never writes. Problem card-not-found. */
export function openCard(db: Database, keys: CardKeys, key: string, asked: Authority): Promise<CardView> {
  return db.read(async reader => {
    const { card, keyKind } = await findByKey(reader, keys, 'donation', key)
    const authority = authorityOf(keyKind, asked)
    const consumed = authority === 'full' && isGiven(card.status)
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
  const use = await db
    .selectFrom('redemptions')
    .select(['cause', 'created_at as at'])
    .where('card_id', '=', cardId)
    .executeTakeFirst()
  if (use?.cause === 'recipient') return { by: use.cause, at: use.at }
  const left = (await leftToDraw(db, [cardId])).get(cardId)
  const given = use && { at: use.at, ngoIds: (await allocationsOf(db, cardId)).map(({ ngoId }) => ngoId) }
  if (left !== undefined) return howLeft(db, cardId, left, given)
  if (!given) throw new Error('A used card has no use.')
  return { by: 'auto-donation', ...given }
}

async function howLeft(
  db: Reader,
  cardId: string,
  at: number,
  drawn: LeftToDraw['drawn'],
): Promise<LeftToDraw> {
  if (drawn) return { by: 'draw', at, drawn }
  const announced = await db
    .selectFrom('draw_cards')
    .innerJoin('draw_announcements', 'draw_announcements.id', 'draw_cards.announcement_id')
    .select('draw_at')
    .where('card_id', '=', cardId)
    .orderBy('attempt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { by: 'draw', at, drawAt: announced?.draw_at }
}
