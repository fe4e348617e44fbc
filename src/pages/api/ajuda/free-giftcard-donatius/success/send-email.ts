import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { sendFreeConfirmation } from '#wire/free-gift-card.ts'

export const { POST, ALL } = endpoint(
  sendFreeConfirmation,
  (request, { app }) => app.payments.requestConfirmation(request),
  { limit: 'send-email' },
)
