import type { APIRoute } from 'astro'
import { admit } from '#server/http/pipeline/admit.ts'
import { allowOnly, answering, callerOf } from '#server/http/pipeline/endpoint.ts'
import { csvResponse } from '#server/http/pipeline/file-response.ts'
import { PUBLIC_STATUS_CSV_PATH } from '#wire/public.ts'

/** The state of the site as a file. */
export const GET: APIRoute = context =>
  answering(context, { method: 'GET', path: PUBLIC_STATUS_CSV_PATH }, async () => {
    const { app } = context.locals
    admit(app, { limit: 'public-read' }, { address: callerOf(context), headers: context.request.headers })
    return csvResponse('status.csv', app.publicStatus.csv())
  })

export const ALL = allowOnly('GET', GET)
