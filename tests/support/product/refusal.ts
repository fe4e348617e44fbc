import { expect } from 'vitest'
import type { Answer } from './call.ts'

/** Something that no answer of the product holds by itself: sent along to see whether it comes back. */
export const MARK = 'zq7markzq7'

/** Headers of product.md#responses, on every response. */
const SECURITY_HEADERS: Readonly<Record<string, RegExp>> = {
  'content-security-policy': /^default-src 'none'(?!.*unsafe-)/,
  'strict-transport-security': /max-age=(31536000|[4-9]\d{7}|\d{9,})/,
  'x-content-type-options': /^nosniff$/,
  'referrer-policy': /^same-origin$/,
  'cross-origin-opener-policy': /^same-origin$/,
  'cross-origin-resource-policy': /^same-origin$/,
  'permissions-policy': /geolocation=\(\)/,
}

/** The one screen that may ask where somebody is (product.md#responses). */
const ASKS_FOR_POSITION = /\/intro\/choose-theme$/

export function expectSecurityHeaders({ headers }: Answer, of: string): void {
  const mayAsk = ASKS_FOR_POSITION.test(of) && { 'permissions-policy': /geolocation=\((self)?\)/ }
  for (const [name, pattern] of Object.entries({ ...SECURITY_HEADERS, ...mayAsk })) {
    expect(headers[name], `${name} of ${of}`).toMatch(pattern)
  }
}

/** Nothing that was sent comes back, in the body or in a header. */
export function expectNoEcho({ headers, text }: Answer, of: string, mark = MARK): void {
  expect(text.includes(mark) || JSON.stringify(headers).includes(mark), `an echo: ${of}`).toBe(false)
}

/**
 * A refusal as product.md#calls wants it: problem+json with a code, kept by nobody, telling nothing of what was sent.
 */
export function expectRefusal(answer: Answer, [status, code]: readonly [number, string], of: string): void {
  expect([answer.status, answer.text && answer.json().code], of).toEqual([status, code])
  expect(answer.headers['content-type'], of).toMatch(/^application\/problem\+json/)
  expect(answer.headers['cache-control'], of).toContain('no-store')
  const known = ['type', 'title', 'status', 'code', 'fields']
  expect(
    Object.keys(answer.json()).filter(name => !known.includes(name)),
    of,
  ).toEqual([])
  expect(answer.json().status, of).toBe(status)
  expectSecurityHeaders(answer, of)
  expectNoEcho(answer, of)
}

/** The paths of the refused fields. */
export const refusedFields = (answer: Answer): string[] =>
  ((answer.json().fields ?? []) as readonly { path: string }[]).map(({ path }) => path)
