import type { CardStatus } from '#domain/card/states.ts'
import { moveCard } from '#domain/card/states.ts'

/** What the provider says of a charge now, amounts in minor units. */
export interface ChargeFacts {
  /** Given back, or on its way back. */
  readonly refunded: number
  /** Taken back by lost disputes. */
  readonly lostToDisputes: number
  /** A dispute is open. */
  readonly isDisputed: boolean
}

/** What an order brought in, minor units. */
export interface SaleAmounts {
  readonly ngo: number
  readonly net: number
  readonly tax: number
}

/** Accounts that a reversal touches, signed minor units; they sum to zero. */
export interface ReversalEntries {
  readonly refunds: number
  readonly cards: number
  readonly support: number
  readonly tax: number
  readonly losses: number
}

export const NO_REVERSAL: ReversalEntries = { refunds: 0, cards: 0, support: 0, tax: 0, losses: 0 }

/** What went back to the buyer in all; never more than was paid. */
export function givenBack({ refunded, lostToDisputes }: ChargeFacts, sale: SaleAmounts): number {
  return Math.min(refunded + lostToDisputes, totalOf(sale))
}

/**
 * The state that a card should be in, given what is true of its charge now (decisions §7): all given back or a
 * dispute lost → revoked; a dispute open → frozen; else active. A consumed card stays so.
 */
export function statusFor(status: CardStatus, facts: ChargeFacts, sale: SaleAmounts): CardStatus {
  if (facts.lostToDisputes > 0) return moveCard(status, 'dispute-lost')
  if (facts.refunded >= totalOf(sale)) return moveCard(status, 'refunded')
  const lifted = moveCard(moveCard(status, 'refund-failed'), 'dispute-won')
  return facts.isDisputed ? moveCard(lifted, 'dispute-opened') : lifted
}

/**
 * What the books should say in all about the money that went back. With everything back, the product gives up
 * its support and the tax; the card's credit is no longer owed, unless it has been given: then that part is the
 * product's loss, as is every partial refund, which leaves the card whole.
 */
export function reversalOf(status: CardStatus, facts: ChargeFacts, sale: SaleAmounts): ReversalEntries {
  const back = givenBack(facts, sale)
  const isWhole = back === totalOf(sale)
  const cards = status === 'revoked' ? -sale.ngo : 0
  const support = isWhole ? -sale.net : 0
  const tax = isWhole ? -sale.tax : 0
  return { refunds: back, cards, support, tax, losses: 0 - back - cards - support - tax }
}

/** a − b, account by account. */
export function difference(a: ReversalEntries, b: ReversalEntries): ReversalEntries {
  return {
    refunds: a.refunds - b.refunds,
    cards: a.cards - b.cards,
    support: a.support - b.support,
    tax: a.tax - b.tax,
    losses: a.losses - b.losses,
  }
}

function totalOf({ ngo, net, tax }: SaleAmounts): number {
  return ngo + net + tax
}
