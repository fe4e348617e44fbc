import type { Currency } from '../money/currency.ts'
import { type Money, money } from '../money/money.ts'

/** What moved the balance that the payment provider keeps for us. `other`: everything that no rule of ours knows. */
export const MOVEMENT_KINDS = [
  'charge',
  'refund',
  'refund-failure',
  'dispute',
  'dispute-reversal',
  'payout',
  'payout-failure',
  'fee',
  'other',
] as const

export type MovementKind = (typeof MOVEMENT_KINDS)[number]

/** The provider's own words for accountants (its reporting categories). */
const KIND_OF: Readonly<Record<string, MovementKind>> = {
  charge: 'charge',
  refund: 'refund',
  refund_failure: 'refund-failure',
  dispute: 'dispute',
  dispute_reversal: 'dispute-reversal',
  payout: 'payout',
  payout_reversal: 'payout-failure',
  fee: 'fee',
}

/** `other` for a category that no rule knows: a person has to hear of it, since it may be about a payment. */
export function movementKindOf(reportingCategory: string): MovementKind {
  return Object.hasOwn(KIND_OF, reportingCategory) ? KIND_OF[reportingCategory]! : 'other'
}

/** Is it about a payment: the payment itself, or money of it that went back? */
export function isOfPayment(kind: MovementKind): boolean {
  return ['charge', 'refund', 'refund-failure', 'dispute', 'dispute-reversal'].includes(kind)
}

/** A movement as it is booked. Amounts in minor units, positive where they come in. */
export interface Movement {
  readonly kind: MovementKind
  /** Is it about the payment of an order of ours? */
  readonly isOfOrder: boolean
  /** The currency of the provider's balance. */
  readonly currency: Currency
  readonly amount: number
  /** What the provider kept of it; negative where it gave a fee back. */
  readonly fee: number
  /** What the buyer paid or got back, in the currency of the payment: another one where the provider converted it. */
  readonly charged: Money
  /** The part of the fees that the support bears more than before (`borneBySupport`). */
  readonly borne: number
}

/** The accounts that a movement touches. None of them is an organisation's, or a card's. */
export type MovementAccount = 'payments' | 'fees' | 'bank' | 'operator' | 'exchange'

/**
 * What the books say of a movement: signed amounts that sum to zero in each currency, zeros left out.
 * - A payment of ours stands in the books since its sale, so its fee alone is booked: `payments` → `fees`, and what the
 *   support does not bear → `operator`. Converted, it leaves one currency and comes into the other by `exchange`.
 * - A payout goes `payments` → `bank`.
 * - Everything else that moves our balance (another sale of the same account, a fee of no payment, money that the operator
 *   put in) is the operator's own.
 */
export function entriesOfMovement(
  movement: Movement,
): readonly (readonly [account: MovementAccount, amount: Money])[] {
  const { kind, isOfOrder, currency, amount, fee, charged, borne } = movement
  const net = amount - fee
  const here = (account: MovementAccount, minor: number) => [account, money(minor, currency)] as const
  if (kind === 'payout' || kind === 'payout-failure')
    return withoutZeros([here('payments', -net), here('bank', amount), here('operator', -fee)])
  if (!isOfOrder || !isOfPayment(kind)) return withoutZeros([here('payments', -net), here('operator', net)])
  const costs = [here('fees', -borne), here('operator', borne - fee)]
  if (charged.currency === currency)
    return withoutZeros([
      here('payments', charged.amount - net),
      here('exchange', amount - charged.amount),
      ...costs,
    ])
  return withoutZeros([
    ['payments', charged],
    ['exchange', money(-charged.amount, charged.currency)],
    here('payments', -net),
    here('exchange', amount),
    ...costs,
  ])
}

const withoutZeros = (entries: readonly (readonly [MovementAccount, Money])[]) =>
  entries.filter(([, { amount }]) => amount !== 0)
