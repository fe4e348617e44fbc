import { resolve4, resolve6, resolveTxt } from 'node:dns/promises'
import { connect } from 'node:tls'
import { TIMEOUT_MS } from './finding.ts'

/** How the world is asked. */
export interface Outside {
  /** Follows no redirect. @throws where nobody answers in time */
  fetch(url: string, headers?: Readonly<Record<string, string>>): Promise<Response>
  /** The texts that the name service has under a name; none where it knows none. */
  texts(name: string): Promise<readonly string[]>
  /** The addresses of a host; none where nobody knows it. */
  addresses(host: string): Promise<readonly string[]>
  /** The certificate that a host shows, and whether it speaks HTTP/2. @throws where it is not trusted */
  certificate(host: string, port: number): Promise<{ readonly endsAt: number; readonly speaksHttp2: boolean }>
}

export const realOutside: Outside = {
  fetch: (url, headers = {}) =>
    fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) }),
  texts: name =>
    resolveTxt(name).then(
      found => found.map(parts => parts.join('')),
      () => [],
    ),
  async addresses(host) {
    const found = await Promise.allSettled([resolve4(host), resolve6(host)])
    return found.flatMap(each => (each.status === 'fulfilled' ? each.value : []))
  },
  certificate: (host, port) =>
    new Promise((settle, fail) => {
      const socket = connect({
        host,
        port,
        servername: host,
        ALPNProtocols: ['h2', 'http/1.1'],
        timeout: TIMEOUT_MS,
      })
      socket.once('secureConnect', () => {
        const endsAt = Date.parse(socket.getPeerCertificate().valid_to)
        settle({ endsAt, speaksHttp2: socket.alpnProtocol === 'h2' })
        socket.end()
      })
      socket.once('timeout', () =>
        socket.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })),
      )
      socket.once('error', fail)
    }),
}
