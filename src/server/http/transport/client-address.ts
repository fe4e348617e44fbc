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
    // The hops stand from the nearest proxy outwards, up to the first that is not ours. What is no address is skipped.
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

/** A dual-stack socket writes IPv4 addresses as IPv6: both forms are the same visitor. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
