import { isProblem } from '#domain/problems.ts'
import { LakeError, refusal } from './errors.ts'
import type { User } from './model.ts'

export interface AccessOptions {
  /** The lake's own address. */
  readonly origin: () => string
  /** Other addresses whose pages may use it: a Studio that runs on a port of its own. */
  readonly allowedOrigins: readonly string[]
  /**
   * Who sent this, by the site's own session; null when nobody is logged in. May reject with Problem
   * too-many-requests.
   */
  readonly authenticate: (request: Request, sender: Sender) => User | null | Promise<User | null>
  /** Whoever reaches the lake from this machine is the operator. Never for a site in production. */
  readonly openMode: boolean
}

/** Where a request came from, as far as it is known. */
export interface Sender {
  /** The address at the other end of the connection. */
  readonly address?: string | undefined
  /** The visitor's, as far as proxies between are trusted to tell it; whose guesses are counted. */
  readonly visitor?: string | undefined
}

export interface Access {
  /** Refuses pages of other sites, names that are not the lake's, and, in open mode, other machines. */
  admit(request: Request, sender: Sender): void
  /** Refuses whoever has guessed too often. */
  userOf(request: Request, sender: Sender): Promise<User | null>
  /** What lets a page at an allowed address read the answer. */
  corsHeaders(request: Request): Record<string, string>
}

/** Who the operator is where nobody logs in. */
const OPERATOR: User = { id: 'operator', name: 'Operator', email: 'operator@localhost' }

const LOOPBACK_NAMES: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

export function createAccess({ origin, allowedOrigins, authenticate, openMode }: AccessOptions): Access {
  const isAllowed = (asked: string) =>
    allowedOrigins.includes(asked) || asked === origin() || isSameMachine(asked, origin())

  /** A page elsewhere can have its own name lead to this machine; it cannot have ours. */
  function isOurName(host: string): boolean {
    if (!URL.canParse(`http://${host}`)) return false
    const { hostname } = new URL(`http://${host}`)
    if (LOOPBACK_NAMES.has(hostname)) return true
    return !openMode && [origin(), ...allowedOrigins].some(each => new URL(each).host === host)
  }

  function admit(request: Request, { address }: Sender): void {
    const { headers } = request
    const asking = headers.get('origin')
    if (asking !== null && !isAllowed(asking)) throw refusal(403, `Origin not allowed: ${asking}`)
    if (asking === null && isFromElsewhere(headers) && !isPicture(request))
      throw refusal(403, 'Requests from pages of other sites are not allowed')
    if (!isOurName(headers.get('host') ?? new URL(request.url).host))
      throw refusal(403, 'The local lake does not answer to this name')
    if (openMode && address !== undefined && !isLoopback(address))
      throw refusal(403, 'Without a login the local lake answers to this machine only')
  }

  async function userOf(request: Request, sender: Sender): Promise<User | null> {
    if (openMode) return OPERATOR
    try {
      return await authenticate(request, sender)
    } catch (error) {
      if (!isProblem(error) || error.code !== 'too-many-requests') throw error
      const { status, message, body } = refusal(429, 'Too many wrong tokens came from this address')
      throw new LakeError(status, message, body, { 'retry-after': `${error.details.retryAfterSeconds ?? 1}` })
    }
  }

  return {
    admit,
    userOf,
    corsHeaders(request) {
      const asking = request.headers.get('origin')
      if (asking === null || !isAllowed(asking)) return {}
      return {
        'access-control-allow-origin': asking,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': request.headers.get('access-control-request-headers') ?? '*',
        'access-control-allow-private-network': 'true',
        'access-control-expose-headers': 'X-Sanity-Shard',
        vary: 'Origin',
      }
    },
  }
}

/** A page at another port of this machine is of the same site to a browser, and as much a stranger. */
function isFromElsewhere(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site')
  return site === 'cross-site' || site === 'same-site'
}

/**
 * A page elsewhere may show a picture that is kept here, as from anywhere; it may not ask for anything else, whatever
 * it says that it wants it for.
 */
function isPicture({ method, headers, url }: Request): boolean {
  const isAsset = /^\/(?:images|files)\//.test(new URL(url).pathname)
  return isAsset && (method === 'GET' || method === 'HEAD') && headers.get('sec-fetch-dest') === 'image'
}

/** `localhost` and `127.0.0.1` are one site to their owner, though not to a browser. */
function isSameMachine(asked: string, own: string): boolean {
  if (!URL.canParse(asked)) return false
  const [one, other] = [new URL(asked), new URL(own)]
  const areLoopback = LOOPBACK_NAMES.has(one.hostname) && LOOPBACK_NAMES.has(other.hostname)
  return areLoopback && one.protocol === other.protocol && one.port === other.port
}

const isLoopback = (address: string): boolean =>
  address === '::1' || address.replace('::ffff:', '').startsWith('127.')
