import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { redeemCard } from '#wire/gift-card.ts'

export const { POST, ALL } = endpoint(
  redeemCard,
  (selection, { app, param, attemptKey }) => app.cards.redeem(param('giftCardId'), selection, attemptKey),
  { limit: 'redeem' },
)
