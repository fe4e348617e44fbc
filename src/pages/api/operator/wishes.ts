import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { readWishes } from '#wire/operator.ts'

export const { GET, ALL } = endpoint(readWishes, (_, { app }) => app.wishDesk.list(), {
  limit: 'operator-call',
  operatorOnly: true,
})
