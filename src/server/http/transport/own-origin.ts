import type { IncomingMessage } from 'node:http'

/** A name has 253 characters at most, and a port five digits. */
const LONGEST_HOST = 260
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Is a Host header this site's own name, or one of this machine's own? The local stand-ins answer to no other name:
 * otherwise another site could point its own name here (DNS rebinding), read the mails and pay with test cards.
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
 * Gives a function that replaces an Origin of another name of this machine by the site's own. `localhost` and
 * `127.0.0.1` are the same site on a local machine, but two Origins: without this, every call from a browser that uses
 * the other name would be refused as foreign. For a site that others reach the function changes nothing.
 */
export function createOwnOrigin(site: URL): (request: IncomingMessage) => void {
  if (!LOOPBACK.has(site.hostname)) return () => {}
  const same = new Set([...LOOPBACK].map(name => new URL(`${site.protocol}//${name}:${site.port}`).origin))
  return ({ headers }) => {
    if (headers.origin !== undefined && same.has(headers.origin)) headers.origin = site.origin
  }
}
