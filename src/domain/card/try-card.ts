import type { Currency } from '../money/currency.ts'
import { money } from '../money/money.ts'
import { PLAIN_THEME } from '../themes.ts'
import { TRY_CARD_CREDIT } from './keys.ts'
import { autoDonateAt } from './term.ts'

/**
 * The card that anybody may try (product.md#gift-cards): as many units of the visitor's own currency as of any other.
 * It exists in no table; a browser's own choices replace its name, theme and currency.
 * @param now when it was made, ms UTC
 */
export function tryCard(now: number, currency: Currency) {
  return {
    authority: 'preview',
    createdAt: now,
    autoDonateAt: autoDonateAt(now),
    credit: money(TRY_CARD_CREDIT, currency),
    senderName: null,
    message: null,
    theme: PLAIN_THEME,
    consumed: false,
    free: false,
    use: null,
  } as const
}
