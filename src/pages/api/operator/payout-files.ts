import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { confirmedPress } from '#server/http/pipeline/press.ts'
import { makeBankFiles } from '#wire/operator.ts'

export const { POST, ALL } = endpoint(
  makeBankFiles,
  async ({ passkey, ...asked }, call) =>
    call.app.payoutDesk.files(asked, await confirmedPress(call, passkey)),
  { limit: 'operator-call', operatorOnly: true },
)
