import { STATUS_CODES } from 'node:http'
import type { Problem } from '#domain/problems.ts'

/**
 * A failure as `application/problem+json` (RFC 9457): status, code, refused fields, and the address that links were
 * mailed to. It repeats nothing of what was sent. `fieldWords` puts the wire's words into the fields' paths.
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
      },
    },
  )
}
