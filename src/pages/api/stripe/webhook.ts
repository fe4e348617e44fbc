import { PROVIDER_EVENTS_PATH } from '#paths'
import { providerEvents } from '#server/http/provider-events.ts'

export const { POST, ALL } = providerEvents(PROVIDER_EVENTS_PATH)
