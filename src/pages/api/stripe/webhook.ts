import { PROVIDER_EVENTS_PATH } from '#paths'
import { signedNews } from '#server/http/handlers/content-webhook.ts'

export const { POST, ALL } = signedNews(PROVIDER_EVENTS_PATH, {
  header: 'Stripe-Signature',
  receive: (app, body, signature) => app.payments.receiveEvent(body, signature),
})
