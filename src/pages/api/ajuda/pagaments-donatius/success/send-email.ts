import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { sendConfirmation } from '#wire/donation-payment.ts'

export const { POST, ALL } = endpoint(
  sendConfirmation,
  (request, { app }) => app.payments.requestConfirmation(request),
  { limit: 'send-email' },
)
