import type { App } from '#server/http/app.ts'

/** How somebody signed in, and the `Set-Cookie` of the session; undefined where that was wrong. */
interface SignIn {
  readonly way: 'token' | 'passkey' | 'first' | 'invitation'
  readonly cookie: string | undefined
}

/**
 * Signs the operator in by what the login's form sent: the token, the answer of a passkey, or a new passkey with the token
 * or an invitation's code. Problem too-many-requests.
 */
export async function signInBy(app: App, form: URLSearchParams, address: string): Promise<SignIn> {
  const { operator, log } = app
  const typed = (name: string) => form.get(name)?.trim() ?? ''
  const answer = typed('answer')
  const way =
    answer === '' ? 'token' : form.has('code') ? 'invitation' : form.has('name') ? 'first' : 'passkey'
  const cookieBy = {
    token: () => operator.signIn(typed('token'), address),
    passkey: () => operator.signInWithPasskey(answer, address),
    first: () => operator.enrol({ token: typed('token'), name: typed('name'), answer }, address),
    invitation: () => operator.enrol({ code: typed('code'), answer }, address),
  }
  const cookie = await cookieBy[way]()
  log.info(cookie ? 'operator-login' : 'operator-login-refused', { way })
  return { way, cookie }
}
