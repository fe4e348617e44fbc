import { Problem } from '#domain/problems.ts'
import type { Press } from '#server/modules/desk/press-notes.ts'
import type { Call } from './endpoint.ts'

type PressCall = Pick<Call, 'app' | 'actor' | 'attemptKey' | 'headers' | 'address'>

/** The press of whoever asks, which an act of the operator cannot do without. Problem invalid-fields. */
export function pressOf({ attemptKey, actor }: PressCall): Press {
  if (attemptKey === undefined)
    throw new Problem('invalid-fields', { fields: [{ path: 'Idempotency-Key', rule: 'required' }] })
  return { key: attemptKey, person: actor?.person?.id ?? null }
}

/**
 * The same, confirmed by a treasurer's passkey: a session alone, which may be stolen, gives nobody a gift or money.
 * Problems: invalid-fields, act-refused, too-many-requests.
 * @param passkey the browser's answer to the challenge of this press, JSON
 */
export async function confirmedPress(call: PressCall, passkey: string | undefined): Promise<Press> {
  const press = pressOf(call)
  await call.app.operator.confirm(press.key, passkey, call.headers, call.address)
  return press
}
