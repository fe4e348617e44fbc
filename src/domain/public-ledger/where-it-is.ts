import type { CurrencyFigures } from './figures.ts'

/** The places where what was paid can be, in the order of its way. */
export const PLACES = [
  'on-cards',
  'waiting',
  'in-transfer',
  'paid-out',
  'volunteering',
  'support',
  'tax',
  'refunded',
] as const

export type Place = (typeof PLACES)[number]

/** How much is at one place, minor units. */
export type AtPlace = readonly [place: Place, amount: number]

/**
 * Where everything is that buyers and campaigns have paid. The places sum to what was paid and what was lost together: what
 * was lost came from the operator. Places where nothing is are left out.
 */
export function whereItIs(figures: CurrencyFigures): readonly AtPlace[] {
  const amounts: Readonly<Record<Place, number>> = {
    'on-cards': figures.onCards,
    waiting: figures.waiting.reduce((sum, { amount }) => sum + amount, 0),
    'in-transfer': figures.inTransfer,
    'paid-out': figures.paidOut,
    volunteering: figures.volunteering,
    support: figures.support,
    tax: figures.tax,
    refunded: figures.refunded,
  }
  return PLACES.map(place => [place, amounts[place]] as const).filter(([, amount]) => amount !== 0)
}

/** Part of a bar, in thousandths of its length. */
export interface Segment {
  readonly place: Place
  readonly from: number
  readonly width: number
}

/** The places as parts of one bar of a length of 1000. What is less than nothing has no part in it. */
export function barOf(places: readonly AtPlace[]): readonly Segment[] {
  const shown = places.filter(([, amount]) => amount > 0)
  const all = shown.reduce((sum, [, amount]) => sum + amount, 0)
  let before = 0
  return shown.map(([place, amount]) => {
    const from = Math.round((before / all) * 1000)
    before += amount
    return { place, from, width: Math.round((before / all) * 1000) - from }
  })
}
