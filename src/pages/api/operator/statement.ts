import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { checkTokenAgain, pressOf } from '#server/http/pipeline/token-again.ts'
import { MOST_STATEMENT_BYTES, readBankStatement } from '#wire/operator.ts'

export const { POST, ALL } = endpoint(
  readBankStatement,
  async ({ token, text, apply: isApplied }, { app, address, attemptKey }) => {
    const press = pressOf(attemptKey)
    if (isApplied) checkTokenAgain(app, token, address)
    return app.payoutDesk.statement({ text, isApplied }, press)
  },
  { limit: 'operator-call', operatorOnly: true, bodyLimit: MOST_STATEMENT_BYTES },
)
