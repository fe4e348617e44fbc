import { analyticsCaller } from '#server/http/handlers/analytics-caller.ts'
import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { ANALYTICS_BODY_BYTES, newSession } from '#wire/analytics.ts'

export const { POST, ALL } = endpoint(
  newSession,
  (asked, call) => call.app.analytics.newSession(asked, analyticsCaller(call)),
  { limit: 'analytics-session', bodyLimit: ANALYTICS_BODY_BYTES },
)
