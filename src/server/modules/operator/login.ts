import { randomBytes } from 'node:crypto'
import type { Operator } from '#server/modules/operator/interface.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { RateLimits } from '#server/platform/limits.ts'
import { OPERATOR_COOKIE } from '#wire/browser-names.ts'
import { operatorCookie } from './cookies.ts'
import type { EndedSessions } from './ended-sessions.ts'
import { isSame, keyFor, readSigned, signed } from './signed.ts'

export interface OperatorParts {
  /** OPERATOR_TOKEN; without it nobody can log in. */
  readonly token: string | undefined
  /** Without a token, everybody at this machine is the operator. Never for a site in production. */
  readonly openMode: boolean
  /** The server's secret, from which the key of the sessions is made. */
  readonly secret: string
  readonly ended: EndedSessions
  /** Cookies only over https. */
  readonly secure: boolean
  /** Wrong tokens are counted here, wherever they are given. */
  readonly limits: RateLimits
  readonly clock: Clock
}

/** A working day: nobody has to log in twice while editing. */
const SESSION_SECONDS = 12 * 60 * 60

/**
 * The person who gave the token may edit as long as the session lasts. A session is a signed name and an end. The key
 * of the signature is made from the token too, so that a new token ends every session of the old one.
 */
export function createOperator(parts: OperatorParts): Operator {
  const { token, openMode, secret, ended, secure, clock, limits } = parts
  const cookie = operatorCookie(OPERATOR_COOKIE, secure)
  const key = keyFor(secret, `operator session ${token ?? ''}`)

  interface Session {
    readonly id: string
    readonly expiresAt: number
  }

  function sessionIn(headers: Headers): Session | undefined {
    if (token === undefined) return undefined
    const [id, end] = readSigned(key, cookie.read(headers) ?? '')?.split('.') ?? []
    const expiresAt = Number(end)
    return id !== undefined && expiresAt > clock() ? { id, expiresAt } : undefined
  }

  async function hasSession(headers: Headers): Promise<boolean> {
    const session = sessionIn(headers)
    return session !== undefined && !(await ended.has(session.id))
  }

  /**
   * Is this the token? Every door asks here, so that a guess counts the same at each: once an address has made too many,
   * not even the right one is looked at. Problem too-many-requests.
   */
  function isToken(given: string, who: string): boolean {
    if (token === undefined) return false
    limits.check('operator-login', who)
    const isRight = isSame(given, token)
    if (!isRight) limits.use('operator-login', who)
    return isRight
  }

  return {
    login: token !== undefined ? 'token' : openMode ? 'open' : 'closed',
    signIn(given, address) {
      if (!isToken(given, address)) return undefined
      const expiresAt = clock() + SESSION_SECONDS * 1000
      const id = randomBytes(16).toString('base64url')
      return cookie.set(signed(key, `${id}.${expiresAt}`), SESSION_SECONDS)
    },
    async signOut(headers) {
      const session = sessionIn(headers)
      if (session) await ended.add(session.id, session.expiresAt, clock())
      return cookie.clear()
    },
    async isOperator(headers, address) {
      const bearer = /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1]
      if (bearer !== undefined) return isToken(bearer, address)
      if (token !== undefined) return hasSession(headers)
      return openMode && isThisMachine(address) && !isForwarded(headers)
    },
    endOfSession: headers => sessionIn(headers)?.expiresAt,
  }
}

/** Is this the address of a connection from the same machine? */
export const isThisMachine = (address: string): boolean =>
  address === '::1' || /^(?:::ffff:)?127\./i.test(address)

/** A request through a proxy comes from elsewhere, whatever the proxy's own address is. */
export function isForwarded(headers: Headers): boolean {
  return FORWARDED.some(name => headers.has(name))
}

const FORWARDED = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'cf-connecting-ip',
  'true-client-ip',
  'via',
]
