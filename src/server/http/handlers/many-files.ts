import { lastDayOfCard } from '#domain/card/term.ts'
import type { Language } from '#domain/languages.ts'
import { calendarFile } from '#domain/volunteering/calendar.ts'
import { getT } from '#i18n/index.ts'
import { giftLinkPath } from '#paths'
import type { App } from '#server/http/app.ts'
import { calendarResponse, csvResponse, fileResponse } from '#server/http/pipeline/file-response.ts'
import type { OpenedMany, PressedMany } from '#server/modules/payments/many/interface.ts'
import { csvFile, figure } from '#server/platform/csv.ts'

/** The files that the page of an order of many gives, each of what it has been shown. */

/** What a page may be asked for. */
export const MANY_FILES = ['table', 'sheets'] as const
export type ManyFile = (typeof MANY_FILES)[number]

/** Without it, spreadsheets of offices take the letters of names for those of another alphabet. */
const BYTE_ORDER_MARK = '\uFEFF'

type Asked = Pick<App, 'settings' | 'prints' | 'clock'>

/** @returns undefined where the links are not shown any more: there is nothing to make a file of */
export async function manyFile(
  app: Asked,
  which: ManyFile,
  many: PressedMany,
  language: Language,
): Promise<Response | undefined> {
  if (!many.shown) return undefined
  if (which === 'table') return csvResponse('gift-cards.csv', tableOf(app, many, language))
  const pdf = await app.prints.sheetsOf({
    orderId: many.orderId,
    language: many.language,
    theme: many.theme,
    senderName: many.senderName,
    credit: many.credit,
    autoDonateAt: many.autoDonateAt,
    cards: many.shown,
  })
  return fileResponse('gift-cards.pdf', 'application/pdf', new Uint8Array(pdf))
}

/** The link of a card of this order. */
export const linkOf = (
  { settings }: Pick<App, 'settings'>,
  { theme, language }: Pick<OpenedMany, 'theme' | 'language'>,
  privateKey: string,
): string => settings.siteUrl + giftLinkPath({ themeId: theme.id, language }, privateKey)

function tableOf(app: Asked, many: PressedMany, language: Language): string {
  const t = getT(language)
  const titles = ['number', 'name', 'link', 'word'].map(column => t(`many-table-${column}`))
  const rows = (many.shown ?? []).map(({ number, name, privateKey, checkWord }) => [
    figure(String(number)),
    name ?? '',
    linkOf(app, many, privateKey),
    checkWord ?? '',
  ])
  return BYTE_ORDER_MARK + csvFile([titles, ...rows])
}

/** The last day of the cards, for a calendar: a program that takes it may tell others, so it holds no key. */
export function manyCalendar({ settings, clock }: Asked, many: OpenedMany, language: Language): Response {
  const t = getT(language)
  const file = calendarFile({
    uid: `${many.boughtAt}-last-day@${new URL(settings.siteUrl).hostname}`,
    day: lastDayOfCard(many),
    stamp: clock(),
    summary: t('many-page-calendar'),
    description: t('calendar-last-day-description'),
  })
  return calendarResponse('last-day.ics', file)
}
