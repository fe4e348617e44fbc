import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { confirmSubscription } from '#wire/newsletter.ts'

export const { POST, ALL } = endpoint(
  confirmSubscription,
  async ({ token }, { app }) => {
    await app.newsletter.confirm(token)
    return { status: 'active' as const }
  },
  { limit: 'newsletter' },
)
