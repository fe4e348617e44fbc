import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { pressOf } from '#server/http/pipeline/token-again.ts'
import { noteDuty } from '#wire/operator.ts'

export const { POST, ALL } = endpoint(
  noteDuty,
  async ({ duty }, { app, attemptKey }) => app.duties.note(duty, pressOf(attemptKey)),
  { limit: 'operator-call', operatorOnly: true },
)
