import { DEFAULT_LANGUAGE } from '#domain/languages.ts'
import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { readPublicFigures } from '#wire/public.ts'

export const { GET, ALL } = endpoint(
  readPublicFigures,
  async (_, { app }) => app.publicFigures.named(DEFAULT_LANGUAGE) ?? { size: 0, day: null, currencies: [] },
  { limit: 'public-read' },
)
