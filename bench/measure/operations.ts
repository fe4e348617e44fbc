import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { HOUR_MS } from '#domain/durations.ts'
import { cardPath } from '#paths'
import { watch } from '#server/app/schedule/watch.ts'
import { createLostLinks } from '#server/modules/gifts/cards/lost-links.ts'
import { createFigures } from '#server/modules/reports/figures.ts'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { askFor, jobRecords } from '#server/platform/job-runner/lease.ts'
import { TEST_CARD_SECRET, testKeys } from '#tests/builders/server.ts'
import type { Profile } from '../harness/profile.ts'
import { fill, fillDatabase } from '../harness/seed-data.ts'
import { startSite } from '../harness/site.ts'
import { goalOf } from '../report/goals.ts'
import { percentile, spread } from '../report/statistics.ts'
import type { Figure } from '../report/threshold.ts'

const DUE = 10_000
/** Beside them. */
const NOT_DUE = 1_000
/** Epoch ms UTC: before every other card. */
const DUE_AT = 1
/** A run in which the cards are not given measures nothing. */
const MOST_MS = 600_000
const IDLE_PAGES = 1_500
/** About 100 MB. */
const CARDS_OF_BACKUP = 62_000

/**
 * The operator's work on a year's data, on SQLite: the yearly auto-donation, a backup, the check of the books and the
 * restore drill. Takes minutes and gigabytes.
 */
export async function measureOperations({
  operationCards,
}: Pick<Profile, 'operationCards'>): Promise<Figure[]> {
  return [...(await measureDonation()), ...(await measureBackup()), ...(await measureCheck(operationCards))]
}

/** The yearly auto-donation of many cards at once, and what a recipient notices of it. */
async function measureDonation(): Promise<Figure[]> {
  const site = await startSite({ cards: NOT_DUE })
  const db = await openDatabase({ dataDir: site.dataDir })
  try {
    const look = pageLooks(site.url, site.keys.active)
    // The first ones are slower, and the job's first run is over meanwhile.
    for (let n = 0; n < 300; n++) await look()
    const idle: number[] = []
    for (let n = 0; n < IDLE_PAGES; n++) idle.push(await look())
    await fill(db, { name: 'due', count: DUE, dueAt: DUE_AT })
    const begun = performance.now()
    await askFor(db, 'auto-donation', { now: Date.now(), trustsClock: true })
    const during: number[] = []
    while ((await leftOver(db)) > 0 || (await isRunning(db))) {
      for (let n = 0; n < 20; n++) during.push(await look())
      if (performance.now() - begun > MOST_MS)
        throw new Error(`After ${MOST_MS / 1_000} s some of the cards wait`)
    }
    const seconds = (performance.now() - begun) / 1_000
    const part = `Auto-donation of ${DUE.toLocaleString('en')} cards`
    return [
      {
        id: 'time',
        part,
        what: 'until all are given',
        unit: 's',
        measured: seconds,
        goal: goalOf('donation-time'),
      },
      {
        id: 'page-p99',
        part,
        what: 'a card page meanwhile (p99), against idle',
        unit: 'ms',
        measured: percentile(during, 0.99),
        reference: percentile(idle, 0.99),
        spread: spread(during),
        goal: goalOf('donation-page'),
      },
      {
        id: 'page-p50',
        part,
        what: 'the usual card page meanwhile (p50), against idle',
        unit: 'ms',
        measured: percentile(during, 0.5),
        reference: percentile(idle, 0.5),
      },
    ]
  } finally {
    await db.close()
    await site.stop()
  }
}

/** Asks for card after card, one at a time. @returns how long each took, ms */
function pageLooks(url: string, keys: readonly string[]): () => Promise<number> {
  let n = 0
  return async () => {
    const key = keys[n++ % keys.length] ?? ''
    const begun = performance.now()
    const answer = await fetch(url + cardPath(key, 'select-ngo', 'final'))
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`a card page answered ${answer.status}`)
    return performance.now() - begun
  }
}

async function leftOver(db: Database): Promise<number> {
  const due = await db.read(reader =>
    reader
      .selectFrom('cards')
      .select('id')
      .where('status', '=', 'active')
      .where('auto_donate_at', '=', DUE_AT)
      .limit(1)
      .execute(),
  )
  return due.length
}

async function isRunning(db: Database): Promise<boolean> {
  const jobs = await db.read(jobRecords)
  return jobs.some(({ name, leaseUntil }) => name === 'auto-donation' && leaseUntil !== null)
}

/** A backup beside a writer that never rests. */
async function measureBackup(): Promise<Figure[]> {
  return inFolder(async dataDir => {
    await fillDatabase({ dataDir }, { fillers: CARDS_OF_BACKUP, sold: 1 })
    const db = await openDatabase({ dataDir })
    const write = async (): Promise<number> => {
      const begun = performance.now()
      await db.transaction(trx =>
        trx
          .insertInto('sightings')
          .values({ name: 'bench', at: Date.now() })
          .onConflict(conflict => conflict.column('name').doUpdateSet({ at: Date.now() }))
          .execute(),
      )
      return performance.now() - begun
    }
    const idle: number[] = []
    for (let n = 0; n < 200; n++) idle.push(await write())
    let isOver = false
    const during: number[] = []
    const writing = (async () => {
      while (!isOver) {
        during.push(await write())
        await wait(1)
      }
    })()
    const { seconds, bytes } = await ops<{ seconds: number; bytes: number }>(dataDir, 'backup').finally(
      () => {
        isOver = true
      },
    )
    await writing
    await db.close()
    const part = `Backup of a database of ${Math.round(bytes / 1e6)} MB`
    return [
      {
        id: 'time',
        part,
        what: 'copied and checked',
        unit: 's',
        measured: seconds,
        goal: goalOf('backup-time'),
      },
      {
        id: 'writer',
        part,
        what: 'longest wait of a writer meanwhile',
        unit: 'ms',
        measured: Math.max(...during),
        goal: goalOf('backup-writer'),
      },
      {
        id: 'writer-idle',
        part,
        what: 'longest wait of a writer before',
        unit: 'ms',
        measured: Math.max(...idle),
      },
    ]
  })
}

/** The check of the books, and the drill: a backup brought back on an empty machine, and checked. */
async function measureCheck(cards: number): Promise<Figure[]> {
  return inFolder(async dataDir => {
    const begun = performance.now()
    await fillDatabase({ dataDir }, { fillers: cards - 1, sold: 1 })
    console.error(`made ${cards} cards in ${((performance.now() - begun) / 1_000).toFixed(0)} s`)
    const held = await measureHoldUps(dataDir)
    const check = await seconds(() => ops(dataDir, 'check'))
    const file = join(dataDir, 'copy.sqlite')
    const backup = await seconds(() => ops(dataDir, 'backup', file))
    const megabytes = statSync(file).size / 1e6
    const restore = await inFolder(other => seconds(() => ops(other, 'restore', file)))
    const part = `${cards.toLocaleString('en')} cards, ${Math.round(megabytes)} MB`
    return [
      {
        id: 'check',
        part,
        what: 'check of the books',
        unit: 's',
        measured: check,
        goal: goalOf('books-check'),
      },
      { id: 'backup', part, what: 'backup', unit: 's', measured: backup },
      {
        id: 'restore',
        part,
        what: 'restore drill, checked',
        unit: 's',
        measured: restore,
        goal: goalOf('restore-drill'),
      },
      ...held.map(figure => ({ part, ...figure })),
    ]
  })
}

/** For how long the process of the site would answer nobody, among all these cards. */
async function measureHoldUps(dataDir: string): Promise<Omit<Figure, 'part'>[]> {
  const db = await openDatabase({ dataDir })
  try {
    const figures = createFigures(db, { dataDir })
    const lostLinks = createLostLinks({ db, keys: testKeys, clock: Date.now })
    const log = { info() {}, error() {} }
    const look = watch({
      db,
      // Every order counts as paid today, with no event of it.
      clock: () => Date.now() + 2 * HOUR_MS,
      log,
      campaigns: () => [],
      isReviewDue: () => false,
      expectsBackups: true,
    })
    const works = {
      'the operator’s figures are read': () => figures.summary(Date.now()),
      'monitoring counts cards and mails': () => figures.counts(Date.now()),
      'the table of payouts is read': () => figures.payouts(Date.now()),
      'somebody asks for lost links': () => lostLinks.request('nobody@example.org'),
      'the watch looks for what needs a person': () => look.run({ goOn: async () => {} }),
    }
    const held: Omit<Figure, 'part'>[] = []
    for (const [what, work] of Object.entries(works))
      held.push({
        id: what,
        what: `longest hold-up while ${what}`,
        unit: 'ms',
        measured: await longestHoldUp(work),
        goal: goalOf('hold-up'),
      })
    return held
  } finally {
    await db.close()
  }
}

async function longestHoldUp(work: () => Promise<unknown>): Promise<number> {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  delays.enable()
  await wait(50)
  delays.reset()
  // From one look to the next: without a first one, what begins at once and goes on at a stretch is not seen at all.
  await wait(50)
  await work()
  await wait(50)
  delays.disable()
  return delays.max / 1e6
}

/** What an operator's command said as data. @throws when it did not end well */
async function ops<T>(dataDir: string, ...args: string[]): Promise<T> {
  // With the secret, so that the seals are looked at too.
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', CARD_KEY_SECRET: TEST_CARD_SECRET }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['src/server/ops/main.ts', ...args, '--json'],
    { env },
  )
  return JSON.parse(stdout) as T
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1_000
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-operations-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
