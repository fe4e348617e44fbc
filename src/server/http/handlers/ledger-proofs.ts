import { isProblem } from '#domain/problems.ts'
import type { App } from '#server/http/app.ts'
import { count } from '#server/http/pipeline/admit.ts'
import { problemResponse } from '#server/http/pipeline/problem-response.ts'

/** What serves the public ledger. */
interface Ledger {
  matches(pathname: string): boolean
  /** Is it a proof, which is made when somebody asks for it? All else is a file. */
  isMade(pathname: string): boolean
  handle(request: Request): Promise<Response>
}

/** Counts proofs of the public ledger against the visitor's limit before they are made. Its files are no more than read. */
export function limitProofs(ledger: Ledger, { limits }: Pick<App, 'limits'>) {
  return {
    matches: ledger.matches,
    async handle(request: Request, { visitor }: { readonly visitor: string }): Promise<Response> {
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
