import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { confirmedPress } from '#server/http/pipeline/press.ts'
import { actOnPartners } from '#wire/operator.ts'

export const { POST, ALL } = endpoint(
  actOnPartners,
  async ({ passkey, ...asked }, call) => call.app.partnerDesk.act(asked, await confirmedPress(call, passkey)),
  { limit: 'operator-call', operatorOnly: true },
)
