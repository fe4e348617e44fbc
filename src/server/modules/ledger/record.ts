import { GIFTS } from '#domain/card/gifts.ts'
import type { Money } from '#domain/money/money.ts'
import { addMoney, subtractMoney, zero } from '#domain/money/money.ts'
import type { Allocation } from '#domain/redemption/split.ts'
import type { GiftKind } from '#domain/sender/gift-kinds.ts'
import { ngoAccount } from '#server/modules/ledger/accounts.ts'
import { post } from '#server/modules/ledger/post.ts'
import type { Writer } from '#server/platform/db/database.ts'
import type { RedemptionCause } from '#server/platform/db/schema.ts'

export interface Sale {
  readonly kind: GiftKind
  readonly orderId: string
  /** An invitation is in no table that the books name. */
  readonly cardId: string | null
  /** What the organisations receive, which is the card's credit; the price of an invitation, of which they get nothing. */
  readonly price: Money
  /** The support amount without its tax. */
  readonly net: Money
  readonly tax: Money
  /** Epoch ms UTC. */
  readonly at: number
}

/** Books a paid order: what was paid goes to the gift's account, to the product and to the tax. */
export async function recordSale(trx: Writer, sale: Sale): Promise<void> {
  const total = addMoney(sale.price, addMoney(sale.net, sale.tax))
  await post(trx, {
    id: `sale:${sale.orderId}`,
    cause: 'sale',
    cardId: sale.cardId,
    orderId: sale.orderId,
    at: sale.at,
    entries: [
      ['payments', negative(total)],
      [GIFTS[sale.kind].account, sale.price],
      ['support', sale.net],
      ['tax', sale.tax],
    ],
  })
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
