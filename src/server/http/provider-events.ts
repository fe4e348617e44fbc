import type { Handlers } from './endpoint.ts'
import { allowOnly, answering } from './endpoint.ts'
import { readBody } from './read-body.ts'

/**
 * Where the payment provider sends its events. No origin and no type rule: the signature over the raw body
 * is its own proof. Its address differs from delivery to delivery, so no limit counts it either.
 */
export function providerEvents(path: string): Handlers {
  const contract = { method: 'POST', path } as const
  const POST: Handlers['ALL'] = context =>
    answering(context, contract, async () => {
      const body = await readBody(context.request)
      await context.locals.app.payments.receiveEvent(body, context.request.headers.get('Stripe-Signature'))
      return new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } })
    })
  return { POST, ALL: allowOnly('POST', POST) }
}
