import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { LANGUAGES } from '#domain/languages.ts'
import { PUBLISHED_PAGES } from '#paths'
import type { Log } from '#server/app.ts'
import { type AstroHandler, renderPath } from './astro-handler.ts'
import { buildWhenNeeded } from './build.ts'
import { createClientAddress } from './client-address.ts'
import { compose } from './compose.ts'
import { createFront } from './front.ts'
import { createHealth } from './health.ts'
import { listen } from './http-server.ts'
import { createPublishedPages, type PublishResult } from './published-pages.ts'
import type { Settings } from './settings.ts'
import { loadStaticFiles } from './static-files.ts'

/** A running site and the way to end it. */
export interface Site {
  readonly port: number
  stop(): Promise<void>
}

/** How long open connections get to end by themselves. */
const GRACE_MS = 500

/** Starts everything for visitors: builds when needed, composes, renders the published pages, listens. */
export async function startSite({
  root,
  settings,
  log,
}: {
  root: string
  settings: Settings
  log: Log
}): Promise<Site> {
  if (await buildWhenNeeded(root)) log.info('site-built')
  const astro = await loadAstro(root)
  const house = await compose(settings, {
    log,
    clock: Date.now,
    render: (path, locals) => renderPage(path, locals),
  })
  const { app } = house
  const renderPage = (path: string, locals: object) =>
    renderPath(astro, path, { app, clientAddress: '', ...locals })

  const published = createPublishedPages({
    pages: PUBLISHED_PAGES,
    languages: LANGUAGES,
    complete: settings.production,
    render: (path, language) => renderPage(path, { language }),
  })
  reportPublish(await published.publish(), settings, log)

  const server = await listen(
    createFront({
      app,
      published,
      astro,
      pages: PUBLISHED_PAGES,
      files: await loadStaticFiles(join(root, 'dist/client')),
      health: createHealth({ ...house.checks, pages: published.isReady }),
      clientAddress: createClientAddress(settings.trustedProxies),
      extraHandlers: house.extraHandlers,
    }),
    settings,
  )
  house.start()
  return {
    port: server.port,
    async stop() {
      await server.stop(GRACE_MS)
      await house.close()
    },
  }
}

/** What `astro build` made: the handler of every page and endpoint. */
async function loadAstro(root: string): Promise<AstroHandler> {
  const entry = (await import(pathToFileURL(join(root, 'dist/server/entry.mjs')).href)) as {
    handler: AstroHandler
  }
  return entry.handler
}

/** In production a site that lacks a page does not start; while it is being worked on, it is told and starts. */
function reportPublish(result: PublishResult, { production }: Settings, log: Log): void {
  if (result.ok) {
    log.info('pages-published', { pages: result.pages })
    return
  }
  const failed = result.failures.map(({ path, reason }) => `${path} (${reason})`).join(', ')
  const error = new Error(`Published pages that could not be rendered: ${failed}`)
  if (production) throw error
  log.error('publish-incomplete', error)
}
