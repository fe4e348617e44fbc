import type { APIRoute } from 'astro'
import { admit } from '#server/http/pipeline/admit.ts'
import { allowOnly, answering, callerOf, checkOperator } from '#server/http/pipeline/endpoint.ts'
import { csvResponse } from '#server/http/pipeline/file-response.ts'
import { PAYOUTS_CSV_PATH } from '#wire/operator.ts'

/** The table of payouts as a file, for the operator alone. */
export const GET: APIRoute = context =>
  answering(context, { method: 'GET', path: PAYOUTS_CSV_PATH }, async () => {
    const { app } = context.locals
    admit(app, { limit: 'operator-call' }, { address: callerOf(context), headers: context.request.headers })
    await checkOperator(context)
    return csvResponse('payouts.csv', await app.operatorReports.payoutsCsv())
  })

export const ALL = allowOnly('GET', GET)
