import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { readAudience } from '#wire/operator.ts'

export const { GET, ALL } = endpoint(readAudience, async (_, { app }) => app.operatorReports.audience(), {
  limit: 'operator-call',
  operatorOnly: true,
})
