import { renderHtml } from '#server/http/page-cache/astro-handler.ts'
import { loadAstro } from './bundle.ts'
import { compose } from './compose.ts'
import type { SiteOptions } from './site.ts'

/** A running worker, with what stops it. */
export interface WorkerProcess {
  /** Takes nothing new, and waits for what is in hand. */
  stop(): Promise<void>
}

/**
 * Starts the outbox and the jobs without the front: it listens nowhere and shows no page. Beside sites that have
 * WORKERS=apart it is the only one to do them; beside others it helps.
 */
export async function startWorker({ root, settings, log }: SiteOptions): Promise<WorkerProcess> {
  // Letters are pages of the bundle.
  const astro = await loadAstro(root)
  const application = await compose(settings, {
    root,
    log,
    clock: Date.now,
    render: (path, locals) => renderHtml(astro, path, { app: application.app, ...locals }),
    // Nobody asks it for a page.
    onContentChanged: async () => true,
  })
  application.work()
  log.info('worker-started')
  return { stop: application.close }
}
