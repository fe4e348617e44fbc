import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http'

/** A whole answer, as it came over the wire. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The body as JSON. @throws when it is none */
  json(): Record<string, unknown>
}

export interface CallOptions {
  readonly method?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string
  /** Sends the body in chunks, without saying how long it is. */
  readonly chunked?: boolean
  readonly agent?: Agent
}

/** What the connection says when it gives no answer. */
export interface LostCall extends NodeJS.ErrnoException {
  readonly onNewConnection?: boolean
}

const sharedAgent = new Agent({ keepAlive: true })

/**
 * One request with exactly these headers (a browser's fetch would add its own).
 * @throws what the connection throws (see LostCall), also when the answer is cut off midway
 */
export function call(url: string, options: CallOptions = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, body, chunked = false, agent = sharedAgent } = options
  return new Promise((resolve, reject) => {
    const length = body !== undefined && !chunked ? { 'Content-Length': Buffer.byteLength(body) } : {}
    const sent = request(url, { method, agent, headers: { ...length, ...headers } }, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('close', () => {
        if (!response.complete) return reject(new Error('the answer was cut off'))
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          json: () => JSON.parse(text) as Record<string, unknown>,
        })
      })
    })
    sent.on('error', error => reject(Object.assign(error, { onNewConnection: !sent.reusedSocket })))
    sent.end(body)
  })
}

/** A POST as the site's own pages send it. */
export function post(url: string, body: unknown, headers: OutgoingHttpHeaders = {}): Promise<Answer> {
  return call(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

/** The problem's code of a refusal, or `status` alone when everything went well. */
export function outcomeOf(answer: Answer): string {
  return answer.status < 300 ? String(answer.status) : `${answer.status} ${String(answer.json().code)}`
}
