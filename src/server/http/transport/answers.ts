import { type ServerResponse, STATUS_CODES } from 'node:http'
import { PROBLEMS, type ProblemCode } from '#domain/problems.ts'
import { type HeaderPairs, STRICT_POLICY, withSecurity } from './security-headers.ts'

/** The short answers of the front itself: problems, redirects, refusals. All carry the security headers. */

export interface Answer {
  readonly status: number
  readonly headers?: HeaderPairs
  readonly policy?: string
  readonly body?: Buffer | string
}

/** Sends an answer that is made for this request; a HEAD gets its headers only. */
export function sendAnswer(
  response: ServerResponse,
  { status, headers = [], policy = STRICT_POLICY, body }: Answer,
): void {
  const bytes = body === undefined ? undefined : Buffer.from(body as string)
  const length: HeaderPairs =
    status === 204 || status === 304 ? [] : [['Content-Length', String(bytes?.length ?? 0)]]
  response.writeHead(status, withSecurity([...headers, ...length], policy))
  response.end(response.req.method === 'HEAD' ? undefined : bytes)
}

/** A problem of the product as `application/problem+json` (product.md#calls). */
export function problemAnswer(code: ProblemCode, headers: HeaderPairs = []): Answer {
  const status = PROBLEMS[code]
  return {
    status,
    headers: [
      ['Content-Type', 'application/problem+json; charset=utf-8'],
      ['Cache-Control', 'no-store'],
      ...headers,
    ],
    body: JSON.stringify({ type: 'about:blank', title: STATUS_CODES[status], status, code }),
  }
}

/** An answer of plain text that nobody keeps. */
export function textAnswer(status: number, text: string, headers: HeaderPairs = []): Answer {
  return {
    status,
    headers: [['Content-Type', 'text/plain; charset=utf-8'], ['Cache-Control', 'no-store'], ...headers],
    body: `${text}\n`,
  }
}

/** 302, never kept: tomorrow the same path may be a page. */
export function redirectAnswer(to: string, headers: HeaderPairs = []): Answer {
  return { status: 302, headers: [['Location', to], ['Cache-Control', 'private, no-store'], ...headers] }
}
