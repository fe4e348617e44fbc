import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { pressOf } from '#server/http/pipeline/press.ts'
import { lookAtWish } from '#wire/operator.ts'

export const { POST, ALL } = endpoint(
  lookAtWish,
  async (seen, call) => ({ isRepeated: !(await call.app.wishDesk.lookedAt(seen, pressOf(call))) }),
  { limit: 'operator-call', operatorOnly: true },
)
