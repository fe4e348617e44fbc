import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  compressFast,
  type Encoding,
  isCompressible,
  preferredEncoding,
  WORTH_COMPRESSING_BYTES,
} from '#server/http/transport/encodings.ts'
import {
  SECURITY_HEADER_NAMES,
  STRICT_POLICY,
  withSecurity,
} from '#server/http/transport/security-headers.ts'
import type { Rendered } from './astro-handler.ts'
import { pagePolicy } from './page-policy.ts'

/** Headers that the front writes itself. */
const OURS: ReadonlySet<string> = new Set([
  ...SECURITY_HEADER_NAMES,
  'content-length',
  'content-encoding',
  'vary',
  'x-robots-tag',
  'transfer-encoding',
  'connection',
])

/** The coding of what is made for this visitor. */
export const codingFor = ({ headers }: IncomingMessage): Encoding =>
  preferredEncoding(headers['accept-encoding'] as string | undefined)

/**
 * What a page says that answers a form and holds no key: the visitor's own browser shows it again on Back, where it would
 * else say that the page is gone.
 */
const BACK_SHOWS_IT = 'private, no-cache'

/**
 * Sends what Astro rendered for one visitor: never kept anywhere, unless the page says that Back may show it; compressed,
 * with the security headers.
 * @param page a receiver's page, which search engines must not list
 */
export function sendRendered(
  request: IncomingMessage,
  response: ServerResponse,
  rendered: Rendered,
  { page, cookie }: { page: boolean; cookie?: string },
): void {
  const type = String(rendered.headers['content-type'] ?? '')
  const headers: [string, string][] = []
  for (const [name, value] of Object.entries(rendered.headers)) {
    const lower = name.toLowerCase()
    if (value === undefined || OURS.has(lower) || lower === 'cache-control') continue
    // Astro leaves a page's encoding to the page.
    const isBareHtml = lower === 'content-type' && value === 'text/html'
    for (const each of isBareHtml ? ['text/html; charset=utf-8'] : [value].flat())
      headers.push([name, String(each)])
  }
  const mayComeBack = rendered.headers['cache-control'] === BACK_SHOWS_IT
  headers.push(
    ['Cache-Control', mayComeBack ? BACK_SHOWS_IT : 'private, no-store'],
    ['Vary', 'Accept-Encoding'],
  )
  if (page || type === 'application/pdf') headers.push(['X-Robots-Tag', 'noindex'])
  if (cookie !== undefined) headers.push(['Set-Cookie', cookie])

  const { body, encoding } = encoded(rendered, type, codingFor(request))
  if (encoding !== 'identity') headers.push(['Content-Encoding', encoding])
  if (rendered.status !== 204 && rendered.status !== 304)
    headers.push(['Content-Length', String(body.length)])
  const policy = rendered.policy ?? (type.startsWith('text/html') ? pagePolicy(rendered) : STRICT_POLICY)
  response.writeHead(rendered.status, withSecurity(headers, policy))
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** The body in this coding, kept or made now; uncompressed where compression would not pay. */
function encoded(
  rendered: Rendered,
  type: string,
  encoding: Encoding,
): { readonly body: Buffer; readonly encoding: Encoding } {
  if (rendered.packed) return { body: rendered.packed, encoding }
  const { body } = rendered
  if (body.length < WORTH_COMPRESSING_BYTES || !isCompressible(type)) return { body, encoding: 'identity' }
  return { body: compressFast(body, encoding), encoding }
}
