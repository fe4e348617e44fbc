import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Problem } from '#domain/problems.ts'
import { createInbox } from '#local/inbox/inbox.ts'
import { createLocalLake } from '#local/lake/index.ts'
import type { App, Clock, Log } from '#server/app.ts'
import { createContent } from '#server/content/content.ts'
import { openDatabase } from '#server/db/database.ts'
import type { Rendered } from './astro-handler.ts'
import type { ReadinessCheck } from './health.ts'
import type { ExtraHandler } from './local-handlers.ts'
import { createRateLimits, noRateLimits } from './rate-limits.ts'
import type { Settings } from './settings.ts'

/** Every room of the server, built and wired for these settings. */
export interface House {
  readonly app: App
  readonly extraHandlers: readonly ExtraHandler[]
  readonly checks: Readonly<Record<string, ReadinessCheck>>
  /** Starts the work that no visitor waits for. */
  start(): void
  /** Lets go of everything, in the order in which nothing is lost. */
  close(): Promise<void>
}

/** Content that the repository brings along, for a site without a hosted Content Lake. */
const SEED_FILES = [fileURLToPath(new URL('../../../studio/seed/production.ndjson', import.meta.url))]

export interface Surroundings {
  readonly log: Log
  readonly clock: Clock
  /** Renders a page of the site in process, for the mails. */
  readonly render: (path: string, locals: object) => Promise<Rendered>
}

/** The composition root: the one place that knows every room, and whether it is real or a local stand-in. */
export async function compose(settings: Settings, { log, clock }: Surroundings): Promise<House> {
  const { dataDir, sanity } = settings
  const extraHandlers: ExtraHandler[] = []

  const content = createContent({
    source: sanity
      ? { projectId: sanity.projectId, dataset: sanity.dataset, token: sanity.readToken }
      : createLocalLake({ seedFiles: SEED_FILES, clock }),
    dataDir,
    log,
    clock,
  })
  await content.load()

  const db = await openDatabase({ dataDir, databaseUrl: settings.databaseUrl })
  if (!settings.smtp) extraHandlers.push(createInbox({ dir: join(dataDir, 'mail') }))
  const later = (): never => {
    throw new Problem('temporarily-unavailable')
  }
  return {
    app: {
      settings,
      clock,
      content,
      log,
      limits: settings.rateLimits ? createRateLimits({ clock, log }) : noRateLimits(),
      payments: { startDonation: later, settle: later, receiveEvent: later, requestConfirmation: later },
      cards: { open: later, redeem: later },
    },
    extraHandlers,
    checks: {
      database: () =>
        db.read(
          async reader => (await reader.selectFrom('cards').select('id').limit(1).execute()).length >= 0,
        ),
    },
    start() {},
    close: () => db.close(),
  }
}
