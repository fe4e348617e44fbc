import type { APIRoute } from 'astro'
import { newsletterPath } from '#paths'
import { count } from '#server/http/pipeline/admit.ts'
import { allowOnly, answering, callerOf, type Handlers } from '#server/http/pipeline/endpoint.ts'

/**
 * Leaves the newsletter (RFC 8058). A mail program posts a form from wherever it is: no origin and no type rule, the
 * token is its own proof, and every token gets the same answer. A GET changes nothing: whoever opens the address gets
 * the page whose button does it.
 */
export function oneClick(path: string): Handlers {
  const leave: APIRoute = context =>
    answering(context, { method: 'POST', path }, async () => {
      const { app } = context.locals
      // Only guesses count: mail programs leave for all their readers from few addresses, and nobody may keep them in.
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
