import { partOfCard } from '#domain/card/batch.ts'
import { GIFTS } from '#domain/card/gifts.ts'
import type { Money } from '#domain/money/money.ts'
import { subtractMoney, zero } from '#domain/money/money.ts'
import type { Allocation } from '#domain/redemption/split.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import { ngoAccount } from '#server/modules/ledger/accounts.ts'
import type { OrderAmounts } from '#server/modules/ledger/order-amounts.ts'
import { post } from '#server/modules/ledger/post.ts'
import { numberSale } from '#server/modules/ledger/receipts.ts'
import type { Writer } from '#server/platform/db/database.ts'
import type { RedemptionCause } from '#server/platform/db/schema.ts'

/** The amounts are those of all its cards. */
export interface Sale extends OrderAmounts {
  readonly kind: GiftKind
  readonly orderId: string
  /** By their places in the order. */
  readonly cardIds: readonly string[]
  /** Epoch ms UTC. */
  readonly at: number
}

/** What the sale of a card is called in the books, by its place in the order. */
export const saleOfCard = (orderId: string, position: number): string =>
  position === 0 ? `sale:${orderId}` : `sale:${orderId}:${position}`

/**
 * Books a paid order: what was paid goes to the gift's account, to the product and to the tax. Each of many cards is booked
 * as one that was bought alone, so that the public ledger does not tell a large order by its amount. Its receipt gets its
 * number.
 * @throws Error when the parts do not sum to the total exactly, or are not the same for each card
 */
export async function recordSale(trx: Writer, sale: Sale): Promise<void> {
  const part = (amount: Money) => partOfCard(amount, sale.cardIds.length)
  const sets = sale.cardIds.map((cardId, position) => ({
    id: saleOfCard(sale.orderId, position),
    cause: 'sale',
    cardId: cardInBooks(sale.kind, cardId),
    orderId: sale.orderId,
    at: sale.at,
    entries: [
      ['payments', negative(part(sale.total))] as const,
      [GIFTS[sale.kind].account, part(sale.price)] as const,
      ['support', part(sale.net)] as const,
      ['tax', part(sale.tax)] as const,
    ],
  }))
  await post(trx, ...sets)
  await numberSale(trx, { orderId: sale.orderId, amount: sale.total.amount, at: sale.at })
}

/** The card id in the books. It is missing for an invitation, whose table the books do not refer to. */
export function cardInBooks(kind: GiftKind, cardId: string): string | null {
  return GIFTS[kind].isNamedInBooks ? cardId : null
}

export interface FreeGift {
  readonly cardId: string
  readonly credit: Money
  /** Epoch ms UTC. */
  readonly at: number
}

/** Books free cards: the campaign puts in what is on them. */
export async function recordFreeGifts(trx: Writer, gifts: readonly FreeGift[]): Promise<void> {
  const sets = gifts.map(({ cardId, credit, at }) => ({
    id: `claim:${cardId}`,
    cause: 'free-claim',
    cardId,
    orderId: null,
    at,
    entries: [['campaign', negative(credit)] as const, ['cards', credit] as const],
  }))
  await post(trx, ...sets)
}

export interface Redemption {
  readonly cardId: string
  readonly credit: Money
  readonly allocations: readonly Allocation[]
  readonly cause: RedemptionCause
  /** Epoch ms UTC. */
  readonly at: number
}

/**
 * Books a used card: its credit goes to the organisations.
 * @throws Error when the allocations do not sum to the credit exactly
 */
export async function recordRedemption(trx: Writer, redemption: Redemption): Promise<void> {
  await post(trx, {
    id: `redemption:${redemption.cardId}`,
    cause: redemption.cause,
    cardId: redemption.cardId,
    orderId: null,
    at: redemption.at,
    entries: [
      ['cards', negative(redemption.credit)],
      ...redemption.allocations.map(({ ngoId, amount }) => [ngoAccount(ngoId), amount] as const),
    ],
  })
}

function negative(amount: Money): Money {
  return subtractMoney(zero(amount.currency), amount)
}
