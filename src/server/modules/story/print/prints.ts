import { placeOfCard } from '#domain/card/batch.ts'
import { groupedKey, readKey } from '#domain/card/keys.ts'
import { isGiven } from '#domain/card/states.ts'
import { lastDayBefore } from '#domain/dates.ts'
import { DEFAULT_MARKET, lastDayWords, type Market } from '#domain/market.ts'
import type { Currency } from '#domain/money/currency.ts'
import { money } from '#domain/money/money.ts'
import { Problem } from '#domain/problems.ts'
import { getT } from '#i18n/index.ts'
import { GIFT_LINK_PATH, giftLinkPath, IS_THIS_REAL_PATH } from '#paths'
import { themeOf } from '#server/modules/content/theme-releases.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import { printedWordOf } from '#server/modules/gifts/check-words.ts'
import { findByKey } from '#server/modules/gifts/find.ts'
import { messageOf } from '#server/modules/gifts/messages.ts'
import { notePrinted, rowOf } from '#server/modules/gifts/order-rows.ts'
import type { ManyPrinted, Prints } from '#server/modules/story/interface.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import { certificateSheet } from './certificate.ts'
import { invoiceSheet } from './invoice.ts'
import type { ManySheetsFacts } from './many-job.ts'
import { createSheetsProcess } from './many-process.ts'
import { cardSheet, type SheetFacts } from './sheet.ts'

interface PrintTools {
  readonly db: Database
  readonly keys: CardKeys
  readonly clock: Clock
  /** Origin of the links. */
  readonly siteUrl: string
  readonly siteName: (language: SheetFacts['language']) => string
  /** What the operator sets for a market; nothing when missing. */
  readonly market?: (currency: Currency) => Market
  /** Is it a sandbox that prints? */
  readonly sandbox?: boolean
}

/** Makes cards of paper on demand, for whoever holds the private key; nothing of them is kept. */
export function createPrints(tools: PrintTools): Prints {
  const sheets = createSheetsProcess()
  return {
    async sheetOf(key) {
      const facts = await factsOf(tools, key)
      if (facts.recipientName !== null) await noteSheet(tools, key)
      return cardSheet(facts)
    },
    async sheetsOf(many) {
      const places = many.cards.map(({ number }) => placeOfCard(number))
      await tools.db.transaction(trx => notePrinted(trx, many.orderId, tools.clock(), places))
      return sheets.draw(manyFactsOf(tools, many))
    },
    certificateOf: facts => certificateSheet(facts, tools),
    invoiceOf: facts => invoiceSheet(facts, tools),
  }
}

/** From its printing on the time of the name that stands on it runs. */
async function noteSheet({ db, keys, clock }: PrintTools, key: string): Promise<void> {
  const { card } = await db.read(reader => findByKey(reader, keys, 'donation', key))
  const { order_id: orderId, position } = card
  if (orderId !== null) await db.transaction(trx => notePrinted(trx, orderId, clock(), [position]))
}

/**
 * What the paper says of a card.
 * @throws Problem card-not-found, for the public key as for one that opens nothing; card-consumed once it is given
 */
export function factsOf(
  { db, keys, siteUrl, siteName, market, sandbox = false }: Omit<PrintTools, 'clock'>,
  key: string,
): Promise<SheetFacts> {
  return db.read(async reader => {
    const { card, keyKind } = await findByKey(reader, keys, 'donation', key)
    if (keyKind !== 'private') throw new Problem('card-not-found')
    if (isGiven(card.status)) throw new Problem('card-consumed')
    const plainKey = readKey(key) ?? key
    return {
      link: siteUrl + giftLinkPath({ themeId: card.theme_id, language: card.language }, plainKey),
      address: `${new URL(siteUrl).host}${GIFT_LINK_PATH}#`,
      key: groupedKey(plainKey),
      check: { word: printedWordOf(card, plainKey), address: new URL(siteUrl).host + IS_THIS_REAL_PATH },
      credit: money(card.credit, card.currency),
      recipientName: (await rowOf(reader, card))?.name ?? null,
      senderName: card.sender_name,
      message: await messageOf(reader, card),
      theme: await themeOf(reader, card.theme_id, card.created_at),
      language: card.language,
      autoDonateAt: card.auto_donate_at,
      market: market?.(card.currency) ?? DEFAULT_MARKET,
      siteName: siteName(card.language),
      sandbox,
    }
  })
}

/** What stands on the sheets of many cards. */
function manyFactsOf(
  { siteUrl, siteName, market, sandbox = false }: Omit<PrintTools, 'db' | 'keys' | 'clock'>,
  { language, theme, senderName, credit, autoDonateAt, cards }: ManyPrinted,
): ManySheetsFacts {
  const { host } = new URL(siteUrl)
  const date = lastDayBefore(autoDonateAt, language)
  const told = getT(language)('print-last-day', { date })
  return {
    language,
    theme,
    siteName: siteName(language),
    sandbox,
    senderName,
    credit,
    until: lastDayWords(market?.(credit.currency) ?? DEFAULT_MARKET, language, date, told),
    address: `${host}${GIFT_LINK_PATH}#`,
    checkAddress: host + IS_THIS_REAL_PATH,
    cards: cards.map(({ number, name, words, privateKey, checkWord }) => ({
      number,
      name,
      words,
      link: siteUrl + giftLinkPath({ themeId: theme.id, language }, privateKey),
      key: groupedKey(privateKey),
      word: checkWord,
    })),
  }
}
