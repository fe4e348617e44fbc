import { join } from 'node:path'
import { LANGUAGES } from '#domain/languages.ts'
import { localizedPath, PUBLISHED_PAGES } from '#paths'
import { createHealth } from '#server/http/health.ts'
import { renderHtml, renderPath } from '#server/http/page-cache/astro-handler.ts'
import { createCardPageCache } from '#server/http/page-cache/card-pages.ts'
import { ALL_PAGES, createCdn, releaseKey } from '#server/http/page-cache/cdn.ts'
import { keptCompression } from '#server/http/page-cache/compression-cache.ts'
import { watchReads } from '#server/http/page-cache/content-reads.ts'
import { crawlerFiles } from '#server/http/page-cache/crawlers.ts'
import { createPublishedPages, type PublishResult } from '#server/http/page-cache/published-pages.ts'
import { createFront } from '#server/http/router/router.ts'
import { createClientAddress } from '#server/http/transport/client-address.ts'
import { listen } from '#server/http/transport/http-server.ts'
import { loadStaticFiles } from '#server/http/transport/static-files.ts'
import type { Log } from '#server/platform/log.ts'
import { placeholdersOfContent } from '#server/platform/settings/placeholders.ts'
import type { Settings } from '#server/platform/settings.ts'
import { loadAstro } from './bundle.ts'
import { compose } from './compose.ts'

/** A running site, with what stops it. */
export interface Site {
  readonly port: number
  stop(): Promise<void>
}

/** What a site is started with. */
export interface SiteOptions {
  /** The project's folder. */
  readonly root: string
  readonly settings: Settings
  readonly log: Log
}

/** How long open connections get to end by themselves, in ms. */
const GRACE_MS = 500

/** Starts the site, which is built: composes the parts, renders the published pages, and listens. */
export async function startSite({ root, settings, log }: SiteOptions): Promise<Site> {
  const astro = await loadAstro(root)
  const compress = keptCompression(join(root, 'dist/compressed'))
  const application = await compose(settings, {
    root,
    log,
    clock: Date.now,
    render: (path, locals) => renderHtml(astro, path, { app: application.app, ...locals }),
    async onContentChanged() {
      const before = published.release()
      const isShown = reportPublish(await published.publish(), application.app.log)
      // Nobody waits for it. Each server purges what it has replaced, so the last one takes away what an earlier one
      // still gave the CDN.
      if (isShown && before !== undefined && before !== published.release())
        void cdn?.purge(releaseKey(before))
      return isShown
    },
  })
  const published = createPublishedPages({
    pages: PUBLISHED_PAGES,
    languages: LANGUAGES,
    complete: settings.production,
    compress,
    cdn: settings.cdn !== undefined,
    async render(path, language) {
      const { app, isUnchanged } = watchReads(application.app)
      return { ...(await renderPath(astro, path, { app, language })), isUnchanged }
    },
  })
  const cdn =
    settings.cdn &&
    createCdn({
      ...settings.cdn,
      paths: PUBLISHED_PAGES.filter(({ noStore }) => !noStore).flatMap(({ path }) =>
        LANGUAGES.map(language => localizedPath(language, path)),
      ),
      log: application.app.log,
    })
  // Both run in parallel, since files are compressed in other threads than the one that renders pages.
  const [publish, files, forCrawlers] = await Promise.all([
    published.publish(),
    loadStaticFiles(join(root, 'dist/client'), compress),
    crawlerFiles(settings.siteUrl, PUBLISHED_PAGES, settings),
  ])
  reportPublish(publish, log)
  if (settings.production && !published.isReady()) throw new Error('a published page is missing: see above')

  if (settings.production) reportPlaceholders(application.app.content.snapshot(), log)
  const front = createFront({
    app: application.app,
    published,
    astro,
    pages: PUBLISHED_PAGES,
    files: new Map([...files, ...forCrawlers]),
    health: createHealth({ ...application.checks, pages: published.isReady }),
    clientAddress: createClientAddress(settings.trustedProxies),
    mounts: application.mounts,
    studio: application.studio,
    draftsFor: application.draftsFor,
    cardPageCache: createCardPageCache(application.app),
  })
  const { metrics } = application
  const server = await listen(metrics ? metrics.counting(front) : front, {
    ...settings,
    sockets: application.sockets,
    takesUploads: path => application.mounts.some(mount => mount.ownLimits && mount.matches(path)),
  })
  if (metrics && settings.metrics) log.info('metrics', { port: await metrics.listen(settings.metrics) })
  application.start(server.port)
  // A new version names its files otherwise: pages of the one before would ask for what is gone.
  void cdn?.purge(ALL_PAGES)
  return {
    port: server.port,
    async stop() {
      application.endStreams()
      await server.stop(GRACE_MS)
      await application.close()
    },
  }
}

/** Warns about texts of the seed that are still in the content. `ops doctor` says it too. */
function reportPlaceholders(content: object, log: Log): void {
  const found = placeholdersOfContent(content)
  if (found.length > 0)
    log.info('placeholders-left', { fields: found.slice(0, 10).join(', '), all: found.length })
}

/** Writes the outcome of a publish to the log. @returns whether the new pages are shown */
function reportPublish(result: PublishResult, log: Log): boolean {
  if (result.ok) {
    log.info('pages-published', { pages: result.pages })
    return true
  }
  const failed = result.failures.map(({ path, reason }) => `${path} (${reason})`).join(', ')
  log.error('publish-failed', new Error(`these pages could not be rendered: ${failed}`), {
    failed: result.failures.length,
  })
  return false
}
