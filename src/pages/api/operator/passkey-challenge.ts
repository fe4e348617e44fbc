import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { askPasskey } from '#wire/operator.ts'

export const { POST, ALL } = endpoint(
  askPasskey,
  async (asked, { app, headers, address }) => ({
    options: await app.operator.challenge(asked, headers, address),
  }),
  { limit: 'operator-call' },
)
