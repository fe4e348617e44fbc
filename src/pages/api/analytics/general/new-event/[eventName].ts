import { costOfEvent } from '#domain/analytics/events.ts'
import { analyticsCaller } from '#server/http/handlers/analytics-caller.ts'
import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { ANALYTICS_BODY_BYTES, newEvent } from '#wire/analytics.ts'

export const { POST, ALL } = endpoint(
  newEvent,
  async (event, call) => {
    await call.app.analytics.newEvent({ ...event, name: call.param('eventName') }, analyticsCaller(call))
    return { status: 'accepted' as const }
  },
  { limit: 'analytics-event', bodyLimit: ANALYTICS_BODY_BYTES, costOf: costOfEvent },
)
