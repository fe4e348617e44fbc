import type { APIContext } from 'astro'
import { Problem } from '#domain/problems.ts'
import type { App } from '#server/http/app.ts'
import { admit } from '#server/http/pipeline/admit.ts'
import { allowOnly, answering, callerOf, type Handlers } from '#server/http/pipeline/endpoint.ts'
import { ownPath } from '#server/modules/operator/own-path.ts'

/**
 * Switches drafts on and off for the Studio's preview: sets the cookie, then redirects to the page that the preview
 * shows. The Studio's protocol makes this a GET; it changes only what this browser is shown.
 * @param cookieFor the `Set-Cookie`, or undefined for Problem `operator-only`
 */
export function previewSwitch(
  path: string,
  cookieFor: (asked: { app: App; url: URL; request: Request }) => Promise<string | undefined>,
): Handlers {
  const handle = (context: APIContext) =>
    answering(context, { method: 'GET', path }, async () => {
      const { app } = context.locals
      const { url } = context
      admit(app, { limit: 'operator-call' }, { address: callerOf(context), headers: context.request.headers })
      const cookie = await cookieFor({ app, url, request: context.request })
      if (cookie === undefined) throw new Problem('operator-only')
      const to = ownPath(url.searchParams.get('sanity-preview-pathname'), app.settings.siteUrl, '/')
      return new Response(null, { status: 307, headers: { Location: to, 'Set-Cookie': cookie } })
    })
  return { GET: handle, ALL: allowOnly('GET', handle) }
}
