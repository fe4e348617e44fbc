import { partOfCard } from '#domain/card/batch.ts'
import { type Money, money } from '#domain/money/money.ts'
import type { SaleAmounts } from '#domain/money/reversal.ts'
import type { OrdersTable } from '#server/platform/db/schema.ts'

/** The amounts that an order was quoted. The buyer paid these. */
export interface OrderAmounts {
  /**
   * The organisations' amount, which becomes the card's credit; for an invitation its price, of which organisations
   * get nothing.
   */
  readonly price: Money
  /** The support amount without its tax. */
  readonly net: Money
  readonly tax: Money
  readonly total: Money
}

type StoredAmounts = Readonly<
  Pick<OrdersTable, 'ngo_amount' | 'support_amount' | 'tax_amount' | 'total_amount' | 'currency'>
>

/**
 * The amounts of an order as they are stored: its price list, or the share of the tax, may be another one by now. The
 * support amount is stored with its tax, so this is the one place that takes the tax off it.
 */
export function amountsOf(order: StoredAmounts): OrderAmounts {
  const { ngo_amount: ngo, support_amount: support, tax_amount: tax, total_amount: total, currency } = order
  return {
    price: money(ngo, currency),
    net: money(support - tax, currency),
    tax: money(tax, currency),
    total: money(total, currency),
  }
}

/** The tax is what the order was quoted with: its share may be another one by now. */
export function saleOf(order: StoredAmounts): SaleAmounts {
  const { price, net, tax } = amountsOf(order)
  return { ngo: price.amount, net: net.amount, tax: tax.amount }
}

/** The part of it that each card has: of an order of one, all. */
export function saleOfEach(order: StoredAmounts & { readonly card_count: number }): SaleAmounts {
  const { price, net, tax } = amountsOf(order)
  const part = (amount: Money) => partOfCard(amount, order.card_count).amount
  return { ngo: part(price), net: part(net), tax: part(tax) }
}
