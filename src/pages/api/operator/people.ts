import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { readPeople } from '#wire/operator.ts'

export const { GET, ALL } = endpoint(
  readPeople,
  async (_, { app, actor }) => ({
    people: await app.peopleDesk.list(),
    you: actor?.person?.id ?? null,
    role: actor?.role ?? 'editor',
  }),
  { limit: 'operator-call', operatorOnly: true },
)
