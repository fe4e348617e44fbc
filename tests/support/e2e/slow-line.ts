import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A document arrives in so many pieces, with a rest between them. */
const PIECES = 12
const REST_MS = 60

export interface SlowLine {
  readonly url: string
  stop(): void
}

/** The same site behind a line on which each document comes in pieces; everything else passes at once. */
export async function startSlowLine(target: string): Promise<SlowLine> {
  const server = createServer((request, response) => {
    const { accept = '', cookie = '' } = request.headers
    fetch(target + request.url, {
      headers: { accept, cookie, 'accept-encoding': 'identity' },
      redirect: 'manual',
    })
      .then(answer => pass(answer, response))
      .catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** What describes the connection and not the answer. */
const OF_CONNECTION = ['connection', 'content-length', 'keep-alive', 'transfer-encoding']

async function pass(answer: Response, response: ServerResponse): Promise<void> {
  const headers = [...answer.headers].filter(([name]) => !OF_CONNECTION.includes(name))
  response.writeHead(answer.status, headers.flat())
  const body = Buffer.from(await answer.arrayBuffer())
  const isDocument = answer.headers.get('content-type')?.startsWith('text/html') ?? false
  const size = isDocument ? Math.ceil(body.length / PIECES) : body.length
  for (let at = 0; at < body.length; at += size) {
    response.write(body.subarray(at, at + size))
    if (isDocument) await pause(REST_MS)
  }
  response.end()
}
