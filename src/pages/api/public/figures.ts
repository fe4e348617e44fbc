import { DEFAULT_LANGUAGE } from '#domain/languages.ts'
import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { readPublicFigures } from '#wire/public.ts'

const NOTHING_YET = { size: 0, day: null, chain: { cards: 0, until: null }, currencies: [], months: [] }

export const { GET, ALL } = endpoint(
  readPublicFigures,
  async (_, { app }) => app.publicFigures.named(DEFAULT_LANGUAGE) ?? NOTHING_YET,
  { limit: 'public-read' },
)
