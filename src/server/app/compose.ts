import { join } from 'node:path'
import { setImmediate as goOn } from 'node:timers/promises'
import { dayInUtc } from '#domain/days.ts'
import type { App } from '#server/http/app.ts'
import { createBookDownload } from '#server/http/handlers/book-download.ts'
import { limitProofs } from '#server/http/handlers/ledger-proofs.ts'
import type { ReadinessCheck } from '#server/http/health.ts'
import { createDraftsFor, type DraftsFor } from '#server/http/page-cache/drafts.ts'
import type { StudioService } from '#server/http/studio-service.ts'
import { compressFast, preferredEncoding } from '#server/http/transport/encodings.ts'
import { encodeOnce } from '#server/http/transport/kept-encodings.ts'
import type { Mount, MountedHandler, Sockets } from '#server/http/transport/mounts.ts'
import { createCms } from '#server/modules/content/cms.ts'
import { nameOfNgo } from '#server/modules/content/snapshot.ts'
import { createPartners } from '#server/modules/partners/partners.ts'
import { noteEvent } from '#server/modules/payments/last-event.ts'
import { createReceivedPayouts } from '#server/modules/payouts/advices/received.ts'
import { deriveFiles, ledgerFolder } from '#server/modules/public-ledger/files.ts'
import { withNames } from '#server/modules/public-ledger/named-figures.ts'
import { type Encode, serveLedger } from '#server/modules/public-ledger/serve.ts'
import type { Figures } from '#server/modules/reports/figures.ts'
import { createFigures } from '#server/modules/reports/figures.ts'
import { createOperatorReports } from '#server/modules/reports/operator-reports.ts'
import { statusCsv } from '#server/modules/reports/public-status.ts'
import { createWaitingRoom, noWaitingRoom } from '#server/modules/waiting-room/waiting-room.ts'
import type { Jobs } from '#server/platform/job-runner/job-runner.ts'
import type { Settings } from '#server/platform/settings.ts'
import type { Metrics } from './metrics.ts'
import type { ContentParts } from './parts/content.ts'
import { openContent } from './parts/content.ts'
import { desksOf, revocationsOf } from './parts/desk.ts'
import type { ApplicationDependencies, Foundation } from './parts/foundation.ts'
import { layFoundation } from './parts/foundation.ts'
import type { GiftParts } from './parts/gifts.ts'
import { createGiftParts } from './parts/gifts.ts'
import { createPeriodicJobs } from './parts/jobs.ts'
import { localInbox } from './parts/stand-ins.ts'
import { every, type Periodic } from './periodic.ts'
import { lookAtClock } from './schedule/clock.ts'
import { mountAll } from './stand-ins-gate.ts'
import { createStudio } from './studio/studio.ts'

/** Every mount of the server, built and wired for these settings. */
export interface Application {
  readonly app: App
  /** The addresses of the local stand-ins. */
  readonly mounts: readonly MountedHandler[]
  /** Connections that a stand-in takes over. */
  readonly sockets: Sockets | undefined
  readonly studio: StudioService
  /** Pages with their drafts, for the operator. */
  readonly draftsFor: DraftsFor
  /** Where they are asked for. */
  readonly metrics: Metrics | undefined
  readonly checks: Readonly<Record<string, ReadinessCheck>>
  /**
   * Starts what goes on behind the pages, the outbox and the jobs too unless workers of their own have them. `port` is
   * the port at which the site listens.
   */
  start(port: number): void
  /** Starts the outbox and the jobs alone, for a process that has no pages. */
  work(): void
  /** Ends the streams that never end by themselves, so that the server can stop. */
  endStreams(): void
  /** Closes everything, in an order in which nothing is lost. */
  close(): Promise<void>
}

const WRITE_ANALYTICS_EVERY_MS = 1_000
const REFRESH_CONTENT_EVERY_MS = 60_000
const LOOK_FOR_NEWS_EVERY_MS = 500
const DERIVE_LEDGER_EVERY_MS = 60_000
const SHIP_LOG_EVERY_MS = 1_000
const LIST_REVOCATIONS_EVERY_MS = 60_000
const LOOK_AT_CLOCK_EVERY_MS = 10 * 60_000

/** All parts of the application, as they were made. */
interface Parts {
  readonly settings: Settings
  readonly foundation: Foundation
  readonly contents: ContentParts
  readonly gifts: GiftParts
  readonly jobs: Jobs
  readonly studio: StudioService
  readonly figures: Figures
  readonly metrics: Metrics | undefined
  /** Aborts reads whose result is not needed any more. */
  readonly leaving: AbortController
}

/** The composition root: only it knows every module, and which outside services are local stand-ins. */
export async function compose(
  settings: Settings,
  dependencies: ApplicationDependencies,
): Promise<Application> {
  const foundation = await layFoundation(settings, dependencies)
  const { db, clock, gate, location, log } = foundation
  const contents = await openContent(settings, foundation, dependencies.onContentChanged)
  const gifts = createGiftParts(settings, foundation, contents, dependencies.render)
  const leaving = new AbortController()
  const jobs = createPeriodicJobs(settings, foundation, contents, gifts, leaving.signal)
  const { sanity, siteUrl } = settings
  const studio = createStudio({
    folder: join(dependencies.root, 'studio'),
    enabled: settings.studio,
    project: sanity && { projectId: sanity.projectId, dataset: sanity.dataset },
    siteUrl,
    log,
  })
  const figures = createFigures(db, location)
  const metrics = settings.metrics
    ? (await import('./metrics.ts')).createMetrics({ db, clock, figures })
    : undefined
  const parts: Parts = { settings, foundation, contents, gifts, jobs, studio, figures, metrics, leaving }
  const app = appOf(parts)
  return {
    app,
    draftsFor: createDraftsFor({ app, preview: contents.preview, drafts: contents.content.drafts }),
    sockets: contents.mounted?.sockets,
    metrics,
    studio,
    mounts: mountAll(await mountsOf(parts), gate),
    checks: {
      database: async () => {
        await db.read(reader => reader.selectFrom('cards').select('id').limit(1).execute())
        return true
      },
    },
    ...lifeOf(parts),
  }
}

/** What pages and endpoints may ask. */
function appOf({ settings, foundation, contents, gifts, studio, figures }: Parts): App {
  const { db, keys, clock, log, limits, operator } = foundation
  const { content, legal, figures: figuresOfLedger, status, follower, nudgeAll, preview } = contents
  const {
    payments,
    photoBook,
    answers,
    cards,
    volunteering,
    freeCards,
    prints,
    analytics,
    newsletter,
    lostLinks,
    withdrawals,
  } = gifts
  const shownStatus = () => ({
    ...status.current(),
    published: dayInUtc(content.state().releasedAt),
    checkpoint: figuresOfLedger.current()?.day ?? null,
  })
  return {
    settings,
    clock,
    content,
    legal,
    payments: {
      ...payments,
      async receiveEvent(rawBody, signature) {
        await payments.receiveEvent(rawBody, signature)
        await noteEvent({ db, clock })
      },
      startVolunteering(input) {
        // A buyer who is about to pay will want the book, so it is made in time.
        photoBook.prepare()
        return payments.startVolunteering(input)
      },
    },
    partners: createPartners({ db, clock, mac: keys.mac, sandbox: settings.sandbox }),
    answers,
    giftLinks: gifts.giftLinks,
    heldGifts: gifts.heldGifts,
    volunteering,
    photoBook,
    prints,
    cards,
    freeCards,
    analytics,
    newsletter,
    limits,
    waitingRoom: waitingRoomOf(settings, foundation, payments),
    operatorReports: createOperatorReports({ db, clock, content: () => content.snapshot(), figures }),
    publicFigures: publicFiguresOf(settings, contents),
    publicStatus: {
      current: shownStatus,
      csv: () => statusCsv(shownStatus()),
    },
    lostLinks,
    checkWords: gifts.checkWords,
    wishes: gifts.wishes,
    sendings: gifts.sendings,
    withdrawals,
    certificates: gifts.certificates,
    invoices: gifts.invoices,
    invoiceDesk: gifts.invoiceDesk,
    manyOrders: gifts.manyOrders,
    ...desksOf(settings, foundation, contents, gifts, figures),
    receivedPayouts: createReceivedPayouts({ db, keys, clock, dataDir: settings.dataDir }),
    log,
    operator,
    studio,
    preview,
    cms: createCms({
      content,
      follower: { ...follower, nudge: nudgeAll },
      webhookSecret: settings.sanity?.webhookSecret,
      clock,
    }),
  }
}

/** As many payments as all together may open, evenly. */
function waitingRoomOf(
  { rateLimits, cardKeySecret, siteUrl }: Settings,
  { db, log, monotonic }: Foundation,
  { hasBegun }: App['payments'],
): App['waitingRoom'] {
  if (!rateLimits) return noWaitingRoom()
  const { perMs, together } = { together: 1, ...rateLimits.gateway }
  return createWaitingRoom({
    db,
    name: 'gateway',
    perSecond: (together / perMs) * 1_000,
    secret: cardKeySecret,
    secure: new URL(siteUrl).protocol === 'https:',
    monotonic,
    log,
    wasLetIn: hasBegun,
  })
}

/** So much of the public ledger's lines is kept compressed, those that were asked for last. */
const KEPT_LINES_BYTES = 8 * 1024 * 1024

const inSmallestCoding = (): Encode => ({
  kept: encodeOnce(KEPT_LINES_BYTES),
  now(bytes, acceptEncoding) {
    const encoding = preferredEncoding(acceptEncoding)
    return { encoding, bytes: compressFast(bytes, encoding) }
  },
})

/** The figures of the public ledger, with the key and the place of the head that they are of. */
function publicFiguresOf(
  settings: Settings,
  { content, figures: figuresOfLedger, ledgerHead }: ContentParts,
): App['publicFigures'] {
  return {
    get verifierText() {
      return ledgerHead.key()
    },
    get address() {
      return ledgerHead.address()
    },
    witnesses: settings.ledgerWitnesses.map(({ text }) => text),
    named(language) {
      const current = figuresOfLedger.current()
      return current && withNames(current, ngoId => nameOfNgo(content.snapshot(), ngoId, language))
    },
  }
}

/** What has addresses of its own beside the site's. */
async function mountsOf({ settings, foundation, contents, gifts }: Parts): Promise<Mount[]> {
  const { provider, limits, mailFolder } = foundation
  const { double } = provider
  const { volunteering, photoBook, pictures, heldGifts } = gifts
  const ledger = serveLedger(ledgerFolder(settings.dataDir), inSmallestCoding())
  return [
    { audience: 'visitors', ...pictures },
    { audience: 'visitors', ...contents.previewPictures },
    { audience: 'visitors', ...limitProofs(ledger, { limits }) },
    { audience: 'visitors', ...createBookDownload({ volunteering, photoBook, limits, heldGifts }) },
    ...(contents.mounted ? [contents.mounted.mount] : []),
    ...(double ? [{ audience: 'buyers' as const, matches: double.handlesPath, handle: double.fetch }] : []),
    ...(settings.mail.kind === 'files'
      ? [{ audience: 'operator' as const, ...(await localInbox(mailFolder)) }]
      : []),
  ]
}

/** How the background work begins and ends. */
function lifeOf(parts: Parts): Pick<Application, 'start' | 'work' | 'endStreams' | 'close'> {
  const { settings, foundation, contents, gifts, jobs, studio } = parts
  const { log, provider } = foundation
  const { follower, news, mounted } = contents
  // What every process does for itself.
  const periodic: Periodic[] = []
  let closing: Promise<void> | undefined

  function work(): void {
    gifts.worker.start()
    jobs.start()
  }

  function followContent(): void {
    // Where news of the content did not arrive, this finds it a minute later.
    periodic.push(every(REFRESH_CONTENT_EVERY_MS, 'refresh-content', follower.nudge, log))
    if (settings.sanity && settings.databaseUrl !== undefined) {
      const look = async () => void ((await news.hasNews()) && (await follower.nudge()))
      periodic.push(every(LOOK_FOR_NEWS_EVERY_MS, 'look-for-content-news', look, log))
    }
  }

  function watchClock(): void {
    const { db, clock } = foundation
    // An embedded database has no clock of its own.
    if (settings.databaseUrl !== undefined)
      periodic.push(
        every(LOOK_AT_CLOCK_EVERY_MS, 'look-at-clock', () => lookAtClock({ db, clock, log }), log),
      )
  }

  function shipLog(): void {
    const { shipping } = foundation
    if (shipping) periodic.push(every(SHIP_LOG_EVERY_MS, 'ship-log', shipping.turn, log, { atOnce: true }))
  }

  function listRevoked(): void {
    const list = revocationsOf(settings, foundation)
    // Each machine has a list of its own, and whatever a process that died had not listed is listed here.
    periodic.push(every(LIST_REVOCATIONS_EVERY_MS, 'list-revocations', list, log, { atOnce: true }))
  }

  return {
    start(port) {
      shipLog()
      watchClock()
      foundation.listensAt(port)
      provider.double?.start()
      periodic.push(every(WRITE_ANALYTICS_EVERY_MS, 'write-analytics', () => gifts.analytics.flush(), log))
      if (settings.workers === 'here') work()
      followContent()
      listRevoked()
      // Each server has files of its own, whichever of them wrote the log.
      const derive = () => deriveFiles({ db: foundation.db, folder: ledgerFolder(settings.dataDir), goOn })
      // At once as well: pages show the newest head from the start.
      periodic.push(every(DERIVE_LEDGER_EVERY_MS, 'ledger-files', derive, log, { atOnce: true }))
      studio.start()
    },
    work() {
      shipLog()
      listRevoked()
      watchClock()
      work()
      // Letters name organisations as the Studio has them now.
      followContent()
    },
    endStreams: () => mounted?.endStreams(),
    close: () => (closing ??= close(parts, periodic)),
  }
}

async function close(
  { foundation, contents, gifts, jobs, studio, metrics, leaving }: Parts,
  periodic: readonly Periodic[],
): Promise<void> {
  const { db, log, provider } = foundation
  const { mail, worker, photoBook, analytics } = gifts
  // No visitor is answered between now and the next start, so nothing here may take long.
  leaving.abort()
  await Promise.all([
    metrics?.stop(),
    ...periodic.map(each => each.stop()),
    jobs.stop(),
    worker.stop(),
    provider.double?.stop(),
    studio.stop(),
    photoBook.stop(),
  ])
  await contents.follower.stop()
  await analytics.flush().catch((error: unknown) => log.error('analytics-not-written', error))
  mail.close()
  provider.double?.close()
  // Before the database closes: whoever lets go of it last folds the log away.
  await foundation.shipping?.stop()
  await Promise.all([db.close(), contents.lake?.close()])
}
