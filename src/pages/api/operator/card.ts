import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { readCardFile } from '#wire/operator.ts'

export const { POST, ALL } = endpoint(readCardFile, ({ id }, { app }) => app.desk.card(id), {
  limit: 'operator-call',
  operatorOnly: true,
})
