import { type KyselyPlugin, sql } from 'kysely'
import type { Act } from '#domain/desk/acts.ts'
import { Problem } from '#domain/problems.ts'
import { openContent } from '#server/app/parts/content.ts'
import { type Foundation, layFoundation } from '#server/app/parts/foundation.ts'
import { createGiftParts, type GiftParts } from '#server/app/parts/gifts.ts'
import { createPeriodicJobs } from '#server/app/parts/jobs.ts'
import type { DeskActParts } from '#server/modules/desk/act-parts.ts'
import { act, type Done } from '#server/modules/desk/acts.ts'
import type { Press } from '#server/modules/desk/press-notes.ts'
import { createAlarms } from '#server/modules/letters/alarms.ts'
import { followPayment, refundByOperator } from '#server/modules/payments/refund-by-operator.ts'
import { createStripeClients } from '#server/modules/payments/stripe-client.ts'
import { type Database, openDatabase, type Reader, type Writer } from '#server/platform/db/database.ts'
import type { Jobs } from '#server/platform/job-runner/job-runner.ts'
import { createLog, type Log } from '#server/platform/log.ts'
import { inside, Killed, Life, machine } from './machine.ts'
import type { Outside } from './outside.ts'
import type { Plant } from './plants.ts'
import { OPERATOR, SITE, settingsOf } from './settings.ts'

/** One writer at a time, as in the embedded database; of those who wait, the seed says who is next. */
export class Writers {
  #isHeld = false
  #waiting: (() => void)[] = []

  async acquire(): Promise<() => void> {
    if (this.#isHeld) await new Promise<void>(resolve => this.#waiting.push(resolve))
    this.#isHeld = true
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      const [next] = this.#waiting.splice(Math.floor(machine.chance() * this.#waiting.length), 1)
      if (next) machine.push('writer', next)
      else this.#isHeld = false
    }
  }
}

/** A server that runs. */
export interface Server {
  readonly life: Life
  readonly db: Database
  readonly keys: Foundation['keys']
  readonly payments: GiftParts['payments']
  readonly cards: GiftParts['cards']
  readonly withdrawals: GiftParts['withdrawals']
  readonly lostLinks: GiftParts['lostLinks']
  readonly freeCards: GiftParts['freeCards']
  readonly answers: GiftParts['answers']
  readonly invoices: GiftParts['invoices']
  readonly invoiceDesk: GiftParts['invoiceDesk']
  /** As the Studio carries out an act from the file of a card. */
  readonly act: (asked: Act, press: Press) => Promise<Done>
  readonly clock: () => number
  /** Does what is due: the periodic jobs, the mails, news of the content, the files of the public ledger. */
  work(): Promise<void>
  /** Its clock differs from true time by so many ms. */
  skew: number
  terms(): string
  /** The organisations that a card may be given to. */
  listed(): readonly string[]
  setDiskFull(isFull: boolean): Promise<void>
  /** Ends it as a stop does, or lets go of what a dead one held. */
  end(): Promise<void>
}

/** The parts of a year that servers share. */
export interface House {
  readonly folder: string
  readonly outside: Outside
  readonly writers: Writers
  readonly plant: Plant | undefined
  /** A line of a server's log, as it was written. */
  logged(line: string): void
  /** For a plant. */
  refundAll(orderId: string): Promise<void>
  /** Something went into the log that no test may see. */
  heard(event: string, error: unknown): void
}

/** A server that works has looked at the content within these days. */
const LOOK_MS = 5 * 24 * 3_600_000

/** Starts a server as the product does: the same parts, with doubles outside. */
export async function startServer(house: House, name: string, skew: number): Promise<Server> {
  const { folder, outside, writers } = house
  const life = new Life(name)
  const settings = settingsOf(folder)
  const it = { skew }
  const clock = () => machine.now + it.skew
  const written = createLog(line => life.isAlive && house.logged(line), clock)
  const plainLog: Log = {
    info: written.info,
    error(event, error, facts) {
      if (!life.isAlive || error instanceof Killed) return
      written.error(event, error, facts)
      house.heard(event, error)
    },
  }
  const dependencies = {
    root: folder,
    log: plainLog,
    clock,
    monotonic: () => machine.now,
    render: async () => '<p>a mail</p>',
    onContentChanged: async () => true,
  }
  const release = await writers.acquire()
  const laid = await layFoundation(settings, dependencies).finally(release)
  return inside(life, async () => {
    try {
      const watched = watchedBy(life, laid.db, writers, () => outside.strikes('commitLost'))
      const db = house.plant?.over?.(watched) ?? watched
      const others = async () => []
      const { transport } = outside
      const told = { db, clock, transport, mailFrom: settings.mailFrom, siteUrl: SITE, others }
      const alarms = createAlarms({ ...told, log: plainLog, to: OPERATOR })
      const clients = createStripeClients({ secretKey: 'sk_test_local', fetch: outside.ask })
      const foundation: Foundation = {
        ...laid,
        db,
        alarms,
        log: alarms.log,
        transport,
        provider: { clients },
      }
      const contents = await openContent(settings, foundation, dependencies.onContentChanged, {
        source: { fetch: outside.contentFetch },
      })
      const made = createGiftParts(settings, foundation, contents, dependencies.render)
      const gifts = house.plant?.around?.(made, { write: house.logged, refundAll: house.refundAll }) ?? made
      const reversals = { db, keys: laid.keys, clock, log: alarms.log, ...clients }
      const desk: DeskActParts = {
        db,
        keys: laid.keys,
        clock,
        refund: (...refund) => refundByOperator(reversals, ...refund),
        follow: orderId => followPayment(reversals, orderId),
        onQueued: () => gifts.worker.nudge(),
      }
      const leaving = new AbortController()
      let lookedAt = machine.now
      // Pictures are drawn by threads of their own, which nothing here can hold.
      const photoBook = { ...gifts.photoBook, made: async () => ({ photos: 0, missing: 0, madeAt: clock() }) }
      const parts = { ...gifts, photoBook }
      const jobs: Jobs = createPeriodicJobs(settings, foundation, contents, parts, leaving.signal)
      return {
        life,
        db,
        keys: laid.keys,
        payments: gifts.payments,
        cards: gifts.cards,
        withdrawals: gifts.withdrawals,
        lostLinks: gifts.lostLinks,
        freeCards: gifts.freeCards,
        answers: gifts.answers,
        invoices: gifts.invoices,
        invoiceDesk: gifts.invoiceDesk,
        act: (asked, press) => act(house.plant?.atDesk?.(desk) ?? desk, asked, press),
        clock,
        get skew() {
          return it.skew
        },
        set skew(ms) {
          it.skew = ms
        },
        async work() {
          // A look at the content costs more than all the rest; it is there to be looked at every minute.
          const look = async () => {
            if (machine.chance() >= 0.2 && machine.now - lookedAt < LOOK_MS) return
            lookedAt = machine.now
            await contents.follower.nudge()
          }
          await Promise.all([jobs.runDue(), gifts.worker.runDue(), look()])
          // What the jobs have queued.
          await gifts.worker.runDue()
        },
        listed: () => contents.content.listedNgoIds(),
        terms: () => contents.legal.inForce('terms')?.version ?? '',
        async setDiskFull(isFull) {
          life.isDiskFull = isFull
          const pages = isFull ? 1 : 1_000_000
          await laid.db.transaction(async trx => {
            await sql`pragma max_page_count = ${sql.lit(pages)}`.execute(trx)
          })
        },
        async end() {
          leaving.abort()
          await laid.db.close()
        },
      }
    } catch (error) {
      await laid.db.close()
      throw error
    }
  })
}

/**
 * The same database as one process uses it: each statement, each commit is a step at which the process can die and others
 * can go on.
 */
function watchedBy(life: Life, db: Database, writers: Writers, isCommitLost: () => boolean): Database {
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      if (!life.isAlive) throw new Killed(life.name)
      return node
    },
    async transformResult({ result }) {
      await machine.point('statement')
      return result
    },
  }
  const stepping = <T extends Reader | Writer>(handle: T): T =>
    (handle as unknown as Writer).withPlugin(plugin) as unknown as T
  return {
    ...db,
    async read(fn) {
      await machine.point('read')
      return db.read(reader => fn(stepping(reader)))
    },
    async transaction(fn) {
      await machine.point('begin')
      const release = await writers.acquire()
      let result: Awaited<ReturnType<typeof fn>>
      try {
        result = await db.transaction(async trx => {
          const done = await fn(stepping(trx))
          await machine.point('commit')
          return done
        })
      } finally {
        release()
      }
      await machine.point('committed')
      if (isCommitLost()) throw new Problem('temporarily-unavailable', { retryAfterSeconds: 1 })
      return result
    },
  }
}

/** The operator's terminal: a process of its own at the same database. */
export async function openTerminal({ folder, writers }: House): Promise<{ db: Database; raw: Database }> {
  const raw = await openDatabase({ dataDir: folder })
  return { db: watchedBy(new Life('terminal'), raw, writers, () => false), raw }
}
