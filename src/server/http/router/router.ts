import type { RequestListener } from 'node:http'
import { LANGUAGES } from '#domain/languages.ts'
import { localizedPath, OPERATOR_PATHS, PROVIDER_EVENTS_PATH, type PublishedPage } from '#paths'
import { withReadKey } from '#server/http/pipeline/key-in-path.ts'
import { problemAnswer, sendAnswer, textAnswer } from '#server/http/transport/answers.ts'
import { createOwnOrigin } from '#server/http/transport/own-origin.ts'
import { sendPrepared } from '#server/http/transport/prepared.ts'
import { forVisitor } from '#server/platform/visits.ts'
import { createHandlers, type FrontParts, type Handler, type PublishedRoute } from './handlers.ts'
import { isAmbiguousPath, routeOf } from './routes.ts'
import { bringsBody, isApi, methodOf, PAGE_METHODS, type Visit, visitOf } from './visit.ts'

export type { FrontParts } from './handlers.ts'

/** No link of ours could be longer than this. */
const MOST_URL_CHARACTERS = 4096

/**
 * Answers every request of the site (ARCHITECTURE.md). Health, files and published pages are answered from memory at
 * once. Every other request goes to the first handler of the list that matches it.
 */
export function createFront(parts: FrontParts): RequestListener {
  const { app, files, health, mounts } = parts
  const pages = new Map(parts.pages.map(page => [page.path, page]))
  const { handlers, answerPublished, replies } = createHandlers(parts, pages)
  const ownAddresses = ownAddressesOf(parts, pages)
  const settleOrigin = createOwnOrigin(new URL(app.settings.siteUrl))

  const answer = async (asked: Visit): Promise<void> => {
    if (isAmbiguousPath(asked.path)) return replies.missing(asked)
    const visit = { ...asked, path: withReadKey(asked.path) }
    settleOrigin(visit.request)
    const handler = firstOf(handlers, visit)
    // The provider's events are not sent away: behind each stands somebody who has paid.
    if (visit.path === PROVIDER_EVENTS_PATH) return handler.handle(visit)
    return forVisitor(() => handler.handle(visit))
  }

  const answerFailed = (visit: Visit, error: unknown): void => {
    const { request, response, path } = visit
    // The visitor has gone in the middle of sending. (Without a body a request counts as destroyed from the start.)
    if (bringsBody(request) && request.destroyed && !request.complete) return
    app.log.error('request-failed', error, { route: isApi(path) ? 'api' : 'page' })
    if (isApi(path) && !response.headersSent) sendAnswer(response, problemAnswer('something-went-wrong'))
    else replies.failure(visit)
  }

  const takesLongAddress = (path: string): boolean =>
    mounts.some(handler => handler.ownLimits && handler.matches(path))

  return (request, response) => {
    const visit = visitOf(request, response)
    const { path, query } = visit
    if (path.length + query.length > MOST_URL_CHARACTERS && !takesLongAddress(path))
      return sendAnswer(response, textAnswer(414, 'The address is too long'))
    const healthAnswer = health(path)
    if (healthAnswer) return void healthAnswer.then(each => sendAnswer(response, each))
    const isPageMethod = PAGE_METHODS.has(methodOf(visit))
    const file = files.get(path)
    if (file)
      return isPageMethod ? sendPrepared(request, response, file) : replies.refuseMethod(visit, PAGE_METHODS)
    const own = ownAddresses.get(path)
    try {
      const answered = own && isPageMethod ? answerPublished(visit, own) : answer(visit)
      answered?.catch((error: unknown) => answerFailed(visit, error))
    } catch (error) {
      answerFailed(visit, error)
    }
  }
}

/** The last handler of the list takes everything. */
function firstOf(handlers: readonly Handler[], visit: Visit): Handler {
  const handler = handlers.find(({ matches }) => matches(visit))
  if (!handler) throw new Error('the last handler takes everything')
  return handler
}

/** The addresses of the published pages, made once. No other handler answers them, so they need no sorting. */
function ownAddressesOf(
  { pages: listed, studio, mounts }: FrontParts,
  pages: ReadonlyMap<string, PublishedPage>,
): ReadonlyMap<string, PublishedRoute> {
  const addresses = new Map<string, PublishedRoute>()
  for (const page of listed) {
    for (const path of [page.path, ...LANGUAGES.map(language => localizedPath(language, page.path))]) {
      const route = routeOf(path, pages)
      const isAnothers = studio.matches(path) || mounts.some(handler => handler.matches(path))
      if (route.kind === 'published' && !isAnothers && !path.startsWith(OPERATOR_PATHS))
        addresses.set(path, route)
    }
  }
  return addresses
}
