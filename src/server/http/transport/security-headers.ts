/** Response headers as pairs, in the order they are sent. */
export type HeaderPairs = readonly (readonly [name: string, value: string])[]

/**
 * The policy of every answer that is not a page: it may load nothing, and only this site may frame it. Pages have
 * their policy from the build (`astro.config.mjs`), the Studio from `server/app/studio/policy.ts`.
 */
export const STRICT_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

/** The policy of the service worker: it may make requests to this site alone. */
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

/** The permissions of the one page that may ask for the visitor's position. */
export const POSITION_ALLOWED = permissions('(self)')

/**
 * A response's own headers together with the security headers, as the flat list that `writeHead` takes fastest.
 * A header of the response replaces the security header of the same name.
 * @param policy its Content-Security-Policy
 */
export function withSecurity(own: HeaderPairs, policy: string = STRICT_POLICY): string[] {
  const general = SECURITY_HEADERS.filter(([name]) => !own.some(([ownName]) => ownName === name))
  return [...own, ...general, ['Content-Security-Policy', policy] as const].flat()
}

/** The names (lower case) of the headers that `withSecurity` sets. Other layers leave these headers out. */
export const SECURITY_HEADER_NAMES: ReadonlySet<string> = new Set(
  [...SECURITY_HEADERS.map(([name]) => name), 'Content-Security-Policy'].map(name => name.toLowerCase()),
)
