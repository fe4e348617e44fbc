import type { APIRoute } from 'astro'
import { DEFAULT_LANGUAGE } from '#domain/languages.ts'
import { admit } from '#server/http/pipeline/admit.ts'
import { allowOnly, answering, callerOf } from '#server/http/pipeline/endpoint.ts'
import { csvResponse } from '#server/http/pipeline/file-response.ts'
import { figuresCsv } from '#server/modules/public-ledger/figures-csv.ts'
import { PUBLIC_FIGURES_CSV_PATH } from '#wire/public.ts'

/** The public figures as a file. */
export const GET: APIRoute = context =>
  answering(context, { method: 'GET', path: PUBLIC_FIGURES_CSV_PATH }, async () => {
    const { app } = context.locals
    admit(app, { limit: 'public-read' }, { address: callerOf(context), headers: context.request.headers })
    return csvResponse('figures.csv', figuresCsv(app.publicFigures.named(DEFAULT_LANGUAGE)))
  })

export const ALL = allowOnly('GET', GET)
