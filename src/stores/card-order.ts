import { drawCardOrder, type Visitor } from '#domain/pricing/card-orders.ts'
import { CARD_KINDS, type CardKind } from '#domain/pricing/packages.ts'
import { json, tabValue } from './tab.ts'

const isOrder = (value: unknown): value is CardKind[] =>
  Array.isArray(value) && value.length > 0 && value.every(kind => CARD_KINDS.includes(kind as CardKind))

const drawn = tabValue('gift:card-order', json(isOrder))

/** The order of the cards: drawn at the first look, the same for the rest of the visit (decisions §5). */
export function cardOrder(visitor: Visitor, random: () => number): readonly CardKind[] {
  const order = drawn.get() ?? drawCardOrder(visitor, random)
  drawn.set(order)
  return order
}
