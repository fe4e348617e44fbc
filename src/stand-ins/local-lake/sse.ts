/** One event as it goes over the wire. */
export interface SentEvent {
  readonly event: string
  readonly id?: string
  readonly data: unknown
}

export interface EventStream {
  readonly response: Response
  send(event: SentEvent): void
  end(): void
}

const KEEP_ALIVE_MS = 15_000

/** Events that nobody fetches pile up in memory: such a listener is sent away, and comes back by itself. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024

/**
 * An answer that stays open.
 * @param onEnd called once, whoever ends it
 * @param lastsMs the longest that it may last: the rest of the asker's session
 */
export function openEventStream(onEnd: () => void, lastsMs?: number): EventStream {
  const encoder = new TextEncoder()
  let ended = false
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const write = (text: string) => {
    if (ended) return
    controller?.enqueue(encoder.encode(text))
    if ((controller?.desiredSize ?? 0) < -MOST_WAITING_BYTES) finish(true)
  }
  const keepAlive = setInterval(() => write(':\n\n'), KEEP_ALIVE_MS)
  keepAlive.unref()
  const last = lastsMs === undefined ? undefined : setTimeout(() => finish(true), lastsMs)
  last?.unref()

  function finish(close: boolean): void {
    if (ended) return
    ended = true
    clearInterval(keepAlive)
    clearTimeout(last)
    if (close) controller?.close()
    onEnd()
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start: given => {
        controller = given
      },
      cancel: () => finish(false),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  )
  const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' }
  write(':\n\n')
  return {
    response: new Response(body, { headers }),
    send: ({ event, id, data }) =>
      write(`event: ${event}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`),
    end: () => finish(true),
  }
}
