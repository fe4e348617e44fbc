import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PROVIDER_EVENTS_PATH, STUDIO_LOGIN_PATH } from '#paths'
import { photoBook as photoBookJob } from '#server/app/schedule/book.ts'
import { createJobs } from '#server/app/schedule/jobs.ts'
import { expiry, reconciliation } from '#server/app/schedule/orders.ts'
import { sealing } from '#server/app/schedule/sealing.ts'
import { ledgerCheck, watch } from '#server/app/schedule/watch.ts'
import { autoDonation, reminders, retention } from '#server/app/schedule/yearly.ts'
import type { App } from '#server/http/app.ts'
import { createBookDownload } from '#server/http/handlers/book-download.ts'
import type { ReadinessCheck } from '#server/http/health.ts'
import { createDraftsFor, type DraftsFor } from '#server/http/page-cache/drafts.ts'
import { createRateLimits, noRateLimits } from '#server/http/pipeline/rate-limits.ts'
import type { StudioRoom } from '#server/http/studio-room.ts'
import { createClientAddress } from '#server/http/transport/client-address.ts'
import type { ExtraHandler, Room, Sockets } from '#server/http/transport/local-handlers.ts'
import { createAnalytics } from '#server/modules/analytics/analytics.ts'
import { deleteOldAnalytics } from '#server/modules/analytics/retention.ts'
import { assetReader } from '#server/modules/content/assets.ts'
import type { ContentSource } from '#server/modules/content/client.ts'
import { createCms } from '#server/modules/content/cms.ts'
import { createContent } from '#server/modules/content/content.ts'
import { createFollower } from '#server/modules/content/follower.ts'
import { createPreview } from '#server/modules/content/preview.ts'
import { createSharedNews } from '#server/modules/content/shared-news.ts'
import { nameOfNgo } from '#server/modules/content/snapshot.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { createClaim } from '#server/modules/gifts/cards/claim-free.ts'
import { areRowsClosed, closeRows } from '#server/modules/gifts/cards/close-rows.ts'
import { createOffersOnShow } from '#server/modules/gifts/cards/free-offers.ts'
import { type CardKeys, createCardKeys } from '#server/modules/gifts/cards/keys.ts'
import { createLostLinks, forgetRequests } from '#server/modules/gifts/cards/lost-links.ts'
import { retrieveFree } from '#server/modules/gifts/cards/retrieve-free.ts'
import { examineSecret, noteSecret, WRONG_SECRET } from '#server/modules/gifts/cards/secret-check.ts'
import { createVolunteering } from '#server/modules/gifts/invitations/volunteering.ts'
import { createPictures } from '#server/modules/images/pictures.ts'
import { writeCheckpoint } from '#server/modules/integrity/checkpoints.ts'
import { ALARM, createAlarms } from '#server/modules/letters/alarms.ts'
import { createFileTransport } from '#server/modules/letters/file-transport.ts'
import { createMail } from '#server/modules/letters/mail.ts'
import { createNewsletter, deleteUnconfirmed } from '#server/modules/letters/newsletter/newsletter.ts'
import { createTokens } from '#server/modules/letters/newsletter/tokens.ts'
import { createSmtpTransport } from '#server/modules/letters/smtp-transport.ts'
import { endedSessions } from '#server/modules/operator/ended-sessions.ts'
import type { Operator } from '#server/modules/operator/interface.ts'
import { createOperator } from '#server/modules/operator/operator.ts'
import { createPayments } from '#server/modules/payments/payments.ts'
import { noteEvent } from '#server/modules/payments/sightings.ts'
import { createStripeClients, type StripeClients } from '#server/modules/payments/stripe-client.ts'
import { createDesk, isReviewDue } from '#server/modules/reports/desk.ts'
import { createFigures } from '#server/modules/reports/figures.ts'
import { askAside } from '#server/modules/reports/worker-process/worker-process.ts'
import { createPhotoBook } from '#server/modules/story/photo-book/photo-book.ts'
import { createPrints } from '#server/modules/story/print/prints.ts'
import type { Clock, MonotonicClock } from '#server/platform/clock.ts'
import {
  type Database,
  type Location,
  OPERATORS_PATIENCE,
  openDatabase,
} from '#server/platform/db/database.ts'
import { localFolder } from '#server/platform/generated-secrets.ts'
import type { Log } from '#server/platform/log.ts'
import { createWorker } from '#server/platform/outbox/worker.ts'
import { type Settings, SettingsError } from '#server/platform/settings.ts'
import type { Lake } from '#stand-ins/local-lake/index.ts'
import type { PaymentsDouble, PaymentsDoubleOptions } from '#stand-ins/payments-double/index.ts'
import type { Metrics } from './metrics.ts'
import { type MountedLake, mountLake } from './mounted-lake.ts'
import { every, type Periodic } from './periodic.ts'
import { createGate, type Gate, mountRooms } from './stand-ins.ts'
import { createStudio } from './studio/studio.ts'

/** Every room of the server, built and wired for these settings. */
export interface House {
  readonly app: App
  /** The addresses of the local stand-ins. */
  readonly extraHandlers: readonly ExtraHandler[]
  /** Connections that a stand-in takes over. */
  readonly sockets: Sockets | undefined
  readonly studio: StudioRoom
  /** Pages with their drafts, for the operator. */
  readonly draftsFor: DraftsFor
  /** Where they are asked for. */
  readonly metrics: Metrics | undefined
  readonly checks: Readonly<Record<string, ReadinessCheck>>
  /** Starts the work that no visitor waits for. `port`: where the site listens. */
  start(port: number): void
  /** Ends what never ends by itself, so that the server can stop. */
  endStreams(): void
  /** Lets go of everything, in the order in which nothing is lost. */
  close(): Promise<void>
}

export interface Surroundings {
  /** The project's folder. */
  readonly root: string
  readonly log: Log
  readonly clock: Clock
  /** The process's own when missing. */
  readonly monotonic?: MonotonicClock
  /** Renders a page of the site in process and gives its HTML; rejects when the page fails. */
  readonly render: (path: string, locals: object) => Promise<string>
  /** Published content has changed. @returns whether its pages are shown; false to be told again */
  readonly onContentChanged: () => Promise<boolean>
}

/** Content that the repository brings along, for a site without a hosted Content Lake. */
const SEED_FILES = [fileURLToPath(new URL('../../../studio/seed/production.ndjson', import.meta.url))]

const WRITE_ANALYTICS_EVERY_MS = 1_000
const DAY_MS = 24 * 3_600_000
const REFRESH_CONTENT_EVERY_MS = 60_000
const LOOK_FOR_NEWS_EVERY_MS = 500

/** The composition root: the one place that knows every room, and whether it is real or a local stand-in. */
export async function compose(settings: Settings, surroundings: Surroundings): Promise<House> {
  const { root, log: plainLog, clock, render, onContentChanged } = surroundings
  const { monotonic = () => performance.now() } = surroundings
  const { dataDir, siteUrl, webhookSecret, sanity, smtp, stripe, operatorMail, mailFrom } = settings

  const location = { dataDir, databaseUrl: settings.databaseUrl }
  const db = await openDatabase(location)
  const ownSecret = { secret: settings.cardKeySecret, secure: new URL(siteUrl).protocol === 'https:', clock }
  const keys = createCardKeys(settings.cardKeySecret)
  await checkSecret(db, keys, clock())
  if (!(await areRowsClosed(db))) await closeEarlierRows(location, keys, clock())

  let sitePort = settings.port
  const webhookUrl = () => `${ownAddress(settings.host, sitePort)}${PROVIDER_EVENTS_PATH}`
  const provider: Provider = stripe
    ? { clients: createStripeClients(stripe) }
    : await localProvider({ dataDir: localFolder(dataDir), siteUrl, webhookSecret, clock, webhookUrl })
  const { double } = provider
  const mailFolder = join(localFolder(dataDir), 'mail')
  const transport = smtp ? createSmtpTransport(smtp.url) : createFileTransport(mailFolder)
  const alarms = operatorMail
    ? createAlarms({ db, clock, log: plainLog, transport, mailFrom, siteUrl, to: operatorMail })
    : undefined
  // From here on whoever writes an alarm to the log also tells the operator.
  const log = alarms?.log ?? plainLog
  const limits = settings.rateLimits ? createRateLimits({ monotonic, log }) : noRateLimits()
  const operator = createOperator({
    ...ownSecret,
    token: settings.operatorToken,
    openMode: !settings.production,
    ended: endedSessions(db),
    limits,
  })
  const { production, demonstration } = settings
  const gate = createGate({ site: new URL(siteUrl), operator, production, demonstration })
  const { source, lake, mounted } = await contentSource(settings, { clock, operator, gate })
  const content = createContent({ source, dataDir, log, clock })
  await content.load()
  const offers = createOffersOnShow({ db, log, campaigns: () => content.snapshot().freeCampaigns })
  await offers.refresh()
  const follower = createFollower({
    // Claims, here or on another server, change what pages offer as new content does.
    refresh: async () => {
      const isNews = await content.refresh()
      return (await offers.refresh()) || isNews
    },
    publish: onContentChanged,
  })
  // Drafts are nobody's business but the Studio's.
  lake?.onTransaction(({ steps }) => void (steps.some(({ id }) => isPublicId(id)) && follower.nudge()))
  // Many processes share a database; the content service tells one of them.
  const news = createSharedNews({ db, clock })
  const nudgeAll = async (): Promise<void> => {
    await Promise.all([
      follower.nudge(),
      news.tell().catch((error: unknown) => log.error('content-news-not-shared', error)),
    ])
  }
  const preview = createPreview({ ...ownSecret, isPreviewSecret: content.isPreviewSecret })
  const studio = createStudio({
    folder: join(root, 'studio'),
    enabled: settings.studio,
    project: sanity && { projectId: sanity.projectId, dataset: sanity.dataset },
    siteUrl,
    log,
  })
  const newsletterTokens = createTokens(settings.cardKeySecret)
  const mail = createMail({
    newsletterTokens,
    db,
    keys,
    clock,
    log,
    render,
    siteUrl,
    transport,
    mailFrom,
    siteName: language => content.snapshot().settings.siteName[language],
    contact: () => content.snapshot().settings.contactEmail,
    ngoName: (ngoId, language) => nameOfNgo(content.snapshot(), ngoId, language),
  })
  const handlers = { ...mail.handlers, ...(alarms && { [ALARM]: alarms.handler }) }
  const worker = createWorker({ db, clock, log, handlers })
  const payments = createPayments({
    db,
    keys,
    clock,
    log,
    siteUrl,
    webhookSecret,
    ...provider.clients,
    missions: () => content.snapshot().missions,
    onQueued: () => worker.nudge(),
    outcomeWaitsMs: [100, 200, 300, 400, 500, 500, 500, 500],
  })

  const claim = createClaim({
    db,
    keys,
    clock,
    log,
    campaigns: () => content.snapshot().freeCampaigns,
    onQueued: () => worker.nudge(),
    onSoldOut: () => void nudgeAll(),
  })

  const analytics = createAnalytics({ db, keys, clock, log })
  const newsletter = createNewsletter({
    db,
    keys,
    clock,
    tokens: newsletterTokens,
    onQueued: () => worker.nudge(),
  })

  const listedNgoIds = () => content.listedNgoIds()
  const readAsset = assetReader(source)
  const pictures = createPictures({
    dir: join(dataDir, 'pictures'),
    readAsset,
    published: () => content.snapshot().memorialPhotos.map(({ image }) => image),
    log,
  })
  const photoBook = createPhotoBook({
    dir: join(dataDir, 'photo-book'),
    readAsset,
    content: content.snapshot,
    clock,
    log,
  })
  const leaving = new AbortController()
  const jobs = createJobs({
    db,
    clock,
    log,
    jobs: [
      reconciliation(() => payments.reconcile()),
      expiry({ db, clock }),
      autoDonation({ db, keys, clock, draw: randomInt, listedNgoIds }),
      reminders({ db, clock }),
      watch({
        db,
        clock,
        log,
        campaigns: () => content.snapshot().freeCampaigns,
        isReviewDue: now => isReviewDue(content.snapshot().ngoList.reviewedAt, now),
      }),
      sealing({ db, keys, clock, log }),
      ledgerCheck(
        log,
        () =>
          askAside('findings', location, clock(), {
            signal: leaving.signal,
            secret: settings.cardKeySecret,
          }),
        count => writeCheckpoint(db, keys, count),
      ),
      retention({
        db,
        clock,
        keepPersonsMs: settings.keepPersonsDays * DAY_MS,
        alsoForget: [
          now => deleteOldAnalytics(db, now),
          now => forgetRequests(db, now),
          now => deleteUnconfirmed(db, now),
        ],
      }),
      photoBookJob(() => photoBook.made()),
    ],
  })
  const volunteering = createVolunteering({ db, keys, clock, onQueued: () => worker.nudge() })

  const figures = createFigures(db, location)
  const metrics = settings.metrics && (await import('./metrics.ts')).createMetrics({ db, clock, figures })

  // What every process does for itself.
  const periodic: Periodic[] = []
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    // Nobody answers visitors until this process has ended.
    leaving.abort()
    await Promise.all([
      metrics?.stop(),
      ...periodic.map(each => each.stop()),
      jobs.stop(),
      worker.stop(),
      double?.stop(),
      studio.stop(),
      photoBook.stop(),
    ])
    await follower.stop()
    await analytics.flush().catch((error: unknown) => log.error('analytics-not-written', error))
    mail.close()
    double?.close()
    await Promise.all([db.close(), lake?.close()])
  }
  const app: App = {
    settings,
    clock,
    content,
    payments: {
      ...payments,
      async receiveEvent(rawBody, signature) {
        await payments.receiveEvent(rawBody, signature)
        await noteEvent({ db, clock })
      },
      startVolunteering(input) {
        // Who is about to pay will want the book: by then it is there.
        photoBook.prepare()
        return payments.startVolunteering(input)
      },
    },
    volunteering,
    photoBook,
    prints: createPrints({
      db,
      keys,
      siteUrl,
      siteName: language => content.snapshot().settings.siteName[language],
    }),
    cards: createCards({ db, keys, clock, listedNgoIds }),
    freeCards: {
      claim,
      offers: offers.current,
      retrieve: privateKey => retrieveFree({ db, keys, clock }, privateKey),
    },
    analytics,
    newsletter,
    limits,
    desk: createDesk({
      db,
      clock,
      content: () => content.snapshot(),
      figures,
    }),
    lostLinks: createLostLinks({ db, keys, clock, onQueued: () => worker.nudge() }),
    log,
    operator,
    studio,
    preview,
    cms: createCms({
      content,
      follower: { ...follower, nudge: nudgeAll },
      webhookSecret: sanity?.webhookSecret,
      clock,
    }),
  }
  const rooms: Room[] = [
    { audience: 'visitors', ...pictures },
    { audience: 'visitors', ...createBookDownload({ volunteering, photoBook, limits }) },
    ...(mounted ? [mounted.room] : []),
    ...(double ? [{ audience: 'buyers' as const, matches: double.handlesPath, handle: double.fetch }] : []),
    ...(smtp ? [] : [{ audience: 'operator' as const, ...(await localInbox(mailFolder)) }]),
  ]
  return {
    app,
    draftsFor: createDraftsFor({ app, preview, drafts: content.drafts }),
    sockets: mounted?.sockets,
    metrics,
    studio,
    extraHandlers: mountRooms(rooms, gate),
    checks: {
      database: async () => {
        await db.read(reader => reader.selectFrom('cards').select('id').limit(1).execute())
        return true
      },
    },
    start(port) {
      sitePort = port
      worker.start()
      double?.start()
      periodic.push(every(WRITE_ANALYTICS_EVERY_MS, 'write-analytics', () => analytics.flush(), log))
      jobs.start()
      // Whatever was not heard of is seen a minute later.
      periodic.push(every(REFRESH_CONTENT_EVERY_MS, 'refresh-content', follower.nudge, log))
      if (sanity && settings.databaseUrl !== undefined) {
        const look = async () => void ((await news.isTold()) && (await follower.nudge()))
        periodic.push(every(LOOK_FOR_NEWS_EVERY_MS, 'look-for-content-news', look, log))
      }
      studio.start()
    },
    endStreams: () => mounted?.endStreams(),
    close: () => (closing ??= close()),
  }
}

/** @throws SettingsError where the cards that are there were made with another secret; the database is closed then */
async function checkSecret(db: Database, keys: CardKeys, now: number): Promise<void> {
  try {
    if ((await examineSecret(db, keys)) === 'wrong') {
      const otherwise = 'Where CARD_KEY_SECRET is not set, the file local/card-key-secret of DATA_DIR counts.'
      throw new SettingsError([WRONG_SECRET, otherwise])
    }
    await noteSecret(db, keys, now)
  } catch (error) {
    await db.close()
    throw error
  }
}

/** Once after an upgrade, with the patience of a change of the tables. */
async function closeEarlierRows(location: Location, keys: CardKeys, now: number): Promise<void> {
  const db = await openDatabase({ ...location, patience: OPERATORS_PATIENCE, asItIs: true })
  try {
    if ((await closeRows(db, keys, now)) > 0)
      await db.scrub(['orders', 'free_claims', 'newsletter_subscribers'])
  } finally {
    await db.close()
  }
}

interface Provider {
  readonly clients: StripeClients
  readonly double?: PaymentsDouble
}

interface ContentHouse {
  readonly source: ContentSource
  readonly lake?: Lake
  readonly mounted?: MountedLake
}

// The stand-ins are loaded only where they run: a site with its own accounts carries none of them in memory.

/** The real clients, which talk to the double within the process. */
async function localProvider(options: PaymentsDoubleOptions): Promise<Provider> {
  const { createPaymentsDouble } = await import('#stand-ins/payments-double/index.ts')
  const double = createPaymentsDouble(options)
  const clients = createStripeClients({
    secretKey: 'sk_test_local',
    fetch: (input, init) => double.fetch(new Request(input, init)),
  })
  return { clients, double }
}

/** The hosted Content Lake, or one of the site's own in its folder, with its doors for the Studio. */
async function contentSource(
  { sanity, dataDir, siteUrl, production, trustedProxies }: Settings,
  { clock, operator, gate }: { clock: Clock; operator: Operator; gate: Gate },
): Promise<ContentHouse> {
  if (sanity) {
    const { projectId, dataset, readToken } = sanity
    return { source: { projectId, dataset, token: readToken } }
  }
  const { createLake } = await import('#stand-ins/local-lake/index.ts')
  const openMode = !production && operator.login === 'open'
  const lake = await createLake({
    dir: join(localFolder(dataDir), 'content'),
    seedFiles: SEED_FILES,
    origin: () => new URL(siteUrl).origin,
    clock,
    openMode,
    authenticate: async ({ headers }, { visitor = ELSEWHERE }) =>
      (await operator.isOperator(headers, visitor))
        ? { ...OPERATOR, until: operator.endOfSession(headers) }
        : null,
    loginUrl: () => `${siteUrl}${STUDIO_LOGIN_PATH}`,
    async logout({ headers }) {
      const cookie = await operator.signOut(headers)
      // Streams and sockets that the session had opened end with it; everybody else's come back by themselves.
      lake.endStreams()
      return { 'set-cookie': cookie }
    },
  })
  return {
    source: { fetch: lake.fetchInside },
    lake,
    mounted: mountLake(lake, gate, createClientAddress(trustedProxies)),
  }
}

/** Who the operator is for the history of the content. */
const OPERATOR = { id: 'operator', name: 'Operator', email: 'operator@localhost' }
/** No address of this machine: with a token, only the session counts. */
const ELSEWHERE = ''

/** Drafts, versions and the content service's own documents have a dot in their names. */
const isPublicId = (id: string): boolean => !id.includes('.')

async function localInbox(dir: string): Promise<Omit<Room, 'audience'>> {
  const { createInbox } = await import('#stand-ins/inbox/inbox.ts')
  return createInbox({ dir })
}

/** Where this process reaches itself, whatever addresses it listens at. */
function ownAddress(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::'
  const name = everywhere ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}
