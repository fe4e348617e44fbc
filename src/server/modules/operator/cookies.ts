/** A cookie for the operator's own browser: no script reads it, and no other site's page sends it along. */
export interface OperatorCookie {
  readonly name: string
  /** The `Set-Cookie` that stores a value for so long. */
  set(value: string, seconds: number): string
  /** The `Set-Cookie` that takes it away. */
  clear(): string
  /** Its value in a request's headers. */
  read(headers: Headers): string | undefined
}

/** @param secure only over https, and then under a name that no other host can set */
export function operatorCookie(plainName: string, secure: boolean): OperatorCookie {
  const name = secure ? `__Host-${plainName}` : plainName
  const attributes = `Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
  return {
    name,
    set: (value, seconds) => `${name}=${value}; Max-Age=${seconds}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
    read(headers) {
      const pairs = (headers.get('cookie') ?? '').split(';').map(pair => pair.trim())
      return pairs.find(pair => pair.startsWith(`${name}=`))?.slice(name.length + 1)
    },
  }
}
