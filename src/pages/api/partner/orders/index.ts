import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { createPartnerOrder } from '#wire/partner.ts'

export const { POST, ALL } = endpoint(
  createPartnerOrder,
  ({ reference, ...input }, { app, partner, attemptKey }) =>
    app.payments.startPartnerOrder({
      ...input,
      partner: { id: partner!.id, reference },
      idempotencyKey: attemptKey!,
    }),
  { limit: 'partner-order', partnerScope: 'orders:create' },
)
