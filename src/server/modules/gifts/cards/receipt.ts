import { randomBytes } from 'node:crypto'
import { readKey } from '#domain/card/keys.ts'
import { money } from '#domain/money/money.ts'
import { Problem } from '#domain/problems.ts'
import { stateOf } from '#server/modules/gifts/answers/answers.ts'
import { allocationsOf } from '#server/modules/gifts/cards/allocations.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { findByKey } from '#server/modules/gifts/find.ts'
import type { Receipt } from '#server/modules/gifts/interface.ts'
import type { Database } from '#server/platform/db/database.ts'

const NONCE_BYTES = 20

/**
 * The stored part of a receipt key. It is enough to look the key up, and to derive it again with the server's secret.
 */
export interface KeptReceipt {
  readonly digest: string
  readonly nonce: string
}

/** A new receipt key, of 160 bits that nobody knew before. */
export function newReceipt(
  keys: CardKeys,
  cardId: string,
): { readonly key: string; readonly kept: KeptReceipt } {
  const nonce = randomBytes(NONCE_BYTES).toString('hex')
  const key = keys.receiptKey(cardId, nonce)
  return { key, kept: { digest: keys.digest(key), nonce } }
}

/**
 * Shows how a card was used to the holder of the receipt key. It only reads.
 * @param now epoch ms
 * @param cardKey a key of the card that it is brought to, where one is named
 * @throws Problem card-not-found, all the same for every wrong key; receipt-of-another-card
 */
export function readReceipt(
  { db, keys }: { readonly db: Database; readonly keys: CardKeys },
  written: string,
  now: number,
  cardKey?: string,
): Promise<Receipt> {
  const key = readKey(written)
  return db.read(async reader => {
    const found = await reader
      .selectFrom('redemptions')
      .innerJoin('cards', 'cards.id', 'redemptions.card_id')
      .select(['cards.id', 'cards.order_id', 'cards.email', 'cards.credit', 'cards.currency'])
      .select('redemptions.created_at')
      .where('redemptions.receipt_digest', '=', keys.digest(key ?? written))
      .executeTakeFirst()
    if (key === undefined || found === undefined) throw new Problem('card-not-found')
    if (cardKey !== undefined) {
      const { card } = await findByKey(reader, keys, 'donation', cardKey)
      if (card.id !== found.id) throw new Problem('receipt-of-another-card')
    }
    return {
      usedAt: found.created_at,
      credit: money(found.credit, found.currency),
      allocations: await allocationsOf(reader, found.id),
      answer: await stateOf(reader, found, found.created_at, now),
    }
  })
}
