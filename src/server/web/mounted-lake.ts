import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { headersOf, type Room } from './local-handlers.ts'
import type { Gate } from './stand-ins.ts'

/** What the front needs of a local Content Lake. */
export interface LakeDoors {
  fetch(request: Request, sender: { readonly address?: string | undefined }): Promise<Response>
  handlesPath(pathname: string): boolean
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  endStreams(): void
}

/** Takes connections over for good. */
export interface Sockets {
  matches(pathname: string): boolean
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

export interface MountedLake {
  readonly room: Room
  readonly sockets: Sockets
  /** Ends every stream and opens none any more, so that the server can stop. */
  endStreams(): void
}

const STREAMS = /^\/[^/]+\/data\/(?:listen|live)\//

/** Makes a room of a lake, and puts its sockets behind the gate that rooms stand behind. */
export function mountLake(lake: LakeDoors, gate: Gate): MountedLake {
  let ending = false
  return {
    room: {
      audience: 'studio',
      ownLimits: true,
      matches: lake.handlesPath,
      async handle(request, { address }) {
        if (ending && STREAMS.test(new URL(request.url).pathname))
          return new Response(null, { status: 503, headers: { 'retry-after': '1' } })
        return lake.fetch(request, { address })
      },
    },
    sockets: {
      matches: lake.handlesPath,
      upgrade(request, socket, head) {
        // The other end may go away while it is looked up who it is.
        const forget = () => socket.destroy()
        socket.once('error', forget)
        const address = request.socket.remoteAddress
        const sender = { address, visitor: address ?? '' }
        gate.admit('studio', headersOf(request), sender).then(admission => {
          socket.off('error', forget)
          if (ending || admission !== 'welcome') refuse(socket)
          else lake.upgrade(request, socket, head)
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
