import { cardToShow, READING_LIMITS } from '#server/http/handlers/card-read.ts'
import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { readCard } from '#wire/gift-card.ts'

export const { GET, ALL } = endpoint(
  readCard,
  (_, { app, param }) => cardToShow(app, { key: param('giftCardId'), flag: param('flag') }),
  READING_LIMITS,
)
