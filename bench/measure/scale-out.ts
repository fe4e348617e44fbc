import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { localizedPath } from '#paths'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { sellCards } from '#tests/builders/server.ts'
import { pay } from '#tests/support/product/buy.ts'
import type { Answer } from '#tests/support/product/call.ts'
import { contentClientOf, shownAfter } from '#tests/support/product/content.ts'
import { type Request, sent } from '../harness/client.ts'
import { type Cluster, startCluster, workDone } from '../harness/cluster.ts'
import { runsOf } from '../harness/job-runs.ts'
import type { Profile } from '../harness/profile.ts'
import { askForCard, cardPage, publishedPage, readCard, redeem, startPayment } from '../harness/requests.ts'
import { goalOf } from '../report/goals.ts'
import type { Figure } from '../report/threshold.ts'

const PART = 'Two server processes on one PostgreSQL behind nginx'
const VISITORS = 6
const DUE = 100
const CARDS = 2_000
const PAGE = localizedPath('es', '/intro/ngo-list')
/** These run once in a quarter of an hour or less often: once in a benchmark, whoever restarts. */
const RARE_JOBS = ['auto-donation', 'reminders', 'retention'] as const

type Work = Pick<Profile, 'restarts' | 'publishes'>

/** Restarts under load, publishes and shared work, as several machines would see them. */
export async function measureScaleOut({ restarts, publishes }: Work): Promise<Figure[]> {
  const cluster = await startCluster({ due: DUE })
  try {
    const drained = await underLoad(cluster, () => restartAll(cluster, restarts, true))
    const atOnce = await underLoad(cluster, () => restartAll(cluster, 1, false))
    const steps = await publish(cluster, publishes)
    return [
      ...restartFigures(drained, restarts),
      ...atOnceFigures(atOnce),
      ...steps,
      ...(await once(cluster)),
    ]
  } finally {
    await cluster.stop()
  }
}

async function restartAll(cluster: Cluster, rounds: number, drained: boolean): Promise<void> {
  for (let round = 0; round < rounds; round++)
    for (const n of cluster.ports().keys()) {
      await pause(500)
      await cluster.restart(n, drained)
    }
  await pause(500)
}

interface Load {
  answered: number
  bought: number
  readonly failures: string[]
}

type Ask = (what: string, request: Request) => Promise<Answer | undefined>

/** Visitors read, give away and buy, each request on a connection of its own, for as long as something is done. */
async function underLoad(cluster: Cluster, work: () => Promise<void>): Promise<Load> {
  const load: Load = { answered: 0, bought: 0, failures: [] }
  const keys = (await sellCards(cluster.db, CARDS)).map(({ privateKey }) => privateKey)
  const shown = keys.slice(0, 50)
  const unused = keys.slice(50)
  const { url } = cluster.balancer
  const alone = new Agent({ keepAlive: false })
  let isOver = false
  const ask: Ask = async (what, request) => {
    const answer = await sent(request, alone).catch((error: NodeJS.ErrnoException) => error)
    if ('status' in answer && answer.status < 400) {
      load.answered++
      return answer
    }
    load.failures.push(`${what}: ${'status' in answer ? answer.status : (answer.code ?? answer.message)}`)
    return undefined
  }
  const visitor = async (n: number): Promise<void> => {
    for (let turn = n; !isOver; turn++) {
      const key = shown[turn % shown.length]!
      await ask('page', publishedPage(url))
      await ask('card page', cardPage(url, key))
      await ask('card read', readCard(url, key))
      const spent = unused.pop()
      if (spent !== undefined) await ask('card given away', redeem(url, spent))
      if (turn % 4 === 0) await buy(cluster, ask, load)
    }
  }
  const visiting = Promise.all(Array.from({ length: VISITORS }, (_, n) => visitor(n)))
  await work().finally(() => {
    isOver = true
  })
  await visiting
  for (const failure of load.failures.slice(0, 10)) console.error(`scale-out: ${failure}`)
  return load
}

async function buy({ balancer, paymentUrl }: Cluster, ask: Ask, load: Load): Promise<void> {
  const started = await ask('payment started', startPayment(balancer.url))
  if (started === undefined) return
  const sessionId = new URL(String(started.json().url)).pathname.slice('/c/pay/'.length)
  await pay({ url: paymentUrl }, sessionId)
  if (await ask('card bought', askForCard(balancer.url, sessionId))) load.bought++
}

const restartFigures = ({ answered, bought, failures }: Load, rounds: number): Figure[] => [
  {
    id: 'requests',
    part: PART,
    what: `requests while both were restarted ${rounds} times, taken out of nginx first`,
    unit: '',
    measured: answered,
  },
  { id: 'bought', part: PART, what: 'cards bought meanwhile', unit: '', measured: bought },
  {
    id: 'failed',
    part: PART,
    what: 'requests that failed',
    unit: '',
    measured: failures.length,
    goal: goalOf('rolling-restart'),
  },
]

const atOnceFigures = ({ answered, failures }: Load): Figure[] => [
  {
    id: 'requests-at-once',
    part: PART,
    what: 'requests while both were restarted without that',
    unit: '',
    measured: answered,
  },
  {
    id: 'failed-at-once',
    part: PART,
    what: 'requests that failed without that',
    unit: '',
    measured: failures.length,
  },
]

async function publish(cluster: Cluster, times: number): Promise<Figure[]> {
  const slowest: number[] = []
  const apart: number[] = []
  for (let n = 0; n < times; n++) {
    const title = `Renamed ${n}, for all servers`
    const startedAt = performance.now()
    await contentClientOf(cluster.content).patch('ngo-msf').set({ 'title.es': title }).commit()
    await cluster.tellOfPublish()
    const shown = await Promise.all(
      cluster.ports().map(async port => {
        await shownAfter(`http://127.0.0.1:${port}${PAGE}`, title)
        return performance.now() - startedAt
      }),
    )
    slowest.push(Math.max(...shown))
    apart.push(Math.max(...shown) - Math.min(...shown))
  }
  return [
    {
      id: 'publish',
      part: PART,
      what: 'publish to the last server’s page',
      unit: 'ms',
      measured: Math.max(...slowest),
      goal: goalOf('publish-to-all'),
    },
    {
      id: 'apart',
      part: PART,
      what: 'the first and the last server apart',
      unit: 'ms',
      measured: Math.max(...apart),
    },
  ]
}

/** Whatever is done for all of them is done once. */
async function once(cluster: Cluster): Promise<Figure[]> {
  const { db, mails } = cluster
  await workDone(db)
  const { drawn } = await db.read(reader =>
    reader
      .selectFrom('draws')
      .select(eb => eb.fn.countAll<number>().as('drawn'))
      .executeTakeFirstOrThrow(),
  )
  const ids = mails.map(({ data }) => /^Message-ID: (.*)$/im.exec(data)?.[1] ?? '')
  const output = cluster.output()
  const again = RARE_JOBS.map(job => Math.abs(runsOf(output, job) - 1)).reduce((sum, each) => sum + each, 0)
  const figure = (id: string, what: string, measured: number, goal?: Figure['goal']): Figure => ({
    id,
    part: PART,
    what,
    unit: '',
    measured,
    ...(goal && { goal }),
  })
  return [
    figure('mails', 'mails sent', ids.length),
    figure('mails-twice', 'mails sent twice', ids.length - new Set(ids).size, goalOf('exactly-once')),
    figure(
      'donations',
      `of ${DUE} cards that were due, not given away exactly once`,
      Math.abs(DUE - Number(drawn)),
      goalOf('exactly-once'),
    ),
    figure('jobs', 'rare jobs that did not run exactly once', again, goalOf('exactly-once')),
    figure('books', 'findings in the books', (await checkLedger(db)).length, goalOf('exactly-once')),
  ]
}
