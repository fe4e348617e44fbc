import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { subscribe } from '#wire/newsletter.ts'

export const { POST, ALL } = endpoint(
  subscribe,
  async ({ email, name, phone }, { app, language }) => {
    await app.newsletter.subscribe({ address: email, name, phone, language })
    return { status: 'pending' as const }
  },
  { limit: 'newsletter' },
)
