import { Problem } from '#domain/problems.ts'
import type { App } from '#server/http/app.ts'

/**
 * Wants the operator's token once more: a session alone, which may be stolen, gives nobody a gift or money. Guesses count
 * like those of a login. Without a token, the operator is whoever sits at this machine. Problem act-refused.
 */
export function checkTokenAgain(app: App, token: string | undefined, address: string): void {
  if (app.operator.login !== 'token') return
  if (token !== undefined && app.operator.signIn(token, address) !== undefined) return
  throw new Problem('act-refused', { fields: [{ path: 'token', rule: 'token' }] })
}

/** The key of the press, which an act of the operator cannot do without. Problem invalid-fields. */
export function pressOf(attemptKey: string | undefined): string {
  if (attemptKey !== undefined) return attemptKey
  throw new Problem('invalid-fields', { fields: [{ path: 'Idempotency-Key', rule: 'required' }] })
}
