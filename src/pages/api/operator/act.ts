import { ACTS_WITH_TOKEN } from '#domain/desk/acts.ts'
import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { checkTokenAgain, pressOf } from '#server/http/pipeline/token-again.ts'
import { actOnGift } from '#wire/operator.ts'

export const { POST, ALL } = endpoint(
  actOnGift,
  async (asked, { app, address, attemptKey }) => {
    const press = pressOf(attemptKey)
    if (ACTS_WITH_TOKEN.has(asked.act))
      checkTokenAgain(app, 'token' in asked ? asked.token : undefined, address)
    return app.desk.act(asked, press)
  },
  { limit: 'operator-call', operatorOnly: true },
)
