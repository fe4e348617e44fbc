import { isProblem, type Problem, type ProblemCode } from '#domain/problems.ts'
import type { App } from '#server/http/app.ts'
import { type AdmissionRules, admitInTurn } from './admit.ts'
import { showProblem } from './page-problem.ts'

/** A page as Astro gives it to its own code. */
interface KeyedPage {
  readonly request: Request
  readonly response: { status?: number; readonly headers: Headers }
  readonly locals: { readonly app: App; readonly clientAddress?: string }
  readonly clientAddress: string
}

/** What a key opened, or the reason why the key was not looked up. With neither of them the key opens nothing. */
export interface OpenedByKey<T> {
  readonly opened?: T
  readonly refusal?: Problem
}

/**
 * Opens what the key in a page's address stands for. A GET changes nothing, since scanners open every link. A POST is
 * a press of the page's own button. The status of the page says what went wrong.
 * @param wrongKey the problem by which `open` says that the key opens nothing
 * @param open reads what the key opens; `isPressed` tells that the button was pressed first
 * @returns what there is to show, or the answer that `open` gave in its place
 * @throws whatever the site's page for failures answers
 */
export async function openByKey<T>(
  page: KeyedPage,
  { limit, wrongKey }: Pick<AdmissionRules, 'limit'> & { readonly wrongKey: ProblemCode },
  open: (isPressed: boolean) => Promise<T | Response>,
): Promise<OpenedByKey<T> | Response> {
  const { request, response, locals } = page
  const isPressed = request.method === 'POST'
  try {
    const address = locals.clientAddress ?? page.clientAddress
    await admitInTurn(locals.app, { limit, changes: isPressed }, { address, headers: request.headers })
    const opened = await open(isPressed)
    return opened instanceof Response ? opened : { opened }
  } catch (error) {
    if (!isProblem(error) || error.code === 'temporarily-unavailable') throw error
    showProblem(response, error)
    return error.code === wrongKey ? {} : { refusal: error }
  }
}
