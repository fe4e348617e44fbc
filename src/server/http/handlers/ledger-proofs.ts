import { isProblem } from '#domain/problems.ts'
import type { App } from '#server/http/app.ts'
import { count } from '#server/http/pipeline/admit.ts'
import { problemResponse } from '#server/http/pipeline/problem-response.ts'
import type { Mount } from '#server/http/transport/mounts.ts'
import type { LedgerMount } from '#server/modules/public-ledger/serve.ts'

/** Counts proofs of the public ledger against the visitor's limit before they are made. Its files are no more than read. */
export function limitProofs(ledger: LedgerMount, { limits }: Pick<App, 'limits'>): Omit<Mount, 'audience'> {
  return {
    matches: ledger.matches,
    async handle(request, { visitor }) {
      try {
        if (ledger.isMade(new URL(request.url).pathname)) count({ limits }, 'ledger-proof', visitor)
      } catch (error) {
        if (isProblem(error)) return problemResponse(error)
        throw error
      }
      return ledger.handle(request)
    },
  }
}
