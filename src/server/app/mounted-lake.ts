import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ClientAddress } from '#server/http/transport/client-address.ts'
import { headersOf, type Mount, type Sender, type Sockets } from '#server/http/transport/mounts.ts'
import type { Gate } from './stand-ins-gate.ts'

/** What the front needs of a local Content Lake. */
export interface LakeDoors {
  fetch(request: Request, sender: Sender): Promise<Response>
  handlesPath(pathname: string): boolean
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, sender: Sender): void
  endStreams(): void
}

export interface MountedLake {
  readonly mount: Mount
  readonly sockets: Sockets
  /** Ends every stream and opens none any more, so that the server can stop. */
  endStreams(): void
}

const STREAMS = /^\/[^/]+\/data\/(?:listen|live)\//

/**
 * Makes a mount of a lake, and puts its sockets behind the gate that mounts stand behind.
 * @param clientAddress gives the visitor's address of a socket; for requests the front tells it to mounts
 */
export function mountLake(lake: LakeDoors, gate: Gate, clientAddress: ClientAddress): MountedLake {
  let ending = false
  return {
    mount: {
      audience: 'studio',
      ownLimits: true,
      matches: lake.handlesPath,
      async handle(request, sender) {
        if (ending && STREAMS.test(new URL(request.url).pathname))
          return new Response(null, { status: 503, headers: { 'retry-after': '1' } })
        return lake.fetch(request, sender)
      },
    },
    sockets: {
      matches: lake.handlesPath,
      upgrade(request, socket, head) {
        // The client may go away while the gate checks who it is.
        const forget = () => socket.destroy()
        socket.once('error', forget)
        const sender = { address: request.socket.remoteAddress, visitor: clientAddress(request) }
        gate.admit('studio', headersOf(request), sender).then(admission => {
          socket.off('error', forget)
          if (ending || admission !== 'welcome') refuse(socket)
          else lake.upgrade(request, socket, head, sender)
        }, forget)
      },
    },
    endStreams() {
      ending = true
      lake.endStreams()
    },
  }
}

function refuse(socket: Duplex): void {
  socket.once('error', () => socket.destroy())
  socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
}
