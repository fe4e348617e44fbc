import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { ANALYTICS_BODY_BYTES, forget } from '#wire/analytics.ts'

export const { POST, ALL } = endpoint(
  forget,
  async (known, { app }) => {
    await app.analytics.forget(known)
    return { status: 'forgotten' as const }
  },
  { limit: 'analytics-session', bodyLimit: ANALYTICS_BODY_BYTES },
)
