import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { readPartners } from '#wire/operator.ts'

export const { GET, ALL } = endpoint(readPartners, (_, { app }) => app.partnerDesk.list(), {
  limit: 'operator-call',
  operatorOnly: true,
})
