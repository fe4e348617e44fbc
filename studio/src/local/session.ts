import type { Fetch } from './shared-listening.ts'

export interface SessionParts {
  readonly fetch: Fetch
  /** Asks the operator to log in again. Resolves once they are. */
  readonly askToLogIn: () => Promise<void>
  /** The operator has ended the session in this window. */
  readonly onLoggedOut: () => void
}

/** By these the Studio finds out whether anybody is logged in; their refusal is the answer. */
const ABOUT_LOGIN = /\/(?:auth\/providers|users\/me)$/
const LOGOUT = /\/auth\/logout$/

/**
 * A `fetch` whose requests outlast the session. The Studio would leave the page when one is refused, and what was
 * typed since the last save would be gone: here it waits until the operator has logged in again, and is sent anew.
 */
export function holdThroughLogin({ fetch, askToLogIn, onLoggedOut }: SessionParts): Fetch {
  let asking: Promise<void> | undefined
  let logins = 0
  let isLoggedOut = false

  const logIn = (): Promise<void> => {
    asking ??= askToLogIn().then(() => {
      asking = undefined
      logins++
    })
    return asking
  }

  return async (address, init) => {
    const { pathname } = new URL(address)
    for (;;) {
      const loginsBefore = logins
      const response = await fetch(address, init)
      if (LOGOUT.test(pathname) && response.ok && !isLoggedOut) {
        isLoggedOut = true
        onLoggedOut()
      }
      if (response.status !== 401 || isLoggedOut || ABOUT_LOGIN.test(pathname)) return response
      // A refusal may come in after the login that another one asked for.
      if (logins === loginsBefore) await unlessAborted(logIn(), init?.signal)
    }
  }
}

function unlessAborted(waiting: Promise<void>, signal: AbortSignal | null | undefined): Promise<void> {
  if (!signal) return waiting
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    waiting.then(resolve, reject)
  })
}
