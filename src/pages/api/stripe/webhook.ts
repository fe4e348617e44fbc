import { API } from '#paths'
import { providerEvents } from '#server/http/provider-events.ts'

export const { POST, ALL } = providerEvents(API.providerEvents)
