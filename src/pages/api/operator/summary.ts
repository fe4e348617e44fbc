import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { readSummary } from '#wire/operator.ts'

export const { GET, ALL } = endpoint(readSummary, async (_, { app }) => app.operatorReports.summary(), {
  limit: 'operator-call',
  operatorOnly: true,
})
