import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { sendInvitation } from '#wire/volunteering.ts'

export const { POST, ALL } = endpoint(
  sendInvitation,
  (request, { app }) => app.payments.requestInvitationMail(request),
  { limit: 'send-email' },
)
