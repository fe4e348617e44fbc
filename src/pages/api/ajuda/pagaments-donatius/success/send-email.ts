import { endpoint } from '#server/http/endpoint.ts'
import { sendConfirmation } from '#wire/donation-payment.ts'

export const { POST, ALL } = endpoint(
  sendConfirmation,
  async (request, { app }) => {
    await app.payments.requestConfirmation(request)
    return {}
  },
  { limit: 'send-email', missLimit: 'card-miss' },
)
