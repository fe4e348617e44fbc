import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { confirmedPress } from '#server/http/pipeline/press.ts'
import { actOnPeople } from '#wire/operator.ts'

export const { POST, ALL } = endpoint(
  actOnPeople,
  async ({ passkey, ...asked }, call) => call.app.peopleDesk.act(asked, await confirmedPress(call, passkey)),
  { limit: 'operator-call', operatorOnly: true },
)
