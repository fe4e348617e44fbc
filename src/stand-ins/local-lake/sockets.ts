import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Access, Sender } from './access.ts'
import { notLoggedIn } from './account.ts'
import { LakeError, refusal } from './errors.ts'
import { carryStreams, type OpenStream } from './listen-socket.ts'
import { createPresence } from './presence.ts'

export interface Sockets {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, sender: Sender): Promise<void>
  close(): void
}

export const LISTEN_SOCKET_PATH = '/local/listen'
const PRESENCE = /^\/v(?:X|1|\d{4}-\d{2}-\d{2})\/socket\/(?<dataset>[^/]+)$/
const MOST_FRAME_BYTES = 256 * 1024
/** Each tab of the Studio opens two. */
const MOST_SOCKETS = 100

/** The lake's two sockets, behind the same doors as its HTTP. */
export function createSockets({
  access,
  dataset,
  origin,
  clock,
  newName,
  openStream,
}: {
  access: Access
  dataset: string
  origin: () => string
  clock: () => number
  newName: () => string
  openStream: OpenStream
}): Sockets {
  const server = new WebSocketServer({ noServer: true, maxPayload: MOST_FRAME_BYTES })
  const presence = createPresence(newName)

  async function upgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    sender: Sender,
  ): Promise<void> {
    // The other end may go away while its session is looked up.
    const forget = () => socket.destroy()
    socket.once('error', forget)
    try {
      const asked = requestOf(request, origin())
      access.admit(asked, sender)
      const { pathname } = new URL(asked.url)
      const presenceDataset = PRESENCE.exec(pathname)?.groups?.dataset
      if (pathname !== LISTEN_SOCKET_PATH && presenceDataset !== dataset)
        throw refusal(404, `No such socket: ${pathname}`)
      const user = await access.userOf(asked, sender)
      if (!user) throw notLoggedIn()
      if (server.clients.size >= MOST_SOCKETS) throw refusal(503, 'Too many sockets are open at once')
      server.handleUpgrade(request, socket, head, client => {
        if (presenceDataset === undefined) carryStreams(client, user, openStream, origin())
        else presence.join(client, user)
        if (user.until !== undefined) endAfter(user.until - clock(), client)
      })
      socket.off('error', forget)
    } catch (error) {
      refuse(socket, error)
    }
  }

  return {
    upgrade,
    close() {
      for (const client of server.clients) client.terminate()
    },
  }
}

/** A socket is asked who it is once, and must not outlive what it answered. */
function endAfter(ms: number, socket: WebSocket): void {
  const timer = setTimeout(() => socket.terminate(), ms)
  timer.unref()
  socket.once('close', () => clearTimeout(timer))
}

function requestOf({ url = '/', headers }: IncomingMessage, origin: string): Request {
  const own = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    for (const each of [value ?? []].flat()) own.append(name, each)
  }
  return new Request(new URL(url, origin), { headers: own })
}

function refuse(socket: Duplex, error: unknown): void {
  const { status, body, headers } =
    error instanceof LakeError ? error : refusal(500, 'The local lake could not open this socket')
  const text = JSON.stringify(body)
  const more = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(
    `HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n${more.join('')}\r\n${text}`,
  )
}
