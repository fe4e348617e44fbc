import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { readPayouts } from '#wire/operator.ts'

export const { GET, ALL } = endpoint(readPayouts, async (_, { app }) => app.payoutDesk.look(), {
  limit: 'operator-call',
  operatorOnly: true,
})
