import type { CardKind } from './packages.ts'
import { drawWeighted } from './weighted.ts'

/** Where a visitor came from, as far as the order of the cards depends on it. */
export type VisitorOrigin = 'receiver-or-referred' | 'other'

/** The kinds that an order places. The free card stands before any order, for campaign visitors only. */
type OrderedKind = Exclude<CardKind, 'free'>

export interface CardOrder {
  readonly probability: number
  readonly kinds: readonly OrderedKind[]
  /** The packages that this order does not show. */
  readonly without: readonly OrderedKind[]
}

/** An order that places or leaves out every kind of card; one that forgets a kind does not compile. */
function order<const Kinds extends readonly OrderedKind[], const Without extends readonly OrderedKind[] = []>(
  probability: number,
  kinds: Kinds & Complete<Kinds, Without>,
  without?: Without,
): CardOrder {
  return { probability, kinds, without: without ?? [] }
}

type Forgotten<Kinds extends readonly OrderedKind[], Without extends readonly OrderedKind[]> = Exclude<
  OrderedKind,
  Kinds[number] | Without[number]
>

type Complete<Kinds extends readonly OrderedKind[], Without extends readonly OrderedKind[]> = [
  Forgotten<Kinds, Without>,
] extends [never]
  ? unknown
  : { readonly forgets: Forgotten<Kinds, Without> }

/** In which orders the cards of packages-donation may stand, and how often (product.md#packages). */
export const CARD_ORDERS: Readonly<Record<VisitorOrigin, readonly CardOrder[]>> = {
  'receiver-or-referred': [
    order(0.9, ['chain', 'food', 'water', 'homes', 'lives', 'volunteering', 'help-us'], ['try']),
    order(0.1, ['chain', 'help-us', 'food', 'water', 'homes', 'lives', 'volunteering'], ['try']),
  ],
  other: [
    order(0.3, ['chain', 'try', 'lives', 'homes', 'water', 'food', 'volunteering', 'help-us']),
    order(0.2, ['try', 'food', 'water', 'homes', 'lives', 'volunteering', 'help-us'], ['chain']),
    order(0.2, ['try', 'help-us', 'chain', 'food', 'water', 'homes', 'lives', 'volunteering']),
    order(0.3, ['try', 'chain', 'homes', 'food', 'water', 'lives', 'volunteering', 'help-us']),
  ],
}

export interface Visitor {
  readonly origin: VisitorOrigin
  /** Came with a free-campaign tag. */
  readonly campaign: boolean
}

/** Draws the order for a visit; `random` gives numbers from 0 up to, not including, 1. */
export function drawCardOrder({ origin, campaign }: Visitor, random: () => number): CardKind[] {
  const { kinds } = drawWeighted(CARD_ORDERS[origin], random)
  return campaign ? ['free', ...kinds] : [...kinds]
}
