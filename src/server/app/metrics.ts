import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import {
  API_PATHS,
  CARD_PATHS,
  GIFT_LINK_PATH,
  ID_AND_KEY_PATHS,
  INTERNAL_PATHS,
  VOLUNTEERING_CARD_PATHS,
} from '#paths'
import type { Figures } from '#server/modules/reports/figures.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import { jobRecords } from '#server/platform/job-runner/lease.ts'

/** The figures for the operator's monitoring, at an address of their own that no visitor reaches. */
export interface Metrics {
  /** Counts and times what a listener answers. */
  counting(listener: RequestListener): RequestListener
  /** @returns the port listened at */
  listen(at: { readonly port: number; readonly host: string }): Promise<number>
  stop(): Promise<void>
}

/** To count the cards is to read them all, so they are counted once a minute, which is enough for a graph. */
const KEEP_FIGURES_MS = 60_000

export interface MetricsParts {
  readonly db: Database
  readonly clock: Clock
  readonly figures: Pick<Figures, 'counts'>
}

/** The figures of the database are read when monitoring asks for them, at most once a minute. */
export function createMetrics({ db, clock, figures }: MetricsParts): Metrics {
  const registers = [new Registry()]
  const [registry] = registers as [Registry]
  collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'gifts_requests_total',
    help: 'Requests answered, by kind of address and status.',
    labelNames: ['route', 'status'] as const,
    registers,
  })
  const durations = new Histogram({
    name: 'gifts_request_seconds',
    help: 'From a request’s headers to the end of its answer; without the Studio, whose streams stay open.',
    labelNames: ['route'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  })
  const { readFigures, forgetFigures } = createFigureGauges({ db, clock, figures }, registers)

  let readAt = Number.NEGATIVE_INFINITY
  async function page(): Promise<string> {
    if (Math.abs(clock() - readAt) >= KEEP_FIGURES_MS) {
      readAt = clock()
      // While the database is away its figures are missing, but those of the process are still given.
      await readFigures().catch(() => {
        forgetFigures()
        readAt = Number.NEGATIVE_INFINITY
      })
    }
    return registry.metrics()
  }

  const server = serving(page, registry.contentType)

  return {
    counting: listener => (request, response) => {
      const route = routeClass(request.url ?? '/')
      const start = performance.now()
      response.once('close', () => {
        requests.inc({ route, status: response.statusCode })
        if (route !== 'studio') durations.observe({ route }, (performance.now() - start) / 1000)
      })
      listener(request, response)
    },
    async listen({ port, host }) {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, resolve)
      })
      return (server.address() as AddressInfo).port
    },
    stop: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The figures of the database. */
function createFigureGauges({ db, clock, figures }: MetricsParts, registers: Registry[]) {
  const gauge = <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge({ name, help, labelNames, registers })
  const cards = gauge('gifts_cards', 'Cards sold or given, by what became of them.', ['status'])
  const mails = gauge('gifts_mails', 'Mails that are not sent: waiting, failing, given up.', ['state'])
  const jobAge = gauge('gifts_job_age_seconds', 'Since a periodic job last ended.', ['job'])
  const jobWell = gauge('gifts_job_well', 'Whether its last run did its work (1) or not (0).', ['job'])
  const findings = gauge(
    'gifts_ledger_findings',
    'What the last daily check of the ledger found; NaN where none has finished, or the last one failed.',
  )
  const ofDatabase = [cards, mails, jobAge, jobWell]
  forgetFigures()

  /** An unknown figure is left out. Neither an earlier value nor a 0 stands for it. */
  function forgetFigures(): void {
    for (const each of ofDatabase) each.reset()
    findings.set(Number.NaN)
  }

  async function readFigures(): Promise<void> {
    const now = clock()
    const counts = await figures.counts(now)
    for (const [status, n] of Object.entries(counts.cards)) cards.set({ status }, n)
    for (const [state, n] of Object.entries(counts.mails)) mails.set({ state }, n)
    for (const { name: job, finishedAt, outcome, result } of await db.read(jobRecords)) {
      if (finishedAt === null) continue
      jobAge.set({ job }, (now - finishedAt) / 1000)
      jobWell.set({ job }, outcome === 'done' ? 1 : 0)
      if (job === 'ledger-check') findings.set(Number(result.findings ?? Number.NaN))
    }
  }

  return { readFigures, forgetFigures }
}

/** Answers `/metrics` alone; every other path is not found. */
function serving(page: () => Promise<string>, contentType: string): Server {
  return createServer((request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') return void response.writeHead(404).end()
    page().then(
      text => response.writeHead(200, { 'Content-Type': contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
}

type RouteClass = 'api' | 'card' | 'file' | 'health' | 'operator' | 'page' | 'studio'

/** One of a few fixed words for a path, so that no text of a visitor gets into a label. */
export function routeClass(url: string): RouteClass {
  const path = url.split('?', 1)[0] ?? ''
  const begins = (...starts: readonly string[]) => starts.some(start => path.startsWith(start))
  if (begins('/health/')) return 'health'
  if (begins(`${API_PATHS}operator/`)) return 'operator'
  if (begins(API_PATHS)) return 'api'
  const isOfGift = begins(CARD_PATHS, VOLUNTEERING_CARD_PATHS, ...ID_AND_KEY_PATHS, `${GIFT_LINK_PATH}/`)
  if (isOfGift || path === GIFT_LINK_PATH) return 'card'
  if (/^\/(?:studio(?:\/|$|-)|v\d|local\/|images\/|files\/)/.test(path)) return 'studio'
  if (begins('/_', INTERNAL_PATHS) || /\.\w+$/.test(path)) return 'file'
  return 'page'
}
