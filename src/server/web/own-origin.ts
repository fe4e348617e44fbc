import type { IncomingMessage } from 'node:http'

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

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
