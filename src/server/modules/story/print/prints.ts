import { groupedKey, readKey } from '#domain/card/keys.ts'
import { DEFAULT_MARKET, type Market } from '#domain/market.ts'
import type { Currency } from '#domain/money/currency.ts'
import { money } from '#domain/money/money.ts'
import { Problem } from '#domain/problems.ts'
import { CARD_PATHS, cardPath, IS_THIS_REAL_PATH } from '#paths'
import { themeOf } from '#server/modules/content/theme-releases.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { printedWordOf } from '#server/modules/gifts/check-words.ts'
import { findByKey } from '#server/modules/gifts/find.ts'
import { messageOf } from '#server/modules/gifts/messages.ts'
import type { Prints } from '#server/modules/story/interface.ts'
import type { Database } from '#server/platform/db/database.ts'
import { certificateSheet } from './certificate.ts'
import { cardSheet, type SheetFacts } from './sheet.ts'

interface PrintTools {
  readonly db: Database
  readonly keys: CardKeys
  /** Origin of the links. */
  readonly siteUrl: string
  readonly siteName: (language: SheetFacts['language']) => string
  /** What the operator sets for a market; nothing when missing. */
  readonly market?: (currency: Currency) => Market
}

/** Makes cards of paper on demand, for whoever holds the private key; nothing of them is kept. */
export function createPrints(tools: PrintTools): Prints {
  return {
    sheetOf: async key => cardSheet(await factsOf(tools, key)),
    certificateOf: certificateSheet,
  }
}

/**
 * What the paper says of a card.
 * @throws Problem card-not-found, for the public key as for one that opens nothing; card-consumed once it is given
 */
export function factsOf(
  { db, keys, siteUrl, siteName, market }: PrintTools,
  key: string,
): Promise<SheetFacts> {
  return db.read(async reader => {
    const { card, keyKind } = await findByKey(reader, keys, 'donation', key)
    if (keyKind !== 'private') throw new Problem('card-not-found')
    if (card.status === 'consumed') throw new Problem('card-consumed')
    const plainKey = readKey(key) ?? key
    return {
      link: siteUrl + cardPath(plainKey),
      address: new URL(siteUrl).host + CARD_PATHS,
      key: groupedKey(plainKey),
      check: { word: printedWordOf(card, plainKey), address: new URL(siteUrl).host + IS_THIS_REAL_PATH },
      credit: money(card.credit, card.currency),
      senderName: card.sender_name,
      message: await messageOf(reader, card.order_id),
      theme: await themeOf(reader, card.theme_id, card.created_at),
      language: card.language,
      autoDonateAt: card.auto_donate_at,
      market: market?.(card.currency) ?? DEFAULT_MARKET,
      siteName: siteName(card.language),
    }
  })
}
