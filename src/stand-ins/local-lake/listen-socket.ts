import type { WebSocket } from 'ws'
import type { User } from './model.ts'

/** Opens a stream as if it had been asked for over HTTP, on behalf of a user. */
export type OpenStream = (request: Request, user: User) => Promise<Response>

/** How a page asks for a stream, or for its end. */
interface Frame {
  readonly op: 'open' | 'close'
  readonly id: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
}

const MOST_STREAMS = 200
/** What nobody fetches piles up in memory: such a page is sent away, and comes back by itself. */
export const MOST_WAITING_BYTES = 16 * 1024 * 1024
const LISTENS = /^\/v(?:X|1|\d{4}-\d{2}-\d{2})\/data\/(?:listen|live\/events)\//

/**
 * Carries any number of event streams over one socket: a browser gives a host six connections, and one document
 * in the Studio takes them all. Up: `{op:'open', id, url, headers}` and `{op:'close', id}`; down: `{id, status}`,
 * then `{id, chunk}` with the stream's text as it is, and `{id, end: true}`.
 */
export function carryStreams(socket: WebSocket, user: User, openStream: OpenStream, origin: string): void {
  const readers = new Map<string, ReadableStreamDefaultReader<Uint8Array>>()
  /** Streams that are asked for and not there yet. */
  const opening = new Set<string>()
  const send = (frame: object) => {
    if (socket.bufferedAmount > MOST_WAITING_BYTES) socket.terminate()
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(frame))
  }

  async function open({ id, url = '', headers = {} }: Frame): Promise<void> {
    const address = new URL(url, origin)
    const isThere = readers.has(id) || opening.has(id)
    if (isThere || readers.size + opening.size >= MOST_STREAMS || !LISTENS.test(address.pathname)) {
      return send({ id, status: 400, end: true })
    }
    const lastEventId = Object.entries(headers).find(([name]) => name.toLowerCase() === 'last-event-id')?.[1]
    const asked = new Request(new URL(address.pathname + address.search, origin), {
      headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
    })
    opening.add(id)
    const response = await openStream(asked, user).finally(() => opening.delete(id))
    const reader = response.body?.getReader()
    // Whoever asked may have gone while it was opened.
    if (socket.readyState !== socket.OPEN) return void reader?.cancel()
    send({ id, status: response.status })
    if (!reader) return send({ id, end: true })
    readers.set(id, reader)
    await pass(id, reader)
  }

  async function pass(id: string, reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      send({ id, chunk: decoder.decode(value, { stream: true }) })
    }
    readers.delete(id)
    send({ id, end: true })
  }

  function close(id: string): void {
    const reader = readers.get(id)
    readers.delete(id)
    void reader?.cancel()
  }

  socket.on('message', data => {
    const frame = parse(String(data))
    if (frame?.op === 'open') open(frame).catch(() => send({ id: frame.id, end: true }))
    else if (frame) close(frame.id)
  })
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    for (const id of readers.keys()) close(id)
  })
}

function parse(text: string): Frame | undefined {
  try {
    const frame = JSON.parse(text) as Partial<Frame>
    const isFrame = (frame.op === 'open' || frame.op === 'close') && typeof frame.id === 'string'
    return isFrame ? (frame as Frame) : undefined
  } catch {
    return undefined
  }
}
