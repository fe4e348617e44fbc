import type { APIRoute } from 'astro'
import { DEFAULT_LANGUAGE } from '#domain/languages.ts'
import { getT } from '#i18n/index.ts'
import { admit } from '#server/http/pipeline/admit.ts'
import { allowOnly, answering, callerOf } from '#server/http/pipeline/endpoint.ts'
import { openApi } from '#wire/openapi.ts'
import { OPENAPI_PATH } from '#wire/public-api.ts'

/** The same for every request of a process. */
let kept: string | undefined

/** What programs may call, as OpenAPI. */
export const GET: APIRoute = context =>
  answering(context, { method: 'GET', path: OPENAPI_PATH }, async () => {
    const { app } = context.locals
    admit(app, { limit: 'public-read' }, { address: callerOf(context), headers: context.request.headers })
    const { siteUrl: url, version, sandbox, sandboxUrl } = app.settings
    kept ??= JSON.stringify(openApi({ url, version, sandbox, sandboxUrl, say: getT(DEFAULT_LANGUAGE) }))
    return new Response(kept, {
      headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    })
  })

export const ALL = allowOnly('GET', GET)
