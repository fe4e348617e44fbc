import { connect } from 'node:tls'

export interface SeenCertificate {
  /** Epoch ms UTC. */
  readonly endsAt: number
  readonly speaksHttp2: boolean
}

/**
 * A host's certificate, and whether the host speaks HTTP/2.
 * @throws where the certificate is not trusted, or no answer comes in time
 */
export function lookAtCertificate(host: string, port: number, timeoutMs: number): Promise<SeenCertificate> {
  return new Promise((settle, fail) => {
    const socket = connect({
      host,
      port,
      servername: host,
      ALPNProtocols: ['h2', 'http/1.1'],
      timeout: timeoutMs,
    })
    socket.once('secureConnect', () => {
      const endsAt = Date.parse(socket.getPeerCertificate().valid_to)
      settle({ endsAt, speaksHttp2: socket.alpnProtocol === 'h2' })
      socket.end()
    })
    socket.once('timeout', () => socket.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })))
    socket.once('error', fail)
  })
}
