import type { APIRoute } from 'astro'
import { newsletterPath } from '#paths'
import { count } from '#server/http/pipeline/admit.ts'
import { allowOnly, answering, callerOf, type Handlers } from '#server/http/pipeline/endpoint.ts'

/**
 * Unsubscribes from the newsletter (RFC 8058). A mail program posts a form without an origin of ours, so no rule of
 * origin or type applies: the token is the proof. Every token gets the same answer. A GET changes nothing: it gives
 * the page whose button unsubscribes.
 */
export function oneClick(path: string): Handlers {
  const leave: APIRoute = context =>
    answering(context, { method: 'POST', path }, async () => {
      const { app } = context.locals
      // Only wrong tokens count: a mail service unsubscribes all its readers from few addresses.
      if (!(await app.newsletter.unsubscribe(tokenOf(context.url))))
        count(app, 'newsletter', callerOf(context))
      return new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } })
    })
  const show: APIRoute = ({ url, locals }) =>
    new Response(null, {
      status: 302,
      headers: {
        Location: newsletterPath(locals.language, 'unsubscribe', encodeURIComponent(tokenOf(url))),
        'Cache-Control': 'no-store',
      },
    })
  return { GET: show, POST: leave, ALL: allowOnly('POST', leave) }
}

const tokenOf = (url: URL): string => (url.searchParams.get('token') ?? '').slice(0, 200)
