import type { App } from '#server/http/app.ts'

type Way = 'token' | 'passkey' | 'first' | 'invitation'

const typedIn = (form: URLSearchParams, name: string): string => form.get(name)?.trim() ?? ''

/** By which of the login's forms somebody signs in, as what it sent says. */
export function wayOf(form: URLSearchParams): Way {
  if (typedIn(form, 'answer') === '') return 'token'
  return form.has('code') ? 'invitation' : form.has('name') ? 'first' : 'passkey'
}

/**
 * Signs the operator in by what the login's form sent: the token, the answer of a passkey, or a new passkey with the token
 * or an invitation's code. Problem too-many-requests.
 * @returns the `Set-Cookie` of the session; undefined where what was sent is wrong
 */
export async function signInBy(
  app: App,
  form: URLSearchParams,
  address: string,
): Promise<string | undefined> {
  const { operator, log } = app
  const typed = (name: string) => typedIn(form, name)
  const answer = typed('answer')
  const way = wayOf(form)
  const cookieBy = {
    token: () => operator.signIn(typed('token'), address),
    passkey: () => operator.signInWithPasskey(answer, address),
    first: () => operator.enrol({ token: typed('token'), name: typed('name'), answer }, address),
    invitation: () => operator.enrol({ code: typed('code'), answer }, address),
  }
  const cookie = await cookieBy[way]()
  log.info(cookie ? 'operator-login' : 'operator-login-refused', { way })
  return cookie
}
