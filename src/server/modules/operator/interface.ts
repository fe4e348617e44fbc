/** The operator's sign-in: the operator may edit the content and see everything of the site. */
export interface Operator {
  /** How somebody becomes the operator: by the token, by using this machine, or not at all. */
  readonly login: 'token' | 'open' | 'closed'
  /**
   * The `Set-Cookie` of a new session; undefined when that is not the token. Problem too-many-requests after too many
   * wrong ones from this address, here or in headers.
   */
  signIn(token: string, address: string): string | undefined
  /** Ends the session in these headers, everywhere. @returns the `Set-Cookie` that takes it away */
  signOut(headers: Headers): Promise<string>
  /**
   * Recognises the operator by session or by `Authorization: Bearer`. Rejects with Problem too-many-requests as
   * `signIn` does.
   * @param address the caller's address
   */
  isOperator(headers: Headers, address: string): Promise<boolean>
  /** When the session in these headers ends by itself, epoch ms; undefined without one. */
  endOfSession(headers: Headers): number | undefined
}

/** The operator's editor, prepared behind the running site. */
export interface Studio {
  state(): StudioState
}

/** `failed`: the log says why. `off`: the settings, or the sources that are not there. */
export type StudioState = 'off' | 'preparing' | 'ready' | 'failed'
