import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { answerInvitation } from '#wire/volunteering.ts'

export const { POST, ALL } = endpoint(
  answerInvitation,
  (given, { app, param }) => app.volunteering.answer(param('giftCardId'), given),
  { limit: 'redeem' },
)
