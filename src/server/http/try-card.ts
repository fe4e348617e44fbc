import { TRY_CARD_CREDIT } from '#domain/card/keys.ts'
import { money } from '#domain/money/money.ts'
import { DEFAULT_THEME } from '#domain/themes.ts'
import type { CardView } from '#server/app.ts'

/** The card that anybody may try. It exists in no table; a browser's own choices replace its name and theme. */
export function tryCard(now: number): CardView {
  return {
    authority: 'preview',
    createdAt: now,
    credit: money(TRY_CARD_CREDIT, 'EUR'),
    senderName: null,
    themeId: DEFAULT_THEME,
    consumed: false,
    free: false,
    allocations: [],
  }
}
