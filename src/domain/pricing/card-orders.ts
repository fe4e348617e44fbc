import type { CardKind } from './packages.ts'
import { drawWeighted } from './weighted.ts'

/** Where a visitor came from, as far as the order of the cards depends on it. */
export type VisitorOrigin = 'receiver-or-referred' | 'other'

export interface CardOrder {
  readonly probability: number
  /** A kind that is not named is not shown. */
  readonly kinds: readonly Exclude<CardKind, 'free'>[]
}

/**
 * In which orders the cards of packages-donation may stand, and how often (product.md#packages).
 * The free card is in none of them: it goes before any order, for campaign visitors only.
 */
export const CARD_ORDERS: Readonly<Record<VisitorOrigin, readonly CardOrder[]>> = {
  'receiver-or-referred': [
    { probability: 0.9, kinds: ['chain', 'food', 'water', 'homes', 'lives', 'volunteering', 'help-us'] },
    { probability: 0.1, kinds: ['chain', 'help-us', 'food', 'water', 'homes', 'lives', 'volunteering'] },
  ],
  other: [
    {
      probability: 0.3,
      kinds: ['chain', 'try', 'lives', 'homes', 'water', 'food', 'volunteering', 'help-us'],
    },
    { probability: 0.2, kinds: ['try', 'food', 'water', 'homes', 'lives', 'volunteering', 'help-us'] },
    {
      probability: 0.2,
      kinds: ['try', 'help-us', 'chain', 'food', 'water', 'homes', 'lives', 'volunteering'],
    },
    {
      probability: 0.3,
      kinds: ['try', 'chain', 'homes', 'food', 'water', 'lives', 'volunteering', 'help-us'],
    },
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
