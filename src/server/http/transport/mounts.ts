import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Duplex, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { streamedBody } from '#server/http/transport/request-body.ts'
import {
  type HeaderPairs,
  SECURITY_HEADER_NAMES,
  STRICT_POLICY,
  withSecurity,
} from '#server/http/transport/security-headers.ts'

/** Who sent a request. */
export interface Sender {
  /** The address at the other end of the connection, which may be a proxy's. */
  readonly address: string | undefined
  /** The visitor's address, as trusted proxies tell it. */
  readonly visitor: string
}

/**
 * Who may reach a mount. Each mount has to say it, so that no new stand-in is open to a network by mistake.
 * - `visitors`: a part of the site itself, for everybody under whatever name they write.
 * - `buyers`: the hosted test payment page. The buyer's browser is on this machine; others get it in a demonstration.
 * - `studio`: the local content. Where there is a login it asks for that itself; else only this machine reaches it.
 * - `operator`: whoever reads it could spend every card. Only this machine and the logged-in operator reach it.
 */
export type Audience = 'visitors' | 'buyers' | 'studio' | 'operator'

/** A mount with its own addresses beside the site's (hosted test payment page, mail inbox, local content). */
export interface Mount {
  /** Who may reach it: the gate lets nobody else in. */
  readonly audience: Audience
  matches(pathname: string): boolean
  /** Answers in the web's own shapes; its Content-Security-Policy is kept, the other security headers are ours. */
  handle(request: Request, sender: Sender): Promise<Response>
  /** The mount has limits of its own for addresses and bodies, and reads a body while it comes in. */
  readonly ownLimits?: true
}

/** Takes connections over for good. */
export interface Sockets {
  matches(pathname: string): boolean
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

declare const mounted: unique symbol

/** A mount behind the gate; only `mountAll` makes one. */
export interface MountedHandler extends Mount {
  readonly [mounted]: true
}

/**
 * Hands a request to a local handler and sends what it answers, as it comes.
 * @param body the body that was read before; without it the handler reads the body itself
 */
export async function answerLocally(
  handler: Pick<Mount, 'handle'>,
  {
    request,
    response,
    url,
    body,
    visitor = request.socket.remoteAddress ?? '',
  }: {
    request: IncomingMessage
    response: ServerResponse
    url: URL
    body?: Buffer
    /** The visitor's address, where it differs from the connection's. */
    visitor?: string
  },
): Promise<void> {
  const headers = headersOf(request)
  const method = request.method ?? 'GET'
  const bodiless = method === 'GET' || method === 'HEAD'
  const sent = bodiless ? {} : body ? { body: new Uint8Array(body) } : streamedBody(request)
  const sender = { address: request.socket.remoteAddress, visitor }
  const answer = await handler.handle(new Request(url, { method, headers, ...sent }), sender)
  // The receiver has gone meanwhile, which is no error.
  if (response.destroyed) return void (await answer.body?.cancel())

  const own: HeaderPairs = [...answer.headers].filter(([name]) => !SECURITY_HEADER_NAMES.has(name))
  response.writeHead(
    answer.status,
    withSecurity(own, answer.headers.get('content-security-policy') ?? STRICT_POLICY),
  )
  if (!answer.body || method === 'HEAD') {
    await answer.body?.cancel()
    response.end()
    return
  }
  // The headers go out now, so that the receiver sees the open stream: its first bytes may come much later.
  response.flushHeaders()
  const bytes = Readable.fromWeb(answer.body as import('node:stream/web').ReadableStream)
  await pipeline(bytes, response).catch((error: NodeJS.ErrnoException) => {
    // The receiver has gone. Every stream without an end ends in this way.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })
}

/** A request's headers in the web's own shape. */
export function headersOf(request: IncomingMessage): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    for (const each of [value ?? []].flat()) headers.append(name, each)
  }
  return headers
}
