import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  type Compress,
  compressOnce,
  ENCODINGS,
  type Encoding,
  preferredEncoding,
} from '#server/http/transport/encodings.ts'
import { type HeaderPairs, withSecurity } from '#server/http/transport/security-headers.ts'

interface Variant {
  readonly headers: readonly string[]
  /** The headers of the 304 for a browser that has these bytes. */
  readonly notModified: readonly string[]
  readonly body: Buffer
}

/** A response made once and sent many times: bytes and headers ready in every coding. */
export interface Prepared {
  readonly variants: Readonly<Record<Encoding, Variant>>
  /** The part of the ETag that all codings share; undefined where caches may keep nothing. */
  readonly tag: string | undefined
}

/** A body with its content type in every coding; several prepared responses may share it. */
export interface Content {
  readonly type: string
  readonly digest: string
  readonly bodies: Readonly<Partial<Record<Encoding, Buffer>>>
  /** Are the codings of a lower effort, to be replaced by smaller ones? Their bytes differ, and so do their ETags. */
  readonly isQuick?: boolean
}

/** @param compress makes the codings in another way, such as from a cache */
export async function makeContent(
  bytes: Buffer,
  type: string,
  compress: Compress = compressOnce,
): Promise<Content> {
  const digest = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  return { type, digest, bodies: await compress(bytes, type) }
}

/** Writes the headers of each coding once, so that sending takes one look-up and two writes. */
export function prepare(
  content: Content,
  {
    cacheControl,
    policy,
    headers = [],
    vary = 'Accept-Encoding',
  }: { cacheControl: string; policy?: string; headers?: HeaderPairs; vary?: string },
): Prepared {
  const effort = content.isQuick ? '-quick' : ''
  const tag = cacheControl.includes('no-store') ? undefined : content.digest
  const shared: HeaderPairs = [['Cache-Control', cacheControl], ['Vary', vary], ...headers]
  const variants = Object.fromEntries(
    ENCODINGS.map(asked => {
      const encoding = content.bodies[asked] ? asked : 'identity'
      const body = content.bodies[encoding] ?? Buffer.alloc(0)
      const tagged: HeaderPairs =
        tag === undefined ? shared : [['ETag', `"${tag}-${encoding}${effort}"`], ...shared]
      const own: HeaderPairs = [
        ['Content-Type', content.type],
        ['Content-Length', String(body.length)],
        ...(encoding === 'identity' ? [] : [['Content-Encoding', encoding] as const]),
        ...tagged,
      ]
      return [asked, { headers: withSecurity(own, policy), notModified: withSecurity(tagged, policy), body }]
    }),
  ) as unknown as Record<Encoding, Variant>
  return { variants, tag }
}

/**
 * Answers a GET or HEAD with prepared bytes, or 304 when the browser has them.
 * @param extra flat further headers (a cookie)
 * @param status of the answer; anything but 200 is never answered with 304
 */
export function sendPrepared(
  request: IncomingMessage,
  response: ServerResponse,
  prepared: Prepared,
  { extra, status = 200 }: { extra?: readonly string[]; status?: number } = {},
): void {
  const variant =
    prepared.variants[preferredEncoding(request.headers['accept-encoding'] as string | undefined)]
  const known = request.headers['if-none-match']
  if (known !== undefined && status === 200 && prepared.tag !== undefined && hasTag(known, prepared.tag)) {
    response.writeHead(304, joined(variant.notModified, extra))
    response.end()
    return
  }
  response.writeHead(status, joined(variant.headers, extra))
  if (request.method === 'HEAD') response.end()
  else response.end(variant.body)
}

const joined = (headers: readonly string[], extra: readonly string[] | undefined): string[] =>
  (extra ? [...headers, ...extra] : headers) as string[]

/** The ETag of any coding of the same bytes counts: a cache on the way may have changed the coding. */
function hasTag(ifNoneMatch: string, tag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some(candidate => candidate.trim().replace(/^W\//, '').startsWith(`"${tag}-`))
}
