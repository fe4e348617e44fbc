import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { isForwarded } from '#server/operator/operator.ts'
import { type ExtraHandler, headersOf, type Sender } from './local-handlers.ts'

/** What the front needs of a local Content Lake. */
export interface LakeDoors {
  fetch(request: Request, sender: Sender): Promise<Response>
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
  readonly handler: ExtraHandler
  readonly sockets: Sockets
  /** Ends every stream and opens none any more, so that the server can stop. */
  endStreams(): void
}

/** No address of this machine: in open mode the lake turns away who comes from it. */
const ELSEWHERE = 'forwarded'

const STREAMS = /^\/[^/]+\/data\/(?:listen|live)\//

/**
 * Puts a lake's HTTP and its sockets behind the site's front.
 * @param openMode whoever reaches it from this machine is the operator; what a proxy hands on comes from elsewhere
 */
export function mountLake(lake: LakeDoors, { openMode }: { openMode: boolean }): MountedLake {
  let ending = false
  return {
    handler: {
      ownLimits: true,
      matches: lake.handlesPath,
      async handle(request, { address }) {
        if (ending && STREAMS.test(new URL(request.url).pathname))
          return new Response(null, { status: 503, headers: { 'retry-after': '1' } })
        return lake.fetch(request, { address: isForwarded(request.headers) ? ELSEWHERE : address })
      },
    },
    sockets: {
      matches: lake.handlesPath,
      upgrade(request, socket, head) {
        if (ending || (openMode && isForwarded(headersOf(request)))) refuse(socket)
        else lake.upgrade(request, socket, head)
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
