/** Response headers as pairs, in the order they are sent. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[]

/**
 * The policy of everything that is not a page: nothing may load, nothing may frame it but ourselves. Pages have theirs from
 * the build (`astro.config.mjs`), the Studio from `server/app/studio/policy.ts`.
 */
export const STRICT_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

/** Of the service worker: it may ask this site for pages, and nobody else for anything. */
export const WORKER_POLICY = "default-src 'none'; connect-src 'self'"

const TWO_YEARS_SECONDS = 63_072_000

/** On every response without exception: errors, redirects and 304 as well (product.md#responses). */
const SECURITY_HEADERS: HeaderPairs = [
  ['Strict-Transport-Security', `max-age=${TWO_YEARS_SECONDS}; includeSubDomains`],
  ['X-Content-Type-Options', 'nosniff'],
  ['Referrer-Policy', 'same-origin'],
  ['Cross-Origin-Opener-Policy', 'same-origin'],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  permissions('()'),
]

function permissions(geolocation: '()' | '(self)'): readonly [string, string] {
  return [
    'Permissions-Policy',
    `accelerometer=(), camera=(), display-capture=(), geolocation=${geolocation}, gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), usb=()`,
  ]
}

/** For the one page that may ask where the visitor is. */
export const POSITION_ALLOWED = permissions('(self)')

/**
 * A response's own headers together with the security headers, flat as `writeHead` takes them fastest.
 * One that it has of its own stands instead of the general one.
 * @param policy its Content-Security-Policy
 */
export function withSecurity(own: HeaderPairs, policy: string = STRICT_POLICY): string[] {
  const general = SECURITY_HEADERS.filter(([name]) => !own.some(([ownName]) => ownName === name))
  return [...own, ...general, ['Content-Security-Policy', policy] as const].flat()
}

/** Names (lower case) that `withSecurity` sets, so that no layer beneath sets them a second time. */
export const SECURITY_HEADER_NAMES: ReadonlySet<string> = new Set(
  [...SECURITY_HEADERS.map(([name]) => name), 'Content-Security-Policy'].map(name => name.toLowerCase()),
)
