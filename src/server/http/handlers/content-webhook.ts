import type { App } from '#server/http/app.ts'
import type { Handlers } from '#server/http/pipeline/endpoint.ts'
import { allowOnly, answering } from '#server/http/pipeline/endpoint.ts'
import { readBody } from '#server/http/pipeline/read-body.ts'

/**
 * Takes the news that another service sends. No rule of origin or type applies, because the signature over the raw
 * body is the proof. No limit applies either, because the sender's address differs from delivery to delivery.
 * @param header the one that holds the signature
 */
export function signedNews(
  path: string,
  {
    header,
    receive,
  }: { header: string; receive: (app: App, rawBody: string, signature: string | null) => Promise<void> },
): Handlers {
  const contract = { method: 'POST', path } as const
  const POST: Handlers['ALL'] = context =>
    answering(context, contract, async () => {
      const body = await readBody(context.request)
      await receive(context.locals.app, body, context.request.headers.get(header))
      return new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } })
    })
  return { POST, ALL: allowOnly('POST', POST) }
}
