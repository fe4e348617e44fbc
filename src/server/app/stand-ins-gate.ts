import { isProblem } from '#domain/problems.ts'
import type { Audience, Mount, MountedHandler, Sender } from '#server/http/transport/mounts.ts'
import { createOwnHost, isLoopbackName } from '#server/http/transport/own-origin.ts'
import type { Operator } from '#server/modules/operator/interface.ts'
import { isForwarded, isThisMachine } from '#server/modules/operator/login.ts'

/** Whether a request may come in, or why not. */
export type Admission = 'welcome' | 'wrong-name' | 'another-page' | 'another-machine' | 'not-logged-in'

export interface Gate {
  /** Rejects with Problem too-many-requests for who has given too many wrong tokens. */
  admit(audience: Audience, headers: Headers, sender: Sender): Promise<Admission>
}

export interface GateParts {
  /** SITE_URL. */
  readonly site: URL
  readonly operator: Pick<Operator, 'login' | 'isOperator'>
  readonly production: boolean
  /** LOCAL_SERVICES=allow: the owner has said that strangers may use the stand-ins that are made for buyers. */
  readonly demonstration: boolean
}

/** The one rule of who reaches a local stand-in, by the Host header and by the address that the connection is from. */
export function createGate({ site, operator, production, demonstration }: GateParts): Gate {
  const isOwnHost = createOwnHost(site)

  /** Somebody at this machine. What a proxy hands on comes from elsewhere, although its connection is from here. */
  const isHere = (headers: Headers, { address = '' }: Sender): boolean =>
    isThisMachine(address) && !isForwarded(headers)

  /** And by a name of this machine: a tunnel that adds no headers brings the name that strangers know. */
  const isLocalName = (host: string): boolean =>
    isLoopbackName(host) || (site.hostname.endsWith('.localhost') && isOwnHost(host))

  return {
    async admit(audience, headers, sender) {
      if (audience === 'visitors') return 'welcome'
      const host = headers.get('host') ?? ''
      if (!isOwnHost(host)) return 'wrong-name'
      // The local content knows by itself which pages may ask, and lets a Studio at another port do it.
      if (audience !== 'studio' && isOfAnotherPage(headers)) return 'another-page'
      const isAtThisMachine = isHere(headers, sender)
      const isPrivate = isAtThisMachine && isLocalName(host)
      switch (audience) {
        case 'buyers':
          return isAtThisMachine || demonstration ? 'welcome' : 'another-machine'
        case 'studio':
          return isPrivate || operator.login !== 'open' ? 'welcome' : 'another-machine'
        case 'operator': {
          // In production a proxy that tells nobody that it is one would make every visitor somebody at this machine.
          if (isPrivate && !production) return 'welcome'
          if (operator.login === 'open') return 'another-machine'
          return (await operator.isOperator(headers, sender.visitor)) ? 'welcome' : 'not-logged-in'
        }
      }
    },
  }
}

/**
 * Does a page elsewhere ask for it as a part of itself (picture, frame, script, call)? A link that is followed is the
 * visitor's own doing. A page at another port of this machine is of the same site to a browser, and as much a stranger.
 */
function isOfAnotherPage(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site')
  return (site === 'cross-site' || site === 'same-site') && headers.get('sec-fetch-dest') !== 'document'
}

const REFUSALS: Readonly<Record<Exclude<Admission, 'welcome'>, { status: number; text: string }>> = {
  'wrong-name': { status: 404, text: 'Not found' },
  'another-page': { status: 403, text: 'This local stand-in is no part of another page.' },
  'another-machine': {
    status: 403,
    text: 'This local stand-in answers to browsers on its own machine only. See LOCAL_SERVICES and OPERATOR_TOKEN in .env.example.',
  },
  'not-logged-in': {
    status: 403,
    text: 'This local stand-in is for the operator: log in at /studio-login first (OPERATOR_TOKEN).',
  },
}

/** Puts mounts behind the gate. The front takes no others. */
export function mountAll(mounts: readonly Mount[], gate: Gate): MountedHandler[] {
  return mounts.map(({ audience, handle, ...mount }) => ({
    ...mount,
    audience,
    async handle(request, sender) {
      try {
        const admission = await gate.admit(audience, request.headers, sender)
        return admission === 'welcome' ? handle(request, sender) : refusal(REFUSALS[admission])
      } catch (error) {
        if (!isProblem(error) || error.code !== 'too-many-requests') throw error
        const text = 'Too many wrong tokens came from this address. Try again later.'
        return refusal({ status: 429, text }, { 'retry-after': `${error.details.retryAfterSeconds ?? 1}` })
      }
    },
  })) as MountedHandler[]
}

const refusal = (
  { status, text }: { status: number; text: string },
  headers: Readonly<Record<string, string>> = {},
): Response =>
  new Response(`${text}\n`, {
    status,
    headers: { ...headers, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  })
