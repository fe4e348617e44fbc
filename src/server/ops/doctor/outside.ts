import { resolve4, resolve6, resolveTxt } from 'node:dns/promises'
import { lookAtCertificate, type SeenCertificate } from '#server/platform/certificate.ts'
import { TIMEOUT_MS } from './finding.ts'

/** How the doctor asks services outside this machine. */
export interface Outside {
  /** Sends an HTTP request and follows no redirect. @throws where no answer comes in time */
  fetch(url: string, headers?: Readonly<Record<string, string>>): Promise<Response>
  /** The TXT records of a name; an empty list where there are none. */
  texts(name: string): Promise<readonly string[]>
  /** The addresses of a host; an empty list where DNS has none. */
  addresses(host: string): Promise<readonly string[]>
  /** A host's certificate, and whether the host speaks HTTP/2. @throws where the certificate is not trusted */
  certificate(host: string, port: number): Promise<SeenCertificate>
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
  certificate: (host, port) => lookAtCertificate(host, port, TIMEOUT_MS),
}
