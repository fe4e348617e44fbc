import { type HoldReason, heldStatus } from '../card/holds.ts'
import { type CardStatus, isUnused, moveCard } from '../card/states.ts'

/** What the provider says of a charge now, amounts in minor units. */
export interface ChargeFacts {
  /** Given back, or on its way back. */
  readonly refunded: number
  /** Taken back by lost disputes. */
  readonly lostToDisputes: number
  /** A dispute is open. */
  readonly isDisputed: boolean
}

/** The amounts of an order, minor units. */
export interface SaleAmounts {
  /** The card's credit as it was sold; the price of a volunteering package. */
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

/** The whole amount that went back to the buyer; never more than was paid. */
export function givenBack(
  { refunded, lostToDisputes }: Pick<ChargeFacts, 'refunded' | 'lostToDisputes'>,
  sale: SaleAmounts,
): number {
  return Math.min(refunded + lostToDisputes, totalOf(sale))
}

/** Is all of a payment back at the buyer? */
export function isWhollyBack(
  facts: Pick<ChargeFacts, 'refunded' | 'lostToDisputes'>,
  sale: SaleAmounts,
): boolean {
  return givenBack(facts, sale) === totalOf(sale)
}

/**
 * The state that a card should be in, given what is true of its charge now: all of it back at the buyer → revoked; else
 * what its reasons to be held make of it (`heldStatus`), which is active without one. A consumed card stays so.
 * @param held every reason but the dispute, which the charge itself tells
 */
export function statusFor(
  status: CardStatus,
  facts: ChargeFacts,
  sale: SaleAmounts,
  held: readonly HoldReason[] = [],
): CardStatus {
  if (isWhollyBack(facts, sale))
    return moveCard(status, facts.lostToDisputes > 0 ? 'dispute-lost' : 'refunded')
  const others = held.filter(reason => reason !== 'dispute')
  return heldStatus(moveCard(status, 'refund-failed'), facts.isDisputed ? ['dispute', ...others] : others)
}

/**
 * What lost disputes over parts of a payment take of each of its three shares: as much of every share as of the whole
 * payment, since it is the purchase that came back in part. Rounded to the minor unit in favour of the card's credit,
 * then of the tax; each share is at most what was sold.
 */
export function shareOfLost(lost: number, sale: SaleAmounts): SaleAmounts {
  const support = sale.net + sale.tax
  const all = Math.min(lost, totalOf(sale))
  const ngo = totalOf(sale) === 0 ? 0 : part(all, sale.ngo, totalOf(sale))
  const ofSupport = all - ngo
  const tax = support === 0 ? 0 : part(ofSupport, sale.tax, support)
  return { ngo, net: ofSupport - tax, tax }
}

/**
 * What lost disputes have taken off the card, minor units. A card that was used or revoked keeps the amount that was
 * taken off before, since its credit cannot change any more.
 * @param status after the facts
 * @param before what had been taken until now
 */
export function takenOffCard(
  status: CardStatus,
  facts: Pick<ChargeFacts, 'lostToDisputes'>,
  sale: SaleAmounts,
  before: number,
): number {
  return isUnused(status) ? shareOfLost(facts.lostToDisputes, sale).ngo : before
}

/**
 * What the books should say in all about the money that went back. With everything back, the product gives up its
 * support and the tax, and the card's credit is no longer owed. A lost dispute over a part takes its part of each.
 * What a card has given already, and every partial refund, which leaves the card whole, is the product's loss.
 * @param status after the facts
 * @param taken what lost disputes have taken off the card (`takenOffCard`)
 * @param isSupportBack has the buyer withdrawn from the support alone, and has it back (`isSupportBack`)? Then the
 *   product has given that up, and it is no loss.
 */
export function reversalOf(
  status: CardStatus,
  facts: Pick<ChargeFacts, 'refunded' | 'lostToDisputes'>,
  sale: SaleAmounts,
  taken: number,
  isSupportBack = false,
): ReversalEntries {
  const back = givenBack(facts, sale)
  const isWhole = back === totalOf(sale)
  const lost = shareOfLost(facts.lostToDisputes, sale)
  const cards = 0 - (status === 'revoked' ? sale.ngo : taken)
  const support = 0 - (isWhole || isSupportBack ? sale.net : lost.net)
  const tax = 0 - (isWhole || isSupportBack ? sale.tax : lost.tax)
  return { refunds: back, cards, support, tax, losses: 0 - back - cards - support - tax }
}

/**
 * What of the support has not gone back, minor units: what was refunded counts for the support first, and lost
 * disputes have taken their share of it. So no support is given back twice.
 */
export function supportLeft(
  { refunded, lostToDisputes }: Pick<ChargeFacts, 'refunded' | 'lostToDisputes'>,
  sale: SaleAmounts,
): number {
  const lost = shareOfLost(lostToDisputes, sale)
  return Math.max(0, sale.net + sale.tax - lost.net - lost.tax - refunded)
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

/** What was paid. */
export function totalOf({ ngo, net, tax }: SaleAmounts): number {
  return ngo + net + tax
}

/** `amount × share ÷ whole`, rounded down. Amounts of one payment stay far within the exact range. */
function part(amount: number, share: number, whole: number): number {
  return Number((BigInt(amount) * BigInt(share)) / BigInt(whole))
}
