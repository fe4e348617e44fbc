import { CARD_ORDERS, drawCardOrder, type VisitorOrigin } from '#domain/pricing/card-orders.ts'
import type { CardKind } from '#domain/pricing/packages.ts'
import { json, tabChoice } from '#screens/shared/storage/tab.ts'
import { CARD_ORDER_KEY } from '#wire/browser-names.ts'

/** One of the orders there are; a list that somebody wrote by hand might hide the offer. */
const isOrder = (value: unknown): value is CardKind[] =>
  Object.values(CARD_ORDERS)
    .flat()
    .some(({ kinds }) => JSON.stringify(kinds) === JSON.stringify(value))

const drawn = tabChoice(CARD_ORDER_KEY, json(isOrder))

/** The order drawn on this visit, before its first look undefined. */
export const drawnOrder = (): readonly CardKind[] | undefined => drawn.get()

/**
 * The order of the cards: drawn at the first look, the same for the rest of the visit. A free-campaign visitor sees
 * the free card first, whichever order was drawn and whenever (product.md#packages).
 */
export function cardOrder(
  { origin, campaign }: { readonly origin: VisitorOrigin; readonly campaign: boolean },
  random: () => number,
): readonly CardKind[] {
  const kept = drawn.get() ?? drawCardOrder({ origin, campaign: false }, random)
  drawn.set([...kept])
  const others = kept.filter(kind => kind !== 'free')
  return campaign ? ['free', ...others] : others
}
