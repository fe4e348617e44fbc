import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import proxyAddress from 'proxy-addr'

/** Tells who sent a request, believing forwarded headers only from proxies that are trusted. */
export type ClientAddress = (request: IncomingMessage) => string

/**
 * @param trustedProxies addresses or networks (`10.0.0.0/8`, `::1`)
 * @throws RangeError for an entry that is neither
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isTrusted = trusting(trustedProxies)
  return request => {
    if (trustedProxies.length === 0) return plain(request.socket.remoteAddress ?? '')
    // From the nearest proxy outwards, up to the first hop that is not one of ours. What is no address tells nothing.
    const hops = proxyAddress.all(request, isTrusted)
    return plain(hops.findLast(hop => isIP(hop) !== 0) ?? '')
  }
}

function trusting(proxies: readonly string[]): (address: string, hop: number) => boolean {
  try {
    return proxyAddress.compile([...proxies])
  } catch (error) {
    throw new RangeError(`TRUSTED_PROXIES: ${error instanceof Error ? error.message : error}`)
  }
}

/** IPv4 written as IPv6 by a dual-stack socket is the same visitor. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
