import { ROLE_FOR_ACT } from '#domain/desk/roles.ts'
import { endpoint } from '#server/http/pipeline/endpoint.ts'
import { confirmedPress, pressOf } from '#server/http/pipeline/press.ts'
import { actOnGift } from '#wire/operator.ts'

export const { POST, ALL } = endpoint(
  actOnGift,
  async (asked, call) => {
    const passkey = 'passkey' in asked ? asked.passkey : undefined
    const isTreasurers = ROLE_FOR_ACT[asked.act] === 'treasurer'
    return call.app.desk.act(asked, isTreasurers ? await confirmedPress(call, passkey) : pressOf(call))
  },
  { limit: 'operator-call', operatorOnly: true },
)
