import type { IncomingMessage, ServerResponse } from 'node:http'
import { dev } from 'astro'
import {
  BROKEN_DRAFT_PAGE,
  localizedPath,
  OPERATOR_PATHS,
  PUBLISHED_PAGES,
  STUDIO_WAITING_PAGE,
} from '#paths'
import { manifestAnswer, manifestLanguage } from '#server/http/handlers/manifest.ts'
import { createHealth } from '#server/http/health.ts'
import { type AstroHandler, renderHtml } from '#server/http/page-cache/astro-handler.ts'
import { crawlerFiles } from '#server/http/page-cache/crawlers.ts'
import { appFor } from '#server/http/pipeline/app-for.ts'
import { type Route, routeOf } from '#server/http/router/routes.ts'
import { rememberLanguage, visitorLanguage } from '#server/http/router/visitor-language.ts'
import { problemAnswer, redirectAnswer, sendAnswer } from '#server/http/transport/answers.ts'
import { createClientAddress } from '#server/http/transport/client-address.ts'
import { answerLocally } from '#server/http/transport/mounts.ts'
import { createOwnHost } from '#server/http/transport/own-origin.ts'
import { sendPrepared } from '#server/http/transport/prepared.ts'
import { MOST_BODY_BYTES, readBody } from '#server/http/transport/request-body.ts'
import type { Settings } from '#server/platform/settings.ts'
import { type Application, compose } from './compose.ts'
import type { Site, SiteOptions } from './site.ts'

/** The property of a request in which Astro's development server looks for `locals`. */
const LOCALS = Symbol.for('astro.locals')

/**
 * Starts the site with Astro's development server, which reloads on every change. Addresses and languages behave as
 * for visitors; pages are rendered at each request, and nothing is compressed or kept.
 */
export async function startSite({ root, settings, log }: SiteOptions): Promise<Site> {
  process.env.ASTRO_TELEMETRY_DISABLED = '1'
  const application = await compose(settings, {
    root,
    log,
    clock: Date.now,
    render: (path, locals) => renderHtml(astro, path, { app: application.app, ...locals }),
    // Every request is rendered anew.
    onContentChanged: async () => true,
  })
  const front = createDevFront(application, settings)
  const server = await dev({
    root,
    logLevel: 'warn',
    server: { host: settings.host, port: settings.port },
    integrations: [
      {
        name: 'front',
        hooks: {
          'astro:server:setup': ({ server: vite }) => {
            vite.middlewares.use(front)
            const { sockets } = application
            if (!sockets) return
            // Vite's own socket, at another path, is left to it.
            vite.httpServer?.on('upgrade', (request, socket, head) => {
              const { pathname } = new URL(request.url ?? '/', settings.siteUrl)
              if (sockets.matches(pathname)) sockets.upgrade(request, socket, head)
            })
          },
        },
      },
    ],
  })
  const astro: AstroHandler = (request, response, _next, locals) => {
    Reflect.set(request, LOCALS, locals)
    server.handle(request, response)
  }
  application.start(server.address.port)
  return {
    port: server.address.port,
    async stop() {
      application.endStreams()
      await server.stop()
      await application.close()
    },
  }
}

type Next = (error?: unknown) => void

function createDevFront(application: Application, settings: Settings) {
  const pages = new Map(PUBLISHED_PAGES.map(page => [page.path, page]))
  const health = createHealth(application.checks)
  const clientAddress = createClientAddress(settings.trustedProxies)
  const site = new URL(settings.siteUrl)
  const isOwnHost = createOwnHost(site)
  const forCrawlers = crawlerFiles(settings.siteUrl, PUBLISHED_PAGES, settings)

  const answer = async (request: IncomingMessage, response: ServerResponse, next: Next): Promise<void> => {
    const url = new URL(request.url ?? '/', site)
    const { pathname: path, search } = url
    // Vite's own modules, and pages that the server renders for itself with locals already there.
    if (path.startsWith('/@') || Reflect.has(request, LOCALS)) return next()
    const healthAnswer = await health(path)
    if (healthAnswer) return sendAnswer(response, healthAnswer)
    for (const handler of application.mounts) {
      if (!handler.matches(path)) continue
      const visitor = clientAddress(request)
      if (handler.ownLimits) return answerLocally(handler, { request, response, url, visitor })
      const body = (await readBody(request, MOST_BODY_BYTES)) ?? Buffer.alloc(0)
      return answerLocally(handler, { request, response, url, visitor, body })
    }
    // As in the front: nobody has to log in here, so a page elsewhere must not get in under a name of its own.
    if (path.startsWith(OPERATOR_PATHS) && !isOwnHost(request.headers.host))
      return sendAnswer(response, problemAnswer('not-found'))
    const file = (await forCrawlers).get(path)
    if (file) return sendPrepared(request, response, file)
    const manifest = manifestLanguage(path)
    if (manifest) return sendAnswer(response, manifestAnswer(application.app.content.snapshot(), manifest))
    if (application.studio.matches(path)) {
      const found = await application.studio.find(path)
      if (found) return sendPrepared(request, response, found)
    }
    const route: Route = application.studio.matches(path)
      ? { kind: 'operator', path: STUDIO_WAITING_PAGE }
      : routeOf(path, pages)
    if (route.kind === 'redirect') return sendAnswer(response, redirectAnswer(route.to))
    const prefix = route.kind === 'published' ? route.language : undefined
    const { language, asked, isGuess } = visitorLanguage({
      query: search,
      path: prefix,
      cookieHeader: request.headers.cookie,
      acceptLanguage: request.headers['accept-language'],
    })
    if (asked) response.setHeader('Set-Cookie', rememberLanguage(language, false))
    if (route.kind === 'published') request.url = localizedPath(language, route.page.path) + search
    const drafts = route.kind === 'published' ? await application.draftsFor(request) : undefined
    if (drafts && 'draftFaults' in drafts) request.url = BROKEN_DRAFT_PAGE
    if (route.kind === 'receiver' || route.kind === 'operator') request.url = route.path + search
    const address = clientAddress(request)
    const locals = {
      app: appFor(application.app, address, handle =>
        application.app.heldGifts.keyOf(handle, request.headers.cookie),
      ),
      language,
      isLanguageGuess: isGuess,
      clientAddress: address,
      ...drafts,
    }
    Reflect.set(request, LOCALS, locals)
    next()
  }
  return (request: IncomingMessage, response: ServerResponse, next: Next): void => {
    answer(request, response, next).catch(next)
  }
}
