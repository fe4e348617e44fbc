import {
  BROKEN_DRAFT_PAGE,
  GIFT_LINK_PATH,
  localizedPath,
  OPERATOR_PATHS,
  type PublishedPage,
  STUDIO_PATH,
  STUDIO_WAITING_PAGE,
} from '#paths'
import type { App } from '#server/http/app.ts'
import { acceptEvent, EVENT_BODY_BYTES, eventOf } from '#server/http/handlers/analytics-event.ts'
import { cardAskedBy, showCard } from '#server/http/handlers/card-read.ts'
import { manifestAnswer, manifestLanguage } from '#server/http/handlers/manifest.ts'
import type { Health } from '#server/http/health.ts'
import type { AstroHandler } from '#server/http/page-cache/astro-handler.ts'
import type { CardPageCache } from '#server/http/page-cache/card-pages.ts'
import type { DraftLocals, DraftsFor } from '#server/http/page-cache/drafts.ts'
import type { PublishedPages } from '#server/http/page-cache/published-pages.ts'
import type { StudioService } from '#server/http/studio-service.ts'
import { redirectAnswer, sendAnswer } from '#server/http/transport/answers.ts'
import type { ClientAddress } from '#server/http/transport/client-address.ts'
import { answerLocally, type MountedHandler } from '#server/http/transport/mounts.ts'
import { createOwnHost } from '#server/http/transport/own-origin.ts'
import { sendPrepared } from '#server/http/transport/prepared.ts'
import { readBody } from '#server/http/transport/request-body.ts'
import type { StaticFiles } from '#server/http/transport/static-files.ts'
import { createRender, type Render } from './render.ts'
import { createReplies, type Replies } from './replies.ts'
import { type Route, routeOf } from './routes.ts'
import { bringsBody, isApi, languageOf, methodOf, PAGE_METHODS, type Visit } from './visit.ts'

export interface FrontParts {
  readonly app: App
  readonly pages: readonly PublishedPage[]
  readonly published: PublishedPages
  readonly files: StaticFiles
  readonly health: Health
  readonly clientAddress: ClientAddress
  readonly mounts: readonly MountedHandler[]
  readonly studio: Pick<StudioService, 'matches' | 'find' | 'state'>
  readonly astro: AstroHandler
  readonly draftsFor: DraftsFor
  /** Without it every recipient's page is rendered anew. */
  readonly cardPageCache?: CardPageCache
}

/** What answers some of the requests. */
export interface Handler {
  matches(visit: Visit): boolean
  handle(visit: Visit): void | Promise<void>
}

export type PublishedRoute = Extract<Route, { kind: 'published' }>

type Publish = (visit: Visit, route: PublishedRoute) => Promise<void> | undefined

export interface Handlers {
  /** The handlers, asked from the first to the last. The last one takes every request. */
  readonly handlers: readonly Handler[]
  readonly answerPublished: Publish
  readonly replies: Replies
}

const API_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
/** Without scripts a recipient sends the split as a form to the page itself. The operator sends the token likewise. */
const FORM_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST'])

/** Who answers what, in the order in which they are asked. */
export function createHandlers(parts: FrontParts, pages: ReadonlyMap<string, PublishedPage>): Handlers {
  const { app, studio, mounts, clientAddress } = parts
  const site = new URL(app.settings.siteUrl)
  const isOwnHost = createOwnHost(site)
  const replies = createReplies(pages, parts.published, site.protocol === 'https:')
  const render = createRender({ ...parts, site, replies })
  const answerPublished = publishing(parts, replies, render)
  const handlers: readonly Handler[] = [
    ...mounts.map(handler => mountHandler(handler, { site, clientAddress, replies })),
    { matches: ({ path }) => studio.matches(path), handle: studioHandler(studio, replies, render) },
    {
      // Where nobody has to log in, another site could point its own name at this server and read these pages.
      matches: ({ path, request }) => path.startsWith(OPERATOR_PATHS) && !isOwnHost(request.headers.host),
      handle: replies.missing,
    },
    manifestHandler(app, replies),
    eventHandler(app, clientAddress),
    cardHandler(app, clientAddress),
    { matches: () => true, handle: pageHandler(pages, { app, replies, render, answerPublished }) },
  ]
  return { handlers, answerPublished, replies }
}

/** A mount: a handler with addresses of its own beside the site's. */
function mountHandler(
  handler: MountedHandler,
  { site, clientAddress, replies }: { site: URL; clientAddress: ClientAddress; replies: Replies },
): Handler {
  return {
    matches: ({ path }) => handler.matches(path),
    async handle(visit) {
      const { request, response, path, query } = visit
      const local = { request, response, url: new URL(path + query, site), visitor: clientAddress(request) }
      if (handler.ownLimits || handler.audience === 'visitors') return answerLocally(handler, local)
      const body = await replies.bodyOf(visit)
      if (body) await answerLocally(handler, { ...local, body })
    },
  }
}

function studioHandler(studio: FrontParts['studio'], replies: Replies, render: Render): Handler['handle'] {
  return async visit => {
    const { request, response, path } = visit
    if (!PAGE_METHODS.has(methodOf(visit))) return replies.refuseMethod(visit, PAGE_METHODS)
    const file = await studio.find(path)
    if (file) return sendPrepared(request, response, file)
    const isPage = path === STUDIO_PATH || path.startsWith(`${STUDIO_PATH}/`)
    if (!isPage || studio.state() === 'ready') return replies.missing(visit)
    return render(visit, { kind: 'operator', path: STUDIO_WAITING_PAGE })
  }
}

/** The manifests. The site's name on a home screen is content, so a manifest is written for each request. */
function manifestHandler(app: App, replies: Replies): Handler {
  return {
    matches: ({ path }) => manifestLanguage(path) !== undefined,
    handle(visit) {
      if (!PAGE_METHODS.has(methodOf(visit))) return replies.refuseMethod(visit, PAGE_METHODS)
      sendAnswer(visit.response, manifestAnswer(app.content.snapshot(), manifestLanguage(visit.path)!))
    },
  }
}

/** Events of the statistics are taken here, without Astro. */
function eventHandler(app: App, clientAddress: ClientAddress): Handler {
  return {
    matches: visit => methodOf(visit) === 'POST' && eventOf(visit.path) !== undefined,
    async handle(visit) {
      const { request, response, path } = visit
      const { language } = languageOf(visit, undefined)
      const body = await readBody(request, EVENT_BODY_BYTES)
      const answered = await acceptEvent(app, {
        name: eventOf(path) ?? '',
        headers: request.headers,
        body,
        address: clientAddress(request),
        language,
      })
      // The connection ends here, as after every body that was not read to its end.
      const headers = body ? answered.headers : [...answered.headers, ['Connection', 'close'] as const]
      sendAnswer(response, { ...answered, headers })
    },
  }
}

/** Cards are read here, without Astro. */
function cardHandler(app: App, clientAddress: ClientAddress): Handler {
  return {
    matches: visit =>
      methodOf(visit) === 'GET' && !bringsBody(visit.request) && cardAskedBy(visit.path) !== undefined,
    async handle({ request, response, path }) {
      const card = cardAskedBy(path)
      const sender = { address: clientAddress(request), cookies: request.headers.cookie }
      if (card) sendAnswer(response, await showCard(app, card, sender))
    },
  }
}

const takesFormHere = (route: Route): route is PublishedRoute =>
  route.kind === 'published' && route.language === undefined && route.page.takesForm === true

/** The form of a published page goes to the page's own address, and its answer is rendered for the sender alone. */
const formRoute = (route: Route, method: string): Route =>
  takesFormHere(route) && method === 'POST' ? { kind: 'operator', path: route.page.path } : route

/** Published pages, and what Astro renders for one visitor. */
function pageHandler(
  pages: ReadonlyMap<string, PublishedPage>,
  {
    app,
    replies,
    render,
    answerPublished,
  }: {
    app: Pick<App, 'heldGifts'>
    replies: Replies
    render: Render
    answerPublished: Publish
  },
): Handler['handle'] {
  const isHeld = (handle: string, { request }: Visit) =>
    app.heldGifts.keyOf(handle, request.headers.cookie) !== undefined
  return visit => {
    const { path, query, response } = visit
    const route = formRoute(routeOf(path, pages), methodOf(visit))
    if (route.kind === 'api') {
      return API_METHODS.has(methodOf(visit))
        ? render(visit, { kind: 'api', path })
        : replies.refuseMethod(visit, API_METHODS)
    }
    // No call of the interface has this address, so every method gets this answer.
    if (route.kind === 'missing' && isApi(path)) return replies.missing(visit)
    const takesForm = route.kind === 'receiver' || route.kind === 'operator' || takesFormHere(route)
    const allowed = takesForm ? FORM_METHODS : PAGE_METHODS
    if (!allowed.has(methodOf(visit))) return replies.refuseMethod(visit, allowed)
    switch (route.kind) {
      case 'published':
        return answerPublished(visit, route)
      case 'receiver':
        // The address of a gift that was opened in another browser, or too long ago: its link opens it again.
        if (route.handle !== undefined && !isHeld(route.handle, visit))
          return sendAnswer(response, redirectAnswer(GIFT_LINK_PATH))
        return render(visit, route)
      case 'operator':
        return render(visit, route)
      case 'redirect':
        return sendAnswer(
          response,
          redirectAnswer(route.isHome || route.to === '/' ? route.to : route.to + query),
        )
      case 'missing':
        return replies.missing(visit)
    }
  }
}

/** A published page from memory. For the operator it may show drafts; it is then rendered now and never kept. */
function publishing({ draftsFor }: FrontParts, replies: Replies, render: Render): Publish {
  const withDrafts = (visit: Visit, { page, language: prefix }: PublishedRoute, locals: DraftLocals) => {
    const { language } = languageOf(visit, prefix)
    const path = 'draftFaults' in locals ? BROKEN_DRAFT_PAGE : localizedPath(language, page.path)
    return render(visit, { kind: 'operator', path, language, locals })
  }
  return (visit, route) => {
    const drafts = draftsFor(visit.request)
    if (drafts) return drafts.then(locals => withDrafts(visit, route, locals))
    if (!replies.page(visit, route.page, route.language)) replies.failure(visit, route.language)
    return undefined
  }
}
