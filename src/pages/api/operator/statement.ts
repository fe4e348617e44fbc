import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { confirmedPress, pressOf } from '#server/http/pipeline/press.ts'
import { MOST_STATEMENT_BYTES, readBankStatement } from '#wire/operator.ts'

export const { POST, ALL } = endpoint(
  readBankStatement,
  async ({ passkey, text, apply: isApplied }, call) => {
    const press = isApplied ? await confirmedPress(call, passkey) : pressOf(call)
    return call.app.payoutDesk.statement({ text, isApplied }, press)
  },
  { limit: 'operator-call', operatorOnly: true, bodyLimit: MOST_STATEMENT_BYTES },
)
