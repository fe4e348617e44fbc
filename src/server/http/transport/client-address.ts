import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'

/** Tells who sent a request, believing forwarded headers only from proxies that are trusted. */
export type ClientAddress = (request: IncomingMessage) => string

/**
 * @param trustedProxies addresses or networks (`10.0.0.0/8`, `::1`)
 * @throws RangeError for an entry that is neither
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = new BlockList()
  for (const entry of trustedProxies) {
    const [address = '', bits] = entry.split('/')
    const family = isIP(address)
    if (family === 0) throw new RangeError(`TRUSTED_PROXIES: ${entry} is not an address`)
    const kind = family === 4 ? 'ipv4' : 'ipv6'
    if (bits === undefined) trusted.addAddress(address, kind)
    else trusted.addSubnet(address, Number(bits), kind)
  }
  const isTrusted = (address: string): boolean => {
    const family = isIP(address)
    return family !== 0 && trusted.check(address, family === 4 ? 'ipv4' : 'ipv6')
  }
  return request => {
    let address = plain(request.socket.remoteAddress ?? '')
    if (trustedProxies.length === 0 || !isTrusted(address)) return address
    const hops = String(request.headers['x-forwarded-for'] ?? '')
      .split(',')
      .map(hop => plain(hop.trim()))
    // From the nearest proxy outwards: the first hop that is not one of ours is the visitor.
    for (const hop of hops.reverse()) {
      if (isIP(hop) === 0) break
      address = hop
      if (!isTrusted(hop)) break
    }
    return address
  }
}

/** IPv4 written as IPv6 by a dual-stack socket is the same visitor. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
