import { isProblem, type Problem, type ProblemCode } from '#domain/problems.ts'
import type { App } from '#server/http/app.ts'
import type { LimitName } from '#server/platform/limits.ts'
import { type AdmissionRules, admitInTurn } from './admit.ts'
import { showProblem } from './page-problem.ts'
import { readForm } from './read-form.ts'

/** A page as Astro gives it to its own code. */
interface KeyedPage {
  readonly request: Request
  readonly response: { status?: number; readonly headers: Headers }
  readonly locals: { readonly app: App; readonly clientAddress?: string }
  readonly clientAddress: string
}

/**
 * What a key opened, and why nothing else was done. Without what it opened it was not looked up; with neither it opens nothing.
 * Of a press that came too often, and was not looked up, it is also known what was written.
 */
export interface OpenedByKey<T> {
  readonly opened?: T
  readonly refusal?: Problem
  readonly sent?: URLSearchParams | undefined
}

interface KeyedRules extends Pick<AdmissionRules, 'limit'> {
  readonly reading?: LimitName
  readonly wrongKey: ProblemCode
}

/**
 * Opens what the key in a page's address stands for. A GET changes nothing, since scanners open every link. A POST is
 * a press of the page's own button. The status of the page says what went wrong.
 * @param limit of a press, and of a GET where `reading` names no other
 * @param reading the limit of a GET, and of what is shown beside the refusal of a press
 * @param wrongKey the problem by which `open` says that the key opens nothing
 * @param open reads what the key opens; `isPressed` tells that the button was pressed first
 * @param stopped reads what is shown beside the refusal of a press that came too often, with what was typed
 * @returns what there is to show, or the answer that `open` gave in its place
 * @throws whatever the site's page for failures answers
 */
export async function openByKey<T>(
  page: KeyedPage,
  { limit, reading = limit, wrongKey }: KeyedRules,
  open: (isPressed: boolean) => Promise<T | Response>,
  stopped?: () => Promise<T>,
): Promise<OpenedByKey<T> | Response> {
  const { request, response, locals } = page
  const isPressed = request.method === 'POST'
  const admitted = (limit: LimitName) => {
    const address = locals.clientAddress ?? page.clientAddress
    return admitInTurn(locals.app, { limit, changes: isPressed }, { address, headers: request.headers })
  }
  try {
    try {
      await admitted(isPressed ? limit : reading)
    } catch (error) {
      if (!isPressed || !isProblem(error) || error.code !== 'too-many-requests') throw error
      if (!stopped) {
        // What was typed is sent again from where it is refused. A file is not: no page can hold one.
        const sent = await readForm(request, locals.app.settings.siteUrl).catch(() => undefined)
        showProblem(response, error)
        return { refusal: error, sent }
      }
      await admitted(reading)
      const opened = await stopped()
      showProblem(response, error)
      return { opened, refusal: error }
    }
    const opened = await open(isPressed)
    return opened instanceof Response ? opened : { opened }
  } catch (error) {
    if (!isProblem(error) || error.code === 'temporarily-unavailable') throw error
    showProblem(response, error)
    return error.code === wrongKey ? {} : { refusal: error }
  }
}
