import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { pressOf } from '#server/http/pipeline/press.ts'
import { noteDuty } from '#wire/operator.ts'

export const { POST, ALL } = endpoint(
  noteDuty,
  async ({ duty }, call) => call.app.duties.note(duty, pressOf(call)),
  { limit: 'operator-call', operatorOnly: true },
)
