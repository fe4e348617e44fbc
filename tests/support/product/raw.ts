import { connect } from 'node:net'

/** One answer among those of a connection. */
export interface RawAnswer {
  readonly status: number
  readonly head: string
  readonly body: string
}

const TIMEOUT_MS = 10_000

/**
 * Sends these bytes in one write, and gives everything that comes back until the server closes the connection or
 * `answers` whole answers have come.
 */
export function sendRaw(
  port: number,
  bytes: string | Buffer,
  answers = Number.POSITIVE_INFINITY,
): Promise<RawAnswer[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let said = Buffer.alloc(0)
    const end = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answersIn(said))
    }
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`The connection stays open after: ${said.toString('latin1').slice(0, 300)}`))
    }, TIMEOUT_MS)
    socket.on('data', chunk => {
      said = Buffer.concat([said, chunk])
      if (answersIn(said).length >= answers) end()
    })
    socket.on('close', end)
    // Whoever is refused while still sending may hear of it in this way too.
    socket.on('error', () => {})
    socket.write(bytes)
  })
}

/** Whole answers at the beginning of what was said; each tells its length, as ours do. */
function answersIn(said: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let rest = said; rest.length > 0; ) {
    const split = rest.indexOf('\r\n\r\n')
    if (split < 0) return answers
    const head = rest.subarray(0, split).toString('latin1')
    const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1])
    const length = status === 100 ? 0 : Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
    const body = rest.subarray(split + 4, split + 4 + length)
    if (body.length < length) return answers
    answers.push({ status, head, body: body.toString('utf8') })
    rest = rest.subarray(split + 4 + length)
  }
  return answers
}

/** The text of a request: lines of its head, and a body. */
export const rawRequest = (lines: readonly string[], body = ''): string =>
  `${lines.join('\r\n')}\r\n\r\n${body}`

/** A POST of JSON as it goes over the line, on a connection that is kept. */
export function rawPost(path: string, value: unknown): string {
  const body = JSON.stringify(value)
  const length = Buffer.byteLength(body)
  return rawRequest(
    [
      `POST ${path} HTTP/1.1`,
      'Host: localhost',
      'Content-Type: application/json',
      `Content-Length: ${length}`,
    ],
    body,
  )
}
