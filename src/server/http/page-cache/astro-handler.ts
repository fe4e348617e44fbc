import { EventEmitter } from 'node:events'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import inject from 'light-my-request'

/** What `dist/server/entry.mjs` exports (adapter @astrojs/node, mode 'middleware'). */
export type AstroHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
  locals: object,
) => void | Promise<void>

/** A whole answer of Astro, before the front has put its headers on it. */
export interface Rendered {
  /** 404 with an empty body when no route matches. */
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: Buffer
  /** Astro has no route for this path. */
  readonly unmatched: boolean
  /** The page's Content-Security-Policy, where it was worked out before. */
  readonly policy?: string
  /** The body in the coding that was asked for, where it exists already. */
  readonly packed?: Buffer | undefined
}

/** Has Astro answer a request whose body was read before, and collects the answer instead of sending it. */
export function renderRequest(
  handler: AstroHandler,
  request: IncomingMessage,
  locals: object,
): Promise<Rendered> {
  return new Promise((resolve, reject) => {
    const sink = new Sink(request, resolve)
    const next = (error?: unknown): void =>
      error === undefined
        ? resolve({ status: 404, headers: {}, body: Buffer.alloc(0), unmatched: true })
        : reject(error)
    Promise.resolve(handler(request, sink as unknown as ServerResponse, next, locals)).catch(reject)
  })
}

/** Renders a path inside the process, without a connection: published pages and mails. */
export async function renderPath(handler: AstroHandler, path: string, locals: object): Promise<Rendered> {
  let unmatched = false
  const answer = await inject(
    (request, response) => {
      const next = (): void => {
        unmatched = true
        response.writeHead(404).end()
      }
      void handler(request, response, next, locals)
    },
    { method: 'GET', url: path },
  )
  return { status: answer.statusCode, headers: answer.headers, body: answer.rawPayload, unmatched }
}

/** Renders a path inside the process and gives its HTML. @throws when it does not come out whole */
export async function renderHtml(handler: AstroHandler, path: string, locals: object): Promise<string> {
  const { status, body } = await renderPath(handler, path, locals)
  if (status !== 200) throw new Error(`${path} could not be rendered: status ${status}`)
  return body.toString('utf8')
}

/** The part of a ServerResponse that Astro's adapter writes to. */
class Sink extends EventEmitter {
  statusCode = 200
  statusMessage = ''
  headersSent = false
  readonly req: IncomingMessage
  readonly #chunks: Buffer[] = []
  #headers: OutgoingHttpHeaders = {}
  readonly #done: (rendered: Rendered) => void

  constructor(request: IncomingMessage, done: (rendered: Rendered) => void) {
    super()
    this.req = request
    this.#done = done
  }

  writeHead(status: number, headers: OutgoingHttpHeaders | string = {}): this {
    this.statusCode = status
    if (typeof headers === 'object') this.#headers = headers
    this.headersSent = true
    return this
  }

  write(chunk: Uint8Array | string): boolean {
    // Nobody writes to these bytes again, so they are not copied.
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    this.#chunks.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    return true
  }

  end(chunk?: Uint8Array | string): this {
    if (chunk !== undefined) this.write(chunk)
    this.#finish()
    return this
  }

  /** A page that failed midway: nothing of it is sent. */
  destroy(): this {
    this.statusCode = 500
    this.#chunks.length = 0
    this.#finish()
    return this
  }

  #finish(): void {
    const [only, second] = this.#chunks
    this.#done({
      status: this.statusCode,
      headers: this.#headers,
      body: only !== undefined && second === undefined ? only : Buffer.concat(this.#chunks),
      unmatched: false,
    })
    this.emit('finish')
    this.emit('close')
  }
}
