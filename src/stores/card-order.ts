import { drawCardOrder, type VisitorOrigin } from '#domain/pricing/card-orders.ts'
import { CARD_KINDS, type CardKind, PACKAGES } from '#domain/pricing/packages.ts'
import { json, tabChoice } from './tab.ts'

const PAID_KINDS = Object.values(PACKAGES).map(({ kind }) => kind)

/** Every order names all that can be bought, and nothing twice; a list somebody wrote by hand may hide the offer. */
const isOrder = (value: unknown): value is CardKind[] =>
  Array.isArray(value) &&
  new Set(value).size === value.length &&
  value.every(kind => CARD_KINDS.includes(kind as CardKind)) &&
  PAID_KINDS.every(kind => value.includes(kind))

const drawn = tabChoice('gift:card-order', json(isOrder))

/** The order drawn on this visit, before its first look undefined. */
export const drawnOrder = (): readonly CardKind[] | undefined => drawn.get()

/**
 * The order of the cards: drawn at the first look, the same for the rest of the visit. A free-campaign visitor sees
 * the free card first, whichever order was drawn and whenever (decisions §5).
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
