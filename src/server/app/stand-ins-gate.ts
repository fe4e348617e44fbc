import { isProblem } from '#domain/problems.ts'
import type { Audience, Mount, MountedHandler, Sender } from '#server/http/transport/mounts.ts'
import { createOwnHost, isLoopbackName } from '#server/http/transport/own-origin.ts'
import type { Operator } from '#server/modules/operator/interface.ts'
import { isForwarded, isThisMachine } from '#server/modules/operator/login.ts'

/** `welcome` where a request may come in; otherwise the reason why not. */
export type Admission = 'welcome' | 'wrong-name' | 'another-page' | 'another-machine' | 'not-logged-in'

export interface Gate {
  /** Rejects with Problem too-many-requests after too many wrong tokens. */
  admit(audience: Audience, headers: Headers, sender: Sender): Promise<Admission>
}

export interface GateParts {
  /** SITE_URL. */
  readonly site: URL
  readonly operator: Pick<Operator, 'login' | 'isOperator'>
  readonly production: boolean
  /** LOCAL_SERVICES=allow: the operator allows strangers to use the stand-ins for buyers. */
  readonly demonstration: boolean
}

/** Makes the rule of who reaches a local stand-in, by the Host header and the address of the connection. */
export function createGate({ site, operator, production, demonstration }: GateParts): Gate {
  const isOwnHost = createOwnHost(site)

  /** Is the sender at this machine? A request through a proxy comes from elsewhere, though its connection is local. */
  const isHere = (headers: Headers, { address = '' }: Sender): boolean =>
    isThisMachine(address) && !isForwarded(headers)

  /** Is the Host a name of this machine? A tunnel that adds no headers shows itself by its public name. */
  const isLocalName = (host: string): boolean =>
    isLoopbackName(host) || (site.hostname.endsWith('.localhost') && isOwnHost(host))

  return {
    async admit(audience, headers, sender) {
      if (audience === 'visitors') return 'welcome'
      const host = headers.get('host') ?? ''
      if (!isOwnHost(host)) return 'wrong-name'
      // The local lake itself checks which pages may ask, and allows a Studio at another port.
      if (audience !== 'studio' && isOfAnotherPage(headers)) return 'another-page'
      const isAtThisMachine = isHere(headers, sender)
      const isPrivate = isAtThisMachine && isLocalName(host)
      switch (audience) {
        case 'buyers':
          return isAtThisMachine || demonstration ? 'welcome' : 'another-machine'
        case 'studio':
          return isPrivate || operator.login !== 'open' ? 'welcome' : 'another-machine'
        case 'operator': {
          // In production, a proxy that adds no headers would make every visitor look local.
          if (isPrivate && !production) return 'welcome'
          if (operator.login === 'open') return 'another-machine'
          return (await operator.isOperator(headers, sender.visitor)) ? 'welcome' : 'not-logged-in'
        }
      }
    },
  }
}

/**
 * Does another site's page make this request, for a picture, a frame, a script or a call? A followed link is the
 * visitor's own act. For a browser a page at another port of this machine is of the same site; it is refused as well.
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

/** Puts mounts behind the gate. The front takes no other mounts. */
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
