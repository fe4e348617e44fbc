import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { startDonation } from '#wire/donation-payment.ts'

export const { POST, ALL } = endpoint(
  startDonation,
  (input, { app, language, attemptKey }) => app.payments.startDonation({ ...input, language, attemptKey }),
  { limit: 'gateway', waitingRoom: true },
)
