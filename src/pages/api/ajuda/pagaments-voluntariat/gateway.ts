import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { startVolunteering } from '#wire/volunteering.ts'

export const { POST, ALL } = endpoint(
  startVolunteering,
  (input, { app, language, attemptKey }) =>
    app.payments.startVolunteering({ ...input, language, attemptKey }),
  { limit: 'gateway', waitingRoom: true },
)
