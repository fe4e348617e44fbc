/** The part of `fetch` that a client of the lake uses. */
export type Fetch = (address: string | URL, init?: RequestInit) => Promise<Response>

export interface ListeningParts {
  /** Scheme, host and port of the lake. */
  readonly origin: string
  readonly fetch: Fetch
  readonly openSocket: (address: string) => WebSocket
  /** Resolves when a socket may be opened; rejects when the lake cannot be reached. */
  readonly beforeOpening: () => Promise<unknown>
}

/** What the lake says of one stream. */
interface Frame {
  readonly id: string
  readonly status?: number
  readonly chunk?: string
  readonly end?: true
}

interface Stream {
  readonly answer: (response: Response) => void
  readonly refuse: (error: Error) => void
  readonly body: ReadableStreamDefaultController<Uint8Array>
  readonly response: (status: number) => Response
}

const LISTENS = /\/data\/(?:listen|live\/events)\//
const encoder = new TextEncoder()

/**
 * A `fetch` that carries event streams over one WebSocket and hands everything else on. A browser opens six
 * connections to a host over HTTP/1.1, and one open document holds that many streams: the seventh request would
 * wait for ever. When the socket goes, all streams end, and each reconnects by itself as over HTTP.
 */
export function createSharedListening({ origin, fetch, openSocket, beforeOpening }: ListeningParts): Fetch {
  const streams = new Map<string, Stream>()
  let socket: Promise<WebSocket> | undefined
  let lastId = 0

  function connected(): Promise<WebSocket> {
    socket ??= connect()
    return socket
  }

  async function connect(): Promise<WebSocket> {
    try {
      await beforeOpening()
    } catch (error) {
      socket = undefined
      throw error
    }
    return new Promise<WebSocket>((resolve, reject) => {
      const opening = openSocket(`${origin.replace(/^http/, 'ws')}/local/listen`)
      opening.addEventListener('open', () => resolve(opening))
      opening.addEventListener('message', ({ data }) => receive(JSON.parse(String(data)) as Frame))
      opening.addEventListener('close', () => {
        socket = undefined
        reject(new TypeError('The connection for listening was lost'))
        for (const id of streams.keys()) end(id)
      })
    })
  }

  function receive({ id, status, chunk, end: isOver }: Frame): void {
    const stream = streams.get(id)
    if (!stream) return
    if (status !== undefined) stream.answer(stream.response(status))
    if (chunk !== undefined) stream.body.enqueue(encoder.encode(chunk))
    if (isOver) end(id)
  }

  /** An end before any answer is a failed request, as it would be over HTTP. */
  function end(id: string): void {
    const stream = streams.get(id)
    if (!streams.delete(id) || !stream) return
    stream.refuse(new TypeError('The connection for listening was lost'))
    stream.body.close()
  }

  async function listen(address: URL, init: RequestInit | undefined): Promise<Response> {
    const open = await connected()
    init?.signal?.throwIfAborted()
    const id = String(++lastId)
    const tell = (frame: object) => {
      if (open.readyState === open.OPEN) open.send(JSON.stringify(frame))
    }
    const forget = () => {
      if (streams.delete(id)) tell({ op: 'close', id })
    }
    return new Promise((answer, refuse) => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          const response = (status: number) =>
            new Response(status === 200 ? body : null, {
              status,
              headers: { 'content-type': 'text/event-stream' },
            })
          streams.set(id, { answer, refuse, body: controller, response })
          init?.signal?.addEventListener('abort', () => {
            if (!streams.has(id)) return
            forget()
            refuse(init.signal?.reason)
            controller.error(init.signal?.reason)
          })
        },
        cancel: forget,
      })
      const headers = Object.fromEntries(new Headers(init?.headers))
      tell({ op: 'open', id, url: address.href, headers })
    })
  }

  return (asked, init) => {
    const address = new URL(asked, origin)
    return address.origin === origin && LISTENS.test(address.pathname)
      ? listen(address, init)
      : fetch(asked, init)
  }
}
