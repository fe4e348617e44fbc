import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { confirmedPress } from '#server/http/pipeline/press.ts'
import { actOnInvoices } from '#wire/operator.ts'

export const { POST, ALL } = endpoint(
  actOnInvoices,
  async ({ passkey, ...asked }, call) => call.app.invoiceDesk.act(asked, await confirmedPress(call, passkey)),
  { limit: 'operator-call', operatorOnly: true },
)
