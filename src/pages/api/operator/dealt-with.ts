import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { pressOf } from '#server/http/pipeline/press.ts'
import { dealWithMail } from '#wire/operator.ts'

export const { POST, ALL } = endpoint(
  dealWithMail,
  async ({ mail }, call) => call.app.desk.dealWithMail(mail, pressOf(call)),
  { limit: 'operator-call', operatorOnly: true },
)
