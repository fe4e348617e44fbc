import { STATUS_CODES } from 'node:http'
import { DEFAULT_LANGUAGE } from '#domain/languages.ts'
import type { Problem, ProblemCode } from '#domain/problems.ts'
import { getT } from '#i18n/index.ts'

/**
 * A failure as `application/problem+json` (RFC 9457): status, code, refused fields, and the address that links were
 * mailed to. It repeats nothing of what was sent. What no screen shows, but a partner's programmer reads, has its
 * sentence with it. `fieldWords` puts the wire's words into the fields' paths.
 */
export function problemResponse(
  { code, status, details }: Problem,
  fieldWords: Readonly<Record<string, string>> = {},
): Response {
  const fields = details.fields?.map(({ path, rule }) => ({
    path: path
      .split('.')
      .map(word => fieldWords[word] ?? word)
      .join('.'),
    rule,
  }))
  return new Response(
    JSON.stringify({
      type: 'about:blank',
      title: STATUS_CODES[status],
      status,
      code,
      ...(FOR_PROGRAMMERS.has(code) && { detail: getT(DEFAULT_LANGUAGE)(`problem-${code}`) }),
      ...(fields && { fields }),
      ...(details.maskedAddress !== undefined && { maskedAddress: details.maskedAddress }),
    }),
    {
      status,
      headers: {
        'Content-Type': 'application/problem+json',
        'Cache-Control': 'no-store',
        ...(details.retryAfterSeconds !== undefined && {
          'Retry-After': String(Math.max(1, Math.ceil(details.retryAfterSeconds))),
        }),
        ...challengeOf(code, details.scope),
      },
    },
  )
}

const INVALID = ', error="invalid_token"'
const FOR_PROGRAMMERS: ReadonlySet<ProblemCode> = new Set([
  'partner-key-missing',
  'partner-key-unknown',
  'partner-key-of-sandbox',
  'partner-key-of-real-site',
  'scope-missing',
  'idempotency-key-missing',
])

/** What a program may show to be let in (RFC 6750). */
function challengeOf(code: ProblemCode, scope: string | undefined): Readonly<Record<string, string>> {
  const said: Partial<Record<ProblemCode, string>> = {
    'partner-key-missing': '',
    'partner-key-unknown': INVALID,
    'partner-key-of-sandbox': INVALID,
    'partner-key-of-real-site': INVALID,
    'scope-missing': `, error="insufficient_scope", scope="${scope ?? ''}"`,
  }
  const more = said[code]
  return more === undefined ? {} : { 'WWW-Authenticate': `Bearer realm="partners"${more}` }
}
