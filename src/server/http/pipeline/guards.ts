import { Problem } from '#domain/problems.ts'

/**
 * Refuses a request that another site made a visitor's browser send: Problem `foreign-origin`. A request without an
 * Origin is accepted, since programs and some privacy tools send none (product.md#calls). `siteUrl` is the configured
 * site, never the Host header.
 */
export function checkOrigin(headers: Pick<Headers, 'get'>, siteUrl: string): void {
  const origin = headers.get('Origin')
  const isForeign = origin !== null && origin !== new URL(siteUrl).origin
  if (isForeign || headers.get('Sec-Fetch-Site') === 'cross-site') throw new Problem('foreign-origin')
}

const TYPES = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  upload: 'multipart/form-data',
} as const

/** Refuses a body that does not say it is of this type: Problem `unsupported-content-type`. */
export function checkType(headers: Pick<Headers, 'get'>, type: keyof typeof TYPES): void {
  const said = headers.get('Content-Type')?.split(';')[0]?.trim().toLowerCase()
  if (said !== TYPES[type]) throw new Problem('unsupported-content-type')
}

const ATTEMPT_KEY = /^[\x21-\x7e]{16,200}$/

/** Has this text the form of an idempotency key of a browser? */
export function isAttemptKey(text: string): boolean {
  return ATTEMPT_KEY.test(text)
}

/**
 * The idempotency key of one press, undefined where the browser sent none. A key that is too short could be somebody
 * else's as well: Problem `invalid-fields`.
 */
export function readAttemptKey(headers: Headers): string | undefined {
  const key = headers.get('Idempotency-Key')
  if (key === null) return undefined
  if (isAttemptKey(key)) return key
  throw new Problem('invalid-fields', { fields: [{ path: 'Idempotency-Key', rule: 'shape' }] })
}
