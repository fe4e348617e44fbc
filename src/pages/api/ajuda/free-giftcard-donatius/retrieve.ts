import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { retrieveFreeCard } from '#wire/free-gift-card.ts'

export const { POST, ALL } = endpoint(
  retrieveFreeCard,
  ({ privateKey }, { app }) => app.freeCards.retrieve(privateKey),
  { limit: 'success' },
)
