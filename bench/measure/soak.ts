import { setTimeout as pause } from 'node:timers/promises'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { sellCards } from '#tests/builders/server.ts'
import { callTogether } from '../harness/client.ts'
import { generateLoad } from '../harness/load-generator.ts'
import type { Profile } from '../harness/profile.ts'
import { cardPage, event, publishedPage, readCard, redeem } from '../harness/requests.ts'
import { type BenchSite, startSite } from '../harness/site.ts'
import { slope, type Vitals, vitalsOf } from '../harness/vitals.ts'
import { goalOf } from '../report/goals.ts'
import { median } from '../report/statistics.ts'
import type { Figure } from '../report/threshold.ts'

const PART = 'The server by itself, production settings, no stand-ins'
const CARDS = 10_000
/** Below it the noise of single collections is larger than what an hour may grow. */
export const LONG_ENOUGH_S = 3_600
const LOAD_SECONDS = 10

type Work = Pick<Profile, 'memoryRequests' | 'soakSeconds'>

/** Memory after many requests; then a long mixed load, with memory, handles and the books looked at throughout. */
export async function measureSoak(profile: Work): Promise<Figure[]> {
  const site = await startSite({ cards: CARDS, standIns: false })
  const db = await openDatabase({ dataDir: site.dataDir })
  try {
    return [
      ...(await memoryAfter(site, profile.memoryRequests)),
      ...(await soak(site, db, profile.soakSeconds)),
    ]
  } finally {
    await db.close()
    await site.stop()
  }
}

async function memoryAfter(site: BenchSite, requests: number): Promise<Figure[]> {
  const atStart = vitalsOf(site.pid).megabytes
  const { active } = site.keys
  const pathOf = ({ url }: { url: string }): string => url.slice(site.url.length)
  const paths = active
    .slice(0, 50)
    .flatMap(key => [
      publishedPage(site.url),
      publishedPage(site.url, 'ngo-list'),
      cardPage(site.url, key),
      readCard(site.url, key),
    ])
    .map(pathOf)
  let done = 0
  while (done < requests) done += await generateLoad({ url: site.url, paths, seconds: LOAD_SECONDS })
  return [
    { id: 'memory-at-start', part: PART, what: 'memory at the start', unit: 'MB', measured: atStart },
    {
      id: 'memory-after-requests',
      part: PART,
      what: `memory after ${(done / 1e6).toFixed(2)} million requests`,
      unit: 'MB',
      measured: vitalsOf(site.pid).megabytes,
      goal: goalOf('memory-after-requests'),
    },
  ]
}

interface Look extends Vitals {
  readonly atSeconds: number
}

async function soak(site: BenchSite, db: Database, seconds: number): Promise<Figure[]> {
  const startedAt = performance.now()
  const elapsed = (): number => (performance.now() - startedAt) / 1_000
  const looks: Look[] = []
  let wrong = (await checkLedger(db)).length
  let requests = 0
  let nextCheck = 60
  while (elapsed() < seconds) {
    requests += await oneRound(site, db)
    looks.push({ ...vitalsOf(site.pid), atSeconds: elapsed() })
    if (elapsed() >= nextCheck) {
      wrong += (await checkLedger(db)).length
      nextCheck += 60
    }
  }
  // What waits is written, connections that rest are closed.
  await pause(6_000)
  wrong += (await checkLedger(db)).length
  const settled = looks.slice(Math.floor(looks.length / 3))
  const perHour = slope(settled.map(({ atSeconds, megabytes }) => [atSeconds / 3_600, megabytes]))
  const third = (n: number): Look[] => looks.slice((looks.length * n) / 3, (looks.length * (n + 1)) / 3)
  const handles = (of: readonly Look[]): number => median(of.map(each => each.handles))
  const lasting = `${Math.round(seconds / 60)} minutes`
  return [
    {
      id: 'rate',
      part: PART,
      what: `requests in a soak of ${lasting}`,
      unit: '/s',
      measured: requests / elapsed(),
    },
    {
      id: 'memory',
      part: PART,
      what: `memory at the end of a soak of ${lasting}`,
      unit: 'MB',
      measured: median(third(2).map(each => each.megabytes)),
      goal: goalOf('memory-in-soak'),
    },
    {
      id: 'growth',
      part: PART,
      what: 'growth of memory, the first third aside',
      unit: 'MB/h',
      measured: perHour,
      ...(seconds >= LONG_ENOUGH_S && { goal: goalOf('memory-growth') }),
    },
    {
      id: 'handles',
      part: PART,
      what: 'more handles in the last third than in the first',
      unit: '',
      measured: Math.max(0, handles(third(2)) - handles(third(0))),
      goal: goalOf('open-handles'),
    },
    {
      id: 'books',
      part: PART,
      what: 'findings in the books',
      unit: '',
      measured: wrong,
      goal: goalOf('soak-books'),
    },
  ]
}

/** A mixture as visitors make it: mostly pages, some cards, a few of them given away. @returns how many requests */
async function oneRound({ url, keys }: BenchSite, db: Database): Promise<number> {
  const { active } = keys
  const fresh = await sellCards(db, 10)
  const counts = await Promise.all([
    together(400, () => publishedPage(url)),
    together(150, n => cardPage(url, active[n % active.length]!)),
    together(150, n => readCard(url, active[n % active.length]!)),
    together(100, () => event(url)),
    together(fresh.length, n => redeem(url, fresh[n]!.privateKey)),
  ])
  return counts.reduce((sum, count) => sum + count, 0)
}

async function together(count: number, request: Parameters<typeof callTogether>[2]): Promise<number> {
  await callTogether(4, count, request)
  return count
}
