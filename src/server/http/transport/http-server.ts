import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import type { Sockets } from './mounts.ts'
import { endWhenSlow, REQUEST_TIMEOUTS, type RequestTimeouts } from './request-timeouts.ts'
import { withSecurity } from './security-headers.ts'

/** A listening server and the one way to end it. */
export interface HttpServer {
  /** The port it listens on. */
  readonly port: number
  /**
   * Takes no new connection from now on, and resolves when every request in flight is answered. Open connections get
   * `graceMs` to send a request that is under way; its answer says `Connection: close`. Idle connections are then
   * ended. The code that opened a stream or a socket must end it.
   */
  stop(graceMs: number): Promise<void>
}

const OPTIONS = {
  /** For the request line and the headers. */
  headersTimeout: 10_000,
  // The body has limits of its own: see request-timeouts.ts.
  requestTimeout: 0,
  /** Longer than common proxies keep idle connections, so that they close first. */
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
  // A request without a body counts as read to its end at once. Otherwise Node runs an empty stream through all of its
  // events, which takes a seventh of the processor time of a published page.
  optimizeEmptyRequests: true,
  // It is refused below, since Node's own refusal lacks the security headers.
  requireHostHeader: false,
} as const

/**
 * So many connections may wait for a busy process to take them. The system loses those beyond without a word, and their
 * visitors try again after one second, three and seven; Node's own 511 are too few for an evening on which many come at once.
 */
const MOST_WAITING_CONNECTIONS = 4_096

/** Starts listening. Requests that Node itself refuses are answered with the security headers as well. */
export async function listen(
  listener: RequestListener,
  {
    port,
    host,
    sockets,
    takesUploads = () => false,
    timeouts = REQUEST_TIMEOUTS,
  }: {
    port: number
    host: string
    sockets?: Sockets | undefined
    takesUploads?: (pathname: string) => boolean
    timeouts?: RequestTimeouts
  },
): Promise<HttpServer> {
  const inFlight = new Set<ServerResponse>()
  let stopping = false
  // Every other request for an upgrade is answered in HTTP/1.1.
  const shouldUpgradeCallback = ({ url = '/' }: IncomingMessage) => sockets?.matches(pathOf(url)) ?? false
  const server = createServer({ ...OPTIONS, shouldUpgradeCallback }, (request, response) => {
    if (stopping) response.shouldKeepAlive = false
    inFlight.add(response)
    response.once('close', () => inFlight.delete(response))
    const isUpload = takesUploads(pathOf(request.url ?? '/'))
    endWhenSlow(request, response, {
      timeouts,
      mayGoOn: () => isUpload && !stopping,
      refuse: () => refuse(response, 408),
    })
    const hosts = hostsIn(request.rawHeaders)
    if (hosts > 1 || (hosts === 0 && request.httpVersion !== '1.0')) refuse(response, 400)
    else listener(request, response)
  })
  if (sockets) server.on('upgrade', sockets.upgrade)
  let accepted = 0
  const connections = new Set<Socket>()
  server.on('connection', socket => {
    accepted++
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  answerRefusals(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: MOST_WAITING_CONNECTIONS }, resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    async stop(graceMs) {
      stopping = true
      for (const response of inFlight) if (!response.headersSent) response.shouldKeepAlive = false
      await drainAcceptQueue(() => accepted)
      // The HTTP server's own `close` would cut off connections whose next request is on its way.
      const closed = new Promise<void>(
        resolve => void NetServer.prototype.close.call(server, () => resolve()),
      )
      await new Promise(resolve => setTimeout(resolve, graceMs))
      // Browsers connect ahead of time. Node does not call an unused connection idle, and would wait for it.
      for (const socket of connections) if (socket.bytesRead === 0) socket.destroy()
      // Connections that are still busy are ended when they become idle.
      const sweep = setInterval(() => server.closeIdleConnections(), 50)
      server.closeIdleConnections()
      await closed
      clearInterval(sweep)
    },
  }
}

const pathOf = (target: string): string => target.split('?', 1)[0] ?? ''

/**
 * Accepts every connection that is in the system's queue by now, since closing the server would break them off. Each
 * turn of the event loop accepts one. The first turn may be half over, so two turns without one mean an empty queue.
 */
async function drainAcceptQueue(accepted: () => number): Promise<void> {
  for (let quiet = 0, turns = 0; quiet < 2 && turns < MOST_WAITING_CONNECTIONS; turns++) {
    const before = accepted()
    await new Promise(resolve => setImmediate(resolve))
    quiet = accepted() === before ? quiet + 1 : 0
  }
}

const REFUSALS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

const REFUSAL_HEADERS = withSecurity([
  ['Connection', 'close'],
  ['Content-Length', '0'],
])

/** The number of Host headers. Node shows only the first, and a proxy may have decided by another one. */
function hostsIn(rawHeaders: readonly string[]): number {
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') count++
  }
  return count
}

function refuse(response: ServerResponse, status: number): void {
  response.writeHead(status, REFUSAL_HEADERS).end()
}

function answerRefusals(server: Server): void {
  server.on('checkExpectation', (_request, response: ServerResponse) => refuse(response, 417))
  const lines = REFUSAL_HEADERS.reduce(
    (text, part, index) => text + part + (index % 2 === 0 ? ': ' : '\r\n'),
    '',
  )
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    socket.end(`HTTP/1.1 ${REFUSALS[error.code ?? ''] ?? '400 Bad Request'}\r\n${lines}\r\n`)
  })
}
