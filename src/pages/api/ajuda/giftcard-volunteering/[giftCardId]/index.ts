import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { readVolunteeringCard } from '#wire/volunteering.ts'

export const { GET, ALL } = endpoint(
  readVolunteeringCard,
  (_, { app, param }) => app.volunteering.open(param('giftCardId')),
  { limit: 'card-read' },
)
