import { TRY_CARD_ID } from '#domain/card/keys.ts'
import { endpoint } from '#server/http/endpoint.ts'
import { tryCard } from '#server/http/try-card.ts'
import { readCard } from '#wire/gift-card.ts'

export const { GET, ALL } = endpoint(
  readCard,
  async (_, { app, param }) => {
    const key = param('giftCardId')
    if (key === TRY_CARD_ID) return tryCard(app.clock())
    return app.cards.open(key, param('flag') === 'preview' ? 'preview' : 'full')
  },
  { limit: 'card-read', missLimit: 'card-miss' },
)
