import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { confirmedPress } from '#server/http/pipeline/press.ts'
import { actOnPayouts } from '#wire/operator.ts'

export const { POST, ALL } = endpoint(
  actOnPayouts,
  async ({ passkey, ...asked }, call) => call.app.payoutDesk.act(asked, await confirmedPress(call, passkey)),
  { limit: 'operator-call', operatorOnly: true },
)
