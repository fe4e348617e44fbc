import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { settleVolunteering } from '#wire/volunteering.ts'

export const { POST, ALL } = endpoint(
  settleVolunteering,
  ({ checkoutSessionId }, { app }) => app.payments.settleVolunteering(checkoutSessionId),
  { limit: 'success' },
)
