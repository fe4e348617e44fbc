import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createPaymentsDouble } from '#stand-ins/payments-double/index.ts'

/** A service outside of the servers, as those see it that run with an account. */
export interface Service {
  readonly url: string
  readonly port: number
  stop(): Promise<void>
}

/** The payment provider. */
export async function startProvider(options: {
  readonly dataDir: string
  readonly webhookUrl: () => string
  readonly webhookSecret: string
}): Promise<Service> {
  const service = await serve(request => double.fetch(request))
  const double = createPaymentsDouble({ ...options, siteUrl: service.url })
  double.start()
  return {
    ...service,
    async stop() {
      await double.stop()
      await service.stop()
      double.close()
    },
  }
}

/** The content service: another product's, which answers under its own name alone. */
export const startContent = ({ url }: { url: string }): Promise<Service> =>
  serve(async request => {
    const { pathname, search } = new URL(request.url)
    const answer = await fetch(url + pathname + search)
    // What came compressed is read and sent on as it is.
    const type = answer.headers.get('content-type') ?? 'application/json'
    return new Response(await answer.arrayBuffer(), {
      status: answer.status,
      headers: { 'content-type': type },
    })
  })

const KEEP_ALIVE_MS = 600_000

async function serve(answering: (request: Request) => Promise<Response>): Promise<Service> {
  const server = createServer(async (request, response) => {
    const { method = 'GET' } = request
    const body = await buffer(request)
    const headers = new Headers()
    for (const [name, value] of Object.entries(request.headers))
      if (typeof value === 'string') headers.set(name, value)
    const content = body.length > 0 ? { body: new Uint8Array(body) } : {}
    try {
      const answer = await answering(
        new Request(new URL(request.url ?? '/', url), { method, headers, ...content }),
      )
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      response.end(Buffer.from(await answer.arrayBuffer()))
    } catch (error) {
      console.error(error)
      response.writeHead(500).end()
    }
  })
  // Whoever has a connection may ask again at any time: it is not closed in that moment.
  server.keepAliveTimeout = KEEP_ALIVE_MS
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    port,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}
