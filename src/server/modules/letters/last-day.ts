import { lastDayBefore } from '#domain/dates.ts'
import type { Language } from '#domain/languages.ts'
import { lastDayWords, type Market } from '#domain/market.ts'
import { getT } from '#i18n/index.ts'

/** The sentences of letters about a card's last day. */
export interface WaitingCard extends Pick<Market, 'lastDayWords' | 'reminderDays'> {
  /** End of the card's last day, epoch ms UTC. */
  readonly autoDonateAt: number
  /** The name of the organisation that its buyer named for the end. */
  readonly fallback?: string | undefined
}

/** Until when the card can be used: in the operator's words, or the product's. */
export function lastDayOf(card: WaitingCard, language: Language): string {
  const date = lastDayBefore(card.autoDonateAt, language)
  return lastDayWords(card, language, date, getT(language)('mail-last-day', { date }))
}

/** The sentence about the credit after that day. */
export function afterLastDay({ fallback }: WaitingCard, language: Language): string {
  const t = getT(language)
  return fallback === undefined ? t('mail-after-draw') : t('mail-after-named', { organisation: fallback })
}

/** When its buyer is reminded. */
export function remindersOf({ reminderDays }: WaitingCard, language: Language): string {
  const days = new Intl.ListFormat(language).format(reminderDays.map(String))
  return getT(language)('mail-reminded', { days })
}
