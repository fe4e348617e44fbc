import { type Money, money } from '#domain/money/money.ts'
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

/**
 * The amounts of an order as they are stored: its price list, or the share of the tax, may be another one by now. The
 * support amount is stored with its tax, so this is the one place that takes the tax off it.
 */
export function amountsOf(
  order: Readonly<
    Pick<OrdersTable, 'ngo_amount' | 'support_amount' | 'tax_amount' | 'total_amount' | 'currency'>
  >,
): OrderAmounts {
  const { ngo_amount: ngo, support_amount: support, tax_amount: tax, total_amount: total, currency } = order
  return {
    price: money(ngo, currency),
    net: money(support - tax, currency),
    tax: money(tax, currency),
    total: money(total, currency),
  }
}
