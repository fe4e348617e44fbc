import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { findGifts } from '#wire/operator.ts'

export const { POST, ALL } = endpoint(findGifts, ({ words }, { app }) => app.desk.find(words), {
  limit: 'operator-call',
  operatorOnly: true,
})
