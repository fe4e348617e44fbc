import type { Currency } from '../money/currency.ts'
import type { MovementKind } from './movement.ts'

/** A movement of one order's payment, as far as it says who bears its fee. Minor units. */
export interface OrderMovement {
  readonly kind: MovementKind
  readonly currency: Currency
  readonly amount: number
  readonly fee: number
  /** The amount in the currency of the payment. */
  readonly charged: number
}

/**
 * The part of an order's fees that its support bears: all of them, as far as the support, and what is left of the payment,
 * go. The rest is the operator's own. What organisations receive bears nothing, ever. The support is counted in the
 * currency in which the provider holds the payment, at the rate of the payment itself, rounded down.
 * @param movements every one of the order so far, in any order
 * @param support without its tax, in the currency of the payment
 */
export function borneBySupport(movements: readonly OrderMovement[], support: number): number {
  const payment = movements.find(({ kind }) => kind === 'charge')
  if (payment === undefined || payment.charged <= 0) return 0
  // What the provider holds in another currency than the payment is the operator's own.
  const held = movements.filter(({ currency }) => currency === payment.currency)
  const fees = sum(held, ({ fee }) => fee)
  const left = sum(held, ({ amount }) => amount)
  const supportHeld = Number((BigInt(support) * BigInt(payment.amount)) / BigInt(payment.charged))
  return Math.max(0, Math.min(fees, left, supportHeld))
}

function sum(movements: readonly OrderMovement[], of: (movement: OrderMovement) => number): number {
  return movements.reduce((total, each) => total + of(each), 0)
}
