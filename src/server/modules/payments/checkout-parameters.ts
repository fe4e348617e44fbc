import type Stripe from 'stripe'
import { partOfCard } from '#domain/card/batch.ts'
import { money } from '#domain/money/money.ts'
import { getT } from '#i18n/index.ts'
import { OWN_MONEY_THANKS_PATH, senderPath } from '#paths'
import type { Order } from './orders.ts'
import { isOwnMoney } from './own-money.ts'

/** Where the buyer comes back to. `sessionId` is the provider's placeholder unless a session is known. */
export function successUrl(siteUrl: string, order: Order, sessionId = '{CHECKOUT_SESSION_ID}'): string {
  if (isOwnMoney(order))
    return `${siteUrl}${OWN_MONEY_THANKS_PATH}?lang=${order.language}&session_id=${sessionId}`
  const page = senderPath(order.language, `no-refresh/${order.kind}-success`)
  return `${siteUrl}${page}?session_id=${sessionId}`
}

/** What somebody goes back to who leaves the payment. */
const whatIsBought = (order: Order) =>
  isOwnMoney(order) ? 'own-money' : order.card_count > 1 ? 'many-cards' : order.kind

/** The name of the payment's first line, by the kind of gift. */
const LINES = { donation: 'gift', volunteering: 'volunteering' } as const

const lineOf = (order: Order) => (isOwnMoney(order) ? 'own-money' : LINES[order.kind])

/**
 * What the provider is asked for an order: one page, our prices as lines in the buyer's language, the order's id
 * where refunds and disputes will find it. They depend on the order alone, so that a retry sends the same request.
 */
export function checkoutParameters(siteUrl: string, order: Order): Stripe.Checkout.SessionCreateParams {
  const t = getT(order.language)
  const line = (key: ReturnType<typeof lineOf> | 'support', amount: number) => ({
    quantity: order.card_count,
    price_data: {
      currency: order.currency.toLowerCase(),
      unit_amount: partOfCard(money(amount, order.currency), order.card_count).amount,
      product_data: { name: t(`payment-line-${key}`), description: t(`payment-line-${key}-description`) },
    },
  })
  const metadata = { order_id: order.id }
  return {
    mode: 'payment',
    ui_mode: 'hosted_page',
    submit_type: 'pay',
    locale: order.language,
    client_reference_id: order.id,
    metadata,
    // The session's metadata does not reach the charge, which is all that a refund or a dispute names.
    payment_intent_data: { metadata },
    // Without this the provider may offer the buyer a fifth currency. The amounts would then no longer be the
    // order's.
    adaptive_pricing: { enabled: false },
    expires_at: order.expires_at / 1000,
    success_url: successUrl(siteUrl, order),
    cancel_url: siteUrl + senderPath(order.language, `no-refresh/${whatIsBought(order)}-cancel`),
    line_items: [
      line(lineOf(order), order.ngo_amount),
      ...(order.support_amount > 0 ? [line('support', order.support_amount)] : []),
    ],
  }
}
