import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { readDue } from '#wire/operator.ts'

export const { GET, ALL } = endpoint(readDue, async (_, { app }) => app.duties.due(), {
  limit: 'operator-call',
  operatorOnly: true,
})
