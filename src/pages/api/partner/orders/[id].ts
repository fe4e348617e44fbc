import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { readPartnerOrder } from '#wire/partner.ts'

export const { GET, ALL } = endpoint(
  readPartnerOrder,
  (_, { app, partner, param }) => app.payments.readPartnerOrder(partner!.id, param('id')),
  { limit: 'partner-read', partnerScope: 'orders:read' },
)
