import { ACTS_WITH_TOKEN } from '#domain/desk/acts.ts'
import { Problem } from '#domain/problems.ts'
import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { actOnGift } from '#wire/operator.ts'

export const { POST, ALL } = endpoint(
  actOnGift,
  async (asked, { app, address, attemptKey }) => {
    if (attemptKey === undefined)
      throw new Problem('invalid-fields', { fields: [{ path: 'Idempotency-Key', rule: 'required' }] })
    // Guesses count like those of a login. Without a token, the operator is whoever sits at this machine.
    const isProven =
      !ACTS_WITH_TOKEN.has(asked.act) ||
      app.operator.login !== 'token' ||
      ('token' in asked &&
        asked.token !== undefined &&
        app.operator.signIn(asked.token, address) !== undefined)
    if (!isProven) throw new Problem('act-refused', { fields: [{ path: 'token', rule: 'token' }] })
    return app.desk.act(asked, attemptKey)
  },
  { limit: 'operator-call', operatorOnly: true },
)
