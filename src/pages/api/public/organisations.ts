import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { publicOrganisations } from '#server/modules/content/public-offer.ts'
import { listOrganisations } from '#wire/public-offer.ts'

export const { GET, ALL } = endpoint(
  listOrganisations,
  async (_, { app }) => publicOrganisations(app.content.snapshot()),
  { limit: 'public-read' },
)
