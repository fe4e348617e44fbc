import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type HeaderPairs, SECURITY_HEADER_NAMES, STRICT_POLICY, withSecurity } from './security-headers.ts'

/** A room with its own addresses beside the site's (hosted test payment page, mail inbox). */
export interface ExtraHandler {
  matches(pathname: string): boolean
  /** Answers in the web's own shapes; its Content-Security-Policy is kept, the other security headers are ours. */
  handle(request: Request): Promise<Response>
}

/** Hands a request, its body read, to a local handler and sends what it answers. */
export async function answerLocally(
  handler: ExtraHandler,
  {
    request,
    response,
    url,
    body,
  }: { request: IncomingMessage; response: ServerResponse; url: URL; body: Buffer },
): Promise<void> {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    for (const each of [value ?? []].flat()) headers.append(name, each)
  }
  const method = request.method ?? 'GET'
  const bodiless = method === 'GET' || method === 'HEAD'
  const answer = await handler.handle(
    new Request(url, { method, headers, ...(!bodiless && { body: new Uint8Array(body) }) }),
  )

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
  await pipeline(Readable.fromWeb(answer.body as import('node:stream/web').ReadableStream), response)
}
