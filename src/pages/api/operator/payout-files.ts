import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { checkTokenAgain, pressOf } from '#server/http/pipeline/token-again.ts'
import { makeBankFiles } from '#wire/operator.ts'

export const { POST, ALL } = endpoint(
  makeBankFiles,
  async ({ token, ...asked }, { app, address, attemptKey }) => {
    const press = pressOf(attemptKey)
    checkTokenAgain(app, token, address)
    return app.payoutDesk.files(asked, press)
  },
  { limit: 'operator-call', operatorOnly: true },
)
