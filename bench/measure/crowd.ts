import { Agent } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { pay } from '#tests/support/product/buy.ts'
import type { Answer } from '#tests/support/product/call.ts'
import { sent, visitorHeaders } from '../harness/client.ts'
import { type Cluster, startCluster, workDone } from '../harness/cluster.ts'
import type { Profile } from '../harness/profile.ts'
import { askForCard, startPayment } from '../harness/requests.ts'
import { NO_LINE } from '../harness/site.ts'
import { goalOf } from '../report/goals.ts'
import { overtaken } from '../report/statistics.ts'
import type { Figure } from '../report/threshold.ts'

const ARRIVALS = 200
const PER_SECOND = 20
const BEHIND = 'two server processes behind nginx, PgBouncer before PostgreSQL'
const PART = `${ARRIVALS} buyers a second at ${PER_SECOND} admitted, ${BEHIND}`
/** Before that those come in who may come at once. Then the admitted are counted by so many seconds. */
const SETTLED_S = 15
const COUNTED_S = 10
/** Fewer than may come in at once, before anybody else. */
const WARM_UP = 80
const REFILLED_MS = 6_000
/** So many of those admitted pay once the evening is over. */
const PAYING = 300
/** A kept connection each would measure the sockets of this process. */
const SOCKETS = 400
/** Calls of the provider for one payment, and one to spare. */
const CALLS = 4

/** The largest national peak on record, and a machine for it. */
const PEAK = 350
const PROCESSORS = 8
const PEAK_PART = `Buyers without a line, ${BEHIND}`
const BUYERS = 12
const PEAK_WARM_UP = 300
/** What goes on meanwhile, whoever buys, is to weigh little. */
const PEAK_CARDS_EACH = 4

interface Admitted {
  /** In the order of arrival. */
  readonly number: number
  /** s since the first arrival. */
  readonly at: number
  readonly url: string
}

interface Evening {
  readonly admitted: readonly Admitted[]
  readonly asked: number
  readonly tooMany: number
  readonly failures: readonly string[]
  /** What this process used of one processor, 0 to 1 and more, and how long it was at most away from its work, s. */
  readonly busy: number
  readonly longestAway: number
}

type Work = Pick<Profile, 'crowdSeconds' | 'costCards'>

/** An evening on which ten times as many press as may come in; then what one purchase costs where all may. */
export async function measureCrowd({ crowdSeconds, costCards }: Work): Promise<Figure[]> {
  return [...(await waitingCrowd(crowdSeconds)), ...(await peak(costCards))]
}

async function waitingCrowd(seconds: number): Promise<Figure[]> {
  const cluster = await startCluster({
    due: 0,
    pooled: true,
    settings: {
      LIMITS: `gateway=60/${PER_SECOND * 600}`,
      PROVIDER_PER_SECOND: String(PER_SECOND * CALLS),
    },
  })
  try {
    await bought(cluster, WARM_UP)
    // As many as may come in at once may do so again.
    await pause(REFILLED_MS)
    const evening = await crowdAt(cluster, seconds)
    const paying = evening.admitted.slice(0, PAYING).map(({ url }) => url)
    await together(paying.length, (n, agent) => buy(cluster, paying[n]!, agent))
    const wrong =
      (await checkLedger(cluster.db)).length + Math.abs((await cardsOf(cluster)) - paying.length - WARM_UP)
    return figuresOf(evening, seconds, paying.length, wrong)
  } finally {
    await cluster.stop()
  }
}

/** Those who come are counted, not rendered, and pay later: two processors carry one of the two. */
async function crowdAt({ balancer: { url } }: Cluster, seconds: number): Promise<Evening> {
  const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS })
  const admitted: Admitted[] = []
  const failures: string[] = []
  let asked = 0
  let tooMany = 0
  const away = monitorEventLoopDelay()
  away.enable()
  const usedBefore = process.cpuUsage()
  const startedAt = performance.now()
  const since = () => (performance.now() - startedAt) / 1_000

  /** Comes in, or is told to come again and does so, until the evening is over. */
  const visitor = async (number: number): Promise<void> => {
    const headers = { ...visitorHeaders(), 'Idempotency-Key': `a-buyer-of-the-benchmark-${number}` }
    for (let cookie = ''; since() < seconds; ) {
      asked++
      const request = startPayment(url)
      const answer = await sent(
        { ...request, headers: { ...request.headers, ...headers, ...(cookie && { cookie }) } },
        agent,
      )
      if (answer.status === 200) {
        admitted.push({ number, at: since(), url: String(answer.json().url) })
        return
      }
      if (answer.status !== 202) {
        if (answer.status === 429) tooMany++
        throw new Error(`the payment: ${answer.status}`)
      }
      cookie = String(answer.headers['set-cookie'] ?? cookie).split(';')[0] ?? ''
      const again = againIn(answer)
      if (since() + again / 1_000 > seconds) return
      await pause(again)
    }
  }

  const visiting: Promise<unknown>[] = []
  for (let number = 0; number < seconds * ARRIVALS; number++) {
    const early = number / ARRIVALS - since()
    if (early > 0) await pause(early * 1_000)
    visiting.push(visitor(number).catch((error: Error) => failures.push(error.message)))
  }
  await Promise.all(visiting)
  const { user, system } = process.cpuUsage(usedBefore)
  const busy = (user + system) / 1_000_000 / since()
  const longestAway = away.max / 1_000_000_000
  away.disable()
  agent.destroy()
  return { admitted, asked, tooMany, failures, busy, longestAway }
}

const againIn = (answer: Answer): number =>
  (answer.json() as { waiting: { ask_again_ms: number } }).waiting.ask_again_ms

/** @throws Error where no card comes of it */
async function buy({ balancer, paymentUrl }: Cluster, session: string, agent: Agent): Promise<void> {
  const sessionId = new URL(session).pathname.slice('/c/pay/'.length)
  await pay({ url: paymentUrl }, sessionId)
  const { status } = await sent(askForCard(balancer.url, sessionId), agent)
  if (status !== 200) throw new Error(`the card: ${status}`)
}

/** Buys so many cards. */
const bought = (cluster: Cluster, count: number): Promise<void> =>
  together(count, async (_, agent) => {
    const { status, json } = await sent(startPayment(cluster.balancer.url), agent)
    if (status !== 200) throw new Error(`the payment: ${status}`)
    await buy(cluster, String(json().url), agent)
  })

/** So many times, a few at a time. */
async function together(count: number, work: (n: number, agent: Agent) => Promise<void>): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: BUYERS })
  let begun = 0
  const buyer = async (): Promise<void> => {
    while (begun < count) await work(begun++, agent)
  }
  try {
    await Promise.all(Array.from({ length: BUYERS }, buyer))
  } finally {
    agent.destroy()
  }
}

async function cardsOf({ db }: Cluster): Promise<number> {
  const { cards } = await db.read(reader =>
    reader
      .selectFrom('cards')
      .select(eb => eb.fn.countAll<number>().as('cards'))
      .executeTakeFirstOrThrow(),
  )
  return Number(cards)
}

/** How far the admitted of any span are from the rate, each second. */
export function farthest(at: readonly number[], seconds: number): number {
  const spans = Math.floor((seconds - SETTLED_S) / COUNTED_S)
  const off = Array.from({ length: spans }, (_, n) => {
    const from = SETTLED_S + n * COUNTED_S
    return Math.abs(
      at.filter(each => each >= from && each < from + COUNTED_S).length / COUNTED_S - PER_SECOND,
    )
  })
  return Math.max(...off)
}

type Line = readonly [id: string, what: string, unit: string, measured: number, goal?: Figure['goal']]

const figuresIn = (part: string, lines: readonly Line[]): Figure[] =>
  lines.map(([id, what, unit, measured, goal]) => ({
    id,
    part,
    what,
    unit,
    measured,
    ...(goal && { goal }),
  }))

function figuresOf(evening: Evening, seconds: number, bought: number, wrong: number): Figure[] {
  const { admitted, asked, tooMany, failures, busy, longestAway } = evening
  for (const failure of new Set(failures)) console.error(`crowd: ${failure}`)
  const settled = admitted.filter(({ at }) => at >= SETTLED_S)
  const twice = admitted.length - new Set(admitted.map(({ url }) => url)).size
  const off = farthest(
    admitted.map(({ at }) => at),
    seconds,
  )
  return figuresIn(PART, [
    ['arrivals', `arrivals in ${seconds} s`, 'buyers', seconds * ARRIVALS],
    ['asked', 'presses, those of who asks again included', '/s', asked / seconds],
    ['admitted', 'admitted, on average', '/s', settled.length / (seconds - SETTLED_S)],
    ['off', `farthest from ${PER_SECOND} a second in any ${COUNTED_S} s`, '/s', off, goalOf('crowd-rate')],
    [
      'overtaken',
      'longest that somebody came in after a later one',
      's',
      overtaken(admitted),
      goalOf('crowd-order'),
    ],
    ['bought', 'of those admitted, paid and asked for their cards later', 'cards', bought],
    ['too-many', 'answered with 429', '', tooMany, goalOf('crowd-refused')],
    [
      'failed',
      'answered otherwise than with a place or the payment',
      '',
      failures.length,
      goalOf('crowd-refused'),
    ],
    [
      'twice',
      'payments opened twice, cards more or fewer than bought, findings in the books',
      '',
      twice + wrong,
      goalOf('crowd-refused'),
    ],
    ['busy', 'of one processor, used by the buyers and the stand-ins of services', '%', busy * 100],
    ['away', 'longest that these did nothing for want of a processor', 's', longestAway],
  ])
}

/** As many purchases as this machine carries at once; from what one costs follows what another machine would carry. */
async function peak(costCards: number): Promise<Figure[]> {
  const cards = costCards * PEAK_CARDS_EACH
  const cluster = await startCluster({
    due: 0,
    pooled: true,
    settings: { LIMITS: NO_LINE, PROVIDER_PER_SECOND: '1000' },
  })
  try {
    await bought(cluster, PEAK_WARM_UP)
    await workDone(cluster.db)
    const before = await cluster.spent()
    const startedAt = performance.now()
    await bought(cluster, cards)
    const seconds = (performance.now() - startedAt) / 1_000
    await workDone(cluster.db)
    const after = await cluster.spent()
    const ms = (of: keyof typeof after): number => (after[of] - before[of]) / 1_000 / cards
    const each = ms('servers') + ms('database') + ms('balancer')
    return figuresIn(PEAK_PART, [
      [
        'carried',
        `purchases here, of ${cards}, buyers and stand-ins on the same processors`,
        '/s',
        cards / seconds,
      ],
      ['servers', 'processor for one, mail included: the servers', 'ms', ms('servers')],
      ['database', 'the same: PostgreSQL and PgBouncer', 'ms', ms('database')],
      ['balancer', 'the same: nginx', 'ms', ms('balancer')],
      [
        'peak',
        `processors that ${PEAK} purchases a second keep busy, by that`,
        'processors',
        (PEAK * each) / 1_000,
      ],
      ['eight', `purchases that ${PROCESSORS} processors carry, by that`, '/s', (PROCESSORS * 1_000) / each],
    ])
  } finally {
    await cluster.stop()
  }
}
