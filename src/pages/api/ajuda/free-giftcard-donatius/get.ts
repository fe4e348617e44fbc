import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { claimFreeCard } from '#wire/free-gift-card.ts'

export const { POST, ALL } = endpoint(
  claimFreeCard,
  (input, { app, language, attemptKey }) => app.freeCards.claim({ ...input, language, attemptKey }),
  { limit: 'free-claim' },
)
