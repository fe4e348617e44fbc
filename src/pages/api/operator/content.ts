import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { readContentState } from '#wire/operator.ts'

export const { GET, ALL } = endpoint(readContentState, async (_, { app }) => app.cms.state(), {
  limit: 'operator-call',
  operatorOnly: true,
})
