import type { CardStatus } from '#domain/card/states.ts'

/** What the provider says of one payment, minor units. It is given, not the thing under test. */
export interface Charge {
  readonly isPaid: boolean
  /** Given back or on its way back. */
  readonly refunded: number
  readonly lost: number
  readonly isDisputed: boolean
}

export const UNPAID: Charge = { isPaid: false, refunded: 0, lost: 0, isDisputed: false }

export interface Price {
  readonly ngo: number
  readonly net: number
  readonly tax: number
}

export type Status = CardStatus | 'none'

/** Who got how much of a card, minor units. */
export type Gift = Readonly<Record<string, number>>

/**
 * How a card must end when everything has been heard (product.md#states), said anew and in the plainest way: it looks
 * at the end of the journey only, never at the way there.
 * @param isLeft has its recipient left it to the draw?
 */
export function statusOf(
  { isPaid, refunded, lost, isDisputed }: Charge,
  price: Price,
  gift?: Gift,
  isLeft = false,
): Status {
  if (!isPaid) return 'none'
  if (gift) return 'consumed'
  if (refunded + lost >= totalOf(price)) return 'revoked'
  if (isDisputed) return 'frozen'
  return isLeft ? 'left' : 'active'
}

/**
 * What the books must say of one order in the end: balances in minor units, accounts at 0 left out.
 *
 * @param isSupportWithdrawn has the buyer withdrawn from the support of a card that was used? Once it is back it is no
 *   loss, since nothing is kept of it.
 */
export function booksOf(
  charge: Charge,
  price: Price,
  gift?: Gift,
  isSupportWithdrawn = false,
): Readonly<Record<string, number>> {
  if (!charge.isPaid) return {}
  const total = totalOf(price)
  const back = Math.min(total, charge.refunded + charge.lost)
  const isSupportBack = isSupportWithdrawn && back >= price.net + price.tax
  const isWhole = back === total || isSupportBack
  const isRevoked = statusOf(charge, price, gift) === 'revoked'
  const books: Record<string, number> = {
    payments: -total,
    refunds: back,
    support: isWhole ? 0 : price.net,
    tax: isWhole ? 0 : price.tax,
    cards: gift || isRevoked ? 0 : price.ngo,
  }
  for (const [ngoId, amount] of Object.entries(gift ?? {})) books[`ngo:${ngoId}`] = amount
  // Whatever is missing then is what the product itself has lost.
  books.losses = 0 - Object.values(books).reduce((sum, amount) => sum + amount, 0)
  return Object.fromEntries(Object.entries(books).filter(([, amount]) => amount !== 0))
}

export function totalOf({ ngo, net, tax }: Price): number {
  return ngo + net + tax
}
