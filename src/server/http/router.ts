import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { LANGUAGES, type Language } from '#domain/languages.ts'
import {
  BROKEN_DRAFT_PAGE,
  ERROR_PATH,
  localizedPath,
  OPERATOR_PATHS,
  type PublishedPage,
  STUDIO_PATH,
  STUDIO_WAITING_PAGE,
  UNAVAILABLE_PATH,
} from '#paths'
import type { App } from '#server/http/app.ts'
import { acceptEvent, EVENT_BODY_BYTES, eventOf } from '#server/http/handlers/analytics-event.ts'
import { cardAskedBy, showCard } from '#server/http/handlers/card-read.ts'
import type { Health } from '#server/http/health.ts'
import { appFor } from '#server/http/pipeline/app-for.ts'
import { withReadKey } from '#server/http/pipeline/key-in-path.ts'
import type { StudioRoom } from '#server/http/studio-room.ts'
import { answerLocally, type ExtraHandler } from '#server/http/transport/local-handlers.ts'
import type { PreviewLook } from '#server/modules/content/interface.ts'
import { type AstroHandler, type Rendered, renderRequest } from './page-cache/astro-handler.ts'
import type { KeptCardPages } from './page-cache/card-pages.ts'
import type { DraftLocals, DraftsFor } from './page-cache/drafts.ts'
import { codingFor, sendRendered } from './page-cache/dynamic-answers.ts'
import type { PublishedPages } from './page-cache/published-pages.ts'
import { isCrooked, type Route, routeOf } from './routes.ts'
import { problemAnswer, redirectAnswer, sendAnswer, textAnswer } from './transport/answers.ts'
import type { ClientAddress } from './transport/client-address.ts'
import { createOwnHost, createOwnOrigin } from './transport/own-origin.ts'
import { sendPrepared } from './transport/prepared.ts'
import { MOST_BODY_BYTES, readBody } from './transport/request-body.ts'
import type { StaticFiles } from './transport/static-files.ts'
import { rememberLanguage, visitorLanguage } from './visitor-language.ts'

/** What every page and endpoint finds in `locals`. */
export interface PageLocals {
  readonly app: App
  readonly language: Language
  /** Nothing says which language the visitor reads: a card is then shown in its own. */
  readonly isLanguageGuess?: boolean
  readonly clientAddress: string
  /** Drafts are shown. */
  readonly preview?: PreviewLook
  /** Why they cannot be. */
  readonly draftFaults?: readonly string[]
  readonly contentDigest?: string
}

export interface FrontParts {
  readonly app: App
  readonly pages: readonly PublishedPage[]
  readonly published: PublishedPages
  readonly files: StaticFiles
  readonly health: Health
  readonly clientAddress: ClientAddress
  readonly extraHandlers: readonly ExtraHandler[]
  readonly studio: Pick<StudioRoom, 'matches' | 'find' | 'state'>
  readonly astro: AstroHandler
  readonly draftsFor: DraftsFor
  /** Without it every recipient's page is rendered anew. */
  readonly keptCardPages?: KeptCardPages
}

/** A page or call that Astro renders for one visitor. */
interface Rendering {
  readonly kind: 'receiver' | 'operator' | 'api'
  readonly path: string
  /** That of the path, where it has one. */
  readonly language?: Language | undefined
  /** What the page finds in `locals` besides. */
  readonly locals?: Partial<PageLocals>
}

/** Longer addresses than any link of ours could have. */
const MOST_URL_CHARACTERS = 4096
const PAGE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD'])
const API_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])

/**
 * Answers every request of the site (ARCHITECTURE.md): health, files, published pages from memory, local handlers,
 * then Astro for receiver pages and endpoints. Knows of the product only the list of published pages and how a
 * language is chosen.
 */
export function createFront(parts: FrontParts): RequestListener {
  const {
    app,
    published,
    files,
    health,
    clientAddress,
    extraHandlers,
    studio,
    astro,
    draftsFor,
    keptCardPages,
  } = parts
  const pages = new Map(parts.pages.map(page => [page.path, page]))
  const site = new URL(app.settings.siteUrl)
  const settleOrigin = createOwnOrigin(site)
  const isOwnHost = createOwnHost(site)
  const secureCookie = site.protocol === 'https:'

  const answerPage = (
    visit: Visit,
    page: PublishedPage,
    prefix: Language | undefined,
    { status = 200, extra = [] }: { status?: number; extra?: readonly string[] } = {},
  ): boolean => {
    const { language, asked } = languageOf(visit, prefix)
    const entry = published.find(language, page.path)
    if (!entry) return false
    // `?lang=` beats the prefix; the answer then is this visitor's own.
    const prepared = prefix !== undefined && !asked ? entry.canonical : entry.chosen
    sendPrepared(visit.request, visit.response, prepared, {
      status,
      extra: asked ? [...extra, 'Set-Cookie', rememberLanguage(language, secureCookie)] : extra,
    })
    return true
  }

  /**
   * The designed page in the visitor's language, else a plain line. It stands at the address that failed, which is
   * what it offers to try again; so nobody may keep it.
   * @param retryAfter seconds, when the page could not be made just now and will be later
   */
  const answerFailure = (visit: Visit, prefix?: Language, retryAfter?: string): void => {
    if (visit.response.headersSent) {
      visit.response.destroy()
      return
    }
    const [path, status] = retryAfter === undefined ? [ERROR_PATH, 500] : [UNAVAILABLE_PATH, 503]
    const headers: [string, string][] = retryAfter === undefined ? [] : [['Retry-After', retryAfter]]
    const page = pages.get(path)
    if (page && answerPage(visit, page, prefix, { status, extra: headers.flat() })) return
    sendAnswer(visit.response, textAnswer(status, 'Something went wrong. Please try again.', headers))
  }

  const answerMissing = (visit: Visit): void =>
    sendAnswer(visit.response, isApi(visit.path) ? problemAnswer('not-found') : textAnswer(404, 'Not found'))

  const refuseMethod = (visit: Visit, allowed: ReadonlySet<string>): void => {
    const allow = [['Allow', [...allowed, 'OPTIONS'].join(', ')]] as const
    if (visit.request.method === 'OPTIONS') sendAnswer(visit.response, { status: 204, headers: allow })
    else sendAnswer(visit.response, problemAnswer('method-not-allowed', allow))
  }

  /** Reads the body, or answers 413 and gives undefined. */
  const bodyOf = async (visit: Visit): Promise<Buffer | undefined> => {
    if (!bringsBody(visit.request)) return NOTHING
    const body = await readBody(visit.request, MOST_BODY_BYTES)
    // What was not read would be taken for the next request: the connection ends here.
    if (!body) sendAnswer(visit.response, problemAnswer('body-too-large', [['Connection', 'close']]))
    return body
  }

  const answerDynamic = async (
    visit: Visit,
    { kind, path, language: prefix, locals: more }: Rendering,
  ): Promise<void> => {
    const { request, response } = visit
    const body = await bodyOf(visit)
    if (!body) return
    const { language, asked, isGuess } = languageOf(visit, prefix)
    const head = request.method === 'HEAD'
    // Astro sees our own host, whatever the visitor wrote, and reads the body from where we put it.
    request.headers.host = site.host
    Object.assign(request, { url: path + visit.query, body, ...(head && { method: 'GET' }) })
    const render = () => {
      const address = clientAddress(request)
      const locals: PageLocals = {
        app: appFor(app, address),
        language,
        isLanguageGuess: isGuess,
        clientAddress: address,
        ...more,
      }
      return renderRequest(astro, request, locals)
    }
    const mayBeKept = kind === 'receiver' && request.method === 'GET' && visit.query === ''
    const rendered = await (mayBeKept && keptCardPages
      ? keptCardPages({ path, language, isLanguageGuess: isGuess, encoding: codingFor(request) }, render)
      : render())
    if (head) request.method = 'HEAD'
    if (rendered.unmatched) {
      if (kind === 'api') return answerMissing(visit)
      return sendAnswer(response, redirectAnswer('/'))
    }
    const json = String(rendered.headers['content-type'] ?? '').includes('json')
    // A page that says itself what failed keeps what was written (the split without scripts), or has more to say (the
    // Studio is not there yet).
    const isOwnPage = (): boolean => kind !== 'api' && rendered.body.length > 0
    if (rendered.status >= 500 && !json && !isOwnPage()) {
      return kind === 'api'
        ? sendAnswer(response, problemAnswer('something-went-wrong'))
        : answerFailure(visit, undefined, rendered.status === 503 ? retryAfterOf(rendered) : undefined)
    }
    sendRendered(request, response, rendered, {
      page: kind !== 'api',
      ...(asked && kind !== 'api' && { cookie: rememberLanguage(language, secureCookie) }),
    })
  }

  /** A page with its drafts, for the operator alone: rendered now, never kept. */
  const answerDraft = (
    visit: Visit,
    page: PublishedPage,
    prefix: Language | undefined,
    locals: DraftLocals,
  ): Promise<void> => {
    const { language } = languageOf(visit, prefix)
    const path = 'draftFaults' in locals ? BROKEN_DRAFT_PAGE : localizedPath(language, page.path)
    return answerDynamic(visit, { kind: 'operator', path, language, locals })
  }

  const answerPublished = (visit: Visit, { page, language }: PublishedRoute): Promise<void> | undefined => {
    const drafts = draftsFor(visit.request)
    if (drafts) return drafts.then(locals => answerDraft(visit, page, language, locals))
    if (!answerPage(visit, page, language)) answerFailure(visit, language)
    return undefined
  }

  const answerStudio = async (visit: Visit): Promise<void> => {
    const { request, response, path } = visit
    if (!PAGE_METHODS.has(request.method ?? 'GET')) return refuseMethod(visit, PAGE_METHODS)
    const file = await studio.find(path)
    if (file) return sendPrepared(request, response, file)
    const isPage = path === STUDIO_PATH || path.startsWith(`${STUDIO_PATH}/`)
    if (!isPage || studio.state() === 'ready') return answerMissing(visit)
    return answerDynamic(visit, { kind: 'operator', path: STUDIO_WAITING_PAGE })
  }

  const answer = async (asked: Visit): Promise<void> => {
    if (isCrooked(asked.path)) return answerMissing(asked)
    const visit = { ...asked, path: withReadKey(asked.path) }
    const { request, response, path } = visit
    const method = request.method ?? 'GET'
    settleOrigin(request)
    for (const handler of extraHandlers) {
      if (!handler.matches(path)) continue
      const url = new URL(path + visit.query, site)
      const local = { request, response, url, visitor: clientAddress(request) }
      if (handler.ownLimits || handler.audience === 'visitors') return answerLocally(handler, local)
      const body = await bodyOf(visit)
      if (body) await answerLocally(handler, { ...local, body })
      return
    }
    if (studio.matches(path)) return answerStudio(visit)
    // Where nobody has to log in, a page elsewhere must not get in under a name of its own.
    if (path.startsWith(OPERATOR_PATHS) && !isOwnHost(request.headers.host)) return answerMissing(visit)
    const event = method === 'POST' ? eventOf(path) : undefined
    if (event !== undefined) {
      const { language } = languageOf(visit, undefined)
      const body = await readBody(request, EVENT_BODY_BYTES)
      const call = { name: event, headers: request.headers, body, address: clientAddress(request), language }
      const answered = await acceptEvent(app, call)
      // As with every body that was not read to its end.
      const headers = body ? answered.headers : [...answered.headers, ['Connection', 'close'] as const]
      return sendAnswer(response, { ...answered, headers })
    }
    const card = method === 'GET' && !bringsBody(request) ? cardAskedBy(path) : undefined
    if (card) return sendAnswer(response, await showCard(app, card, clientAddress(request)))
    const route = routeOf(path, pages)
    if (route.kind === 'api') {
      return API_METHODS.has(method)
        ? answerDynamic(visit, { kind: 'api', path })
        : refuseMethod(visit, API_METHODS)
    }
    // Whatever is done to it: an address of the interface that no call has.
    if (route.kind === 'missing' && isApi(path)) return answerMissing(visit)
    const allowed = route.kind === 'receiver' || route.kind === 'operator' ? FORM_METHODS : PAGE_METHODS
    if (!allowed.has(method)) return refuseMethod(visit, allowed)
    switch (route.kind) {
      case 'published':
        return answerPublished(visit, route)
      case 'receiver':
      case 'operator':
        return answerDynamic(visit, route)
      case 'redirect':
        return sendAnswer(
          response,
          redirectAnswer(route.isHome || route.to === '/' ? route.to : route.to + visit.query),
        )
      case 'missing':
        return answerMissing(visit)
    }
  }

  /** The published pages' own addresses, which nobody else answers: they need not be taken apart each time. */
  const ownAddresses = new Map<string, PublishedRoute>()
  for (const page of parts.pages) {
    for (const path of [page.path, ...LANGUAGES.map(language => localizedPath(language, page.path))]) {
      const route = routeOf(path, pages)
      const isAnothers = studio.matches(path) || extraHandlers.some(handler => handler.matches(path))
      if (route.kind === 'published' && !isAnothers && !path.startsWith(OPERATOR_PATHS))
        ownAddresses.set(path, route)
    }
  }

  const answerFailed = (visit: Visit, error: unknown): void => {
    const { request, response, path } = visit
    // The visitor has gone in the middle of sending. (Without a body a request counts as destroyed from the start.)
    if (bringsBody(request) && request.destroyed && !request.complete) return
    app.log.error('request-failed', error, { route: isApi(path) ? 'api' : 'page' })
    if (isApi(path) && !response.headersSent) sendAnswer(response, problemAnswer('something-went-wrong'))
    else answerFailure(visit)
  }

  const takesLongAddress = (path: string): boolean =>
    extraHandlers.some(handler => handler.ownLimits && handler.matches(path))

  return (request, response) => {
    const target = request.url ?? '/'
    const mark = target.indexOf('?')
    const path = mark < 0 ? target : target.slice(0, mark)
    const visit: Visit = { request, response, path, query: mark < 0 ? '' : target.slice(mark) }
    if (target.length > MOST_URL_CHARACTERS && !takesLongAddress(path))
      return sendAnswer(response, textAnswer(414, 'The address is too long'))
    const healthAnswer = health(path)
    if (healthAnswer) return void healthAnswer.then(each => sendAnswer(response, each))
    const file = files.get(path)
    if (file)
      return PAGE_METHODS.has(request.method ?? '')
        ? sendPrepared(request, response, file)
        : refuseMethod(visit, PAGE_METHODS)
    const own = ownAddresses.get(path)
    try {
      const answered =
        own && PAGE_METHODS.has(request.method ?? '') ? answerPublished(visit, own) : answer(visit)
      answered?.catch((error: unknown) => answerFailed(visit, error))
    } catch (error) {
      answerFailed(visit, error)
    }
  }
}

type PublishedRoute = Extract<Route, { kind: 'published' }>

/** A recipient without scripts sends the split as a form to the page itself; so does the operator the token. */
const FORM_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST'])

interface Visit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** As it came over the wire, without the query. */
  readonly path: string
  /** With its question mark, or empty. */
  readonly query: string
}

const retryAfterOf = ({ headers }: Rendered): string => String(headers['retry-after'] ?? 1)

const NOTHING = Buffer.alloc(0)

const bringsBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined

const isApi = (path: string): boolean => path.startsWith('/api')

function languageOf(
  { request, query }: Visit,
  prefix: Language | undefined,
): ReturnType<typeof visitorLanguage> {
  return visitorLanguage({
    query,
    path: prefix,
    cookieHeader: request.headers.cookie,
    acceptLanguage: request.headers['accept-language'],
  })
}
