import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { readPublicStatus } from '#wire/public.ts'

export const { GET, ALL } = endpoint(readPublicStatus, async (_, { app }) => app.publicStatus.current(), {
  limit: 'public-read',
})
