import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { settleDonation } from '#wire/donation-payment.ts'

export const { POST, ALL } = endpoint(
  settleDonation,
  ({ checkoutSessionId }, { app }) => app.payments.settlePurchase(checkoutSessionId),
  { limit: 'success' },
)
