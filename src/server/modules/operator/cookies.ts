import { parseCookie, stringifySetCookie } from 'cookie'

/** A cookie for the operator's own browser: no script reads it, and no other site's page sends it along. */
export interface OperatorCookie {
  readonly name: string
  /** The `Set-Cookie` that stores a value for so long. */
  set(value: string, seconds: number): string
  /** The `Set-Cookie` that takes it away. */
  clear(): string
  /** The cookie's value in a request's headers. */
  read(headers: Headers): string | undefined
}

/** @param secure only over https, and then under a name that no other host can set */
export function operatorCookie(plainName: string, secure: boolean): OperatorCookie {
  const name = secure ? `__Host-${plainName}` : plainName
  const set = (value: string, maxAge: number): string =>
    stringifySetCookie({ name, value, maxAge, path: '/', httpOnly: true, sameSite: 'strict', secure })
  return {
    name,
    set,
    clear: () => set('', 0),
    read: headers => parseCookie(headers.get('cookie') ?? '')[name],
  }
}
