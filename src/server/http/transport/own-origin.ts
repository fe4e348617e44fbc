import type { IncomingMessage } from 'node:http'

/** A name has 253 characters at most, and a port five digits. */
const LONGEST_HOST = 260
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Is a Host header this site's own name, or one of this machine's own? The local stand-ins answer to no other: a
 * stranger's page whose name was made to point here (DNS rebinding) would read the mails and pay with test cards.
 */
export function createOwnHost(site: URL): (host: string | undefined) => boolean {
  return host => {
    if (host === undefined || host.length > LONGEST_HOST || !URL.canParse(`http://${host}`)) return false
    return host.toLowerCase() === site.host || isLoopbackName(host)
  }
}

/** Is a Host header one of this machine's own names? */
export const isLoopbackName = (host: string): boolean =>
  host.length <= LONGEST_HOST &&
  URL.canParse(`http://${host}`) &&
  LOOPBACK.has(new URL(`http://${host}`).hostname)

/**
 * On a machine of one's own `localhost` and `127.0.0.1` are the same site, but not the same Origin: a browser that
 * uses the other name would have every call refused as foreign. Gives a function that writes the site's own origin
 * over such an Origin; for a site that visitors reach from elsewhere it does nothing.
 */
export function createOwnOrigin(site: URL): (request: IncomingMessage) => void {
  if (!LOOPBACK.has(site.hostname)) return () => {}
  const same = new Set([...LOOPBACK].map(name => new URL(`${site.protocol}//${name}:${site.port}`).origin))
  return ({ headers }) => {
    if (headers.origin !== undefined && same.has(headers.origin)) headers.origin = site.origin
  }
}
