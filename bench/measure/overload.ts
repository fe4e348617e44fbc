import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { callTogether, type Request, sent } from '../harness/client.ts'
import type { Profile } from '../harness/profile.ts'
import { publishedPage, readCard, redeem } from '../harness/requests.ts'
import { type BenchSite, startSite } from '../harness/site.ts'
import { vitalsOf } from '../harness/vitals.ts'
import { goalOf } from '../report/goals.ts'
import { percentile } from '../report/statistics.ts'
import type { Figure } from '../report/threshold.ts'

const CARDS = 10_000
/** So many visitors at once keep one process busy, and nobody waits for long. */
const CALLERS = 32
const CAPACITY_REQUESTS = 4_000
const TIMES = 10
/** Requests are sent in portions, so long apart. */
const TICK_MS = 10
/** So many visitors at most are at the server at once, on connections that a proxy before it would keep open. */
const CONNECTIONS = 2_000
/** So many are opened at a time: more than a server takes up at once are lost, and tried again seconds later. */
const OPENED_AT_ONCE = 100
/** A visitor's wait is looked at so often until it is as before, and not for longer than this. */
const LOOKS = 10
const BACK_WITHIN_MS = 30_000
/** What counts as before: no slower than so many times the usual. */
const AS_BEFORE = 2
/** What waits is written, connections that rest are closed. */
const RESTS_MS = 6_000

interface Crowd {
  asked: number
  /** ms of each answer to those who were served. */
  readonly served: number[]
  /** So many were asked to come again, and told when. */
  comeAgain: number
  /** So many were answered otherwise, or not at all. */
  others: number
  /** Cards whose gift was confirmed. */
  given: number
}

/**
 * For some time so many visitors that all connections are busy, up to ten times what one process carries where the machine
 * can ask for that: how many are served and how soon, what the others are told, and how soon all is as before.
 */
export async function measureOverload({
  overloadSeconds,
}: Pick<Profile, 'overloadSeconds'>): Promise<Figure[]> {
  const site = await startSite({ cards: CARDS, standIns: false })
  const db = await openDatabase({ dataDir: site.dataDir })
  const redeemed = () =>
    db.read(async reader => (await reader.selectFrom('redemptions').select('card_id').execute()).length)
  try {
    const capacity = () => callTogether(CALLERS, CAPACITY_REQUESTS, n => readCard(site.url, cardOf(site, n)))
    await capacity()
    const { perSecond } = await capacity()
    const usual = await waitOfOne(site)
    const redeemedBefore = await redeemed()
    const memoryBefore = vitalsOf(site.pid).megabytes
    const crowd = await crowdAt(site, perSecond * TIMES, overloadSeconds)
    const leftAt = performance.now()
    while ((await waitOfOne(site)) > usual * AS_BEFORE && performance.now() - leftAt < BACK_WITHIN_MS);
    const backAfter = (performance.now() - leftAt) / 1_000
    await pause(RESTS_MS)
    const lost = Math.max(0, crowd.given - ((await redeemed()) - redeemedBefore))
    const wrong = lost + (await checkLedger(db)).length

    const part = `${CONNECTIONS.toLocaleString('en')} visitors at once at one process, for ${overloadSeconds} s`
    const aSecond = (id: string, what: string, count: number): Figure => ({
      id,
      part,
      what,
      unit: '/s',
      measured: count / overloadSeconds,
    })
    return [
      aSecond('carried', `carried: ${CALLERS} visitors at once`, perSecond * overloadSeconds),
      aSecond('asked', 'asked for', crowd.asked),
      aSecond('served', 'served', crowd.served.length),
      aSecond('come-again', 'asked to come again, with a time', crowd.comeAgain),
      {
        id: 'served-p99',
        part,
        what: 'how long those who are served wait, p99',
        unit: 'ms',
        measured: percentile(crowd.served, 0.99),
        goal: goalOf('overload-wait'),
      },
      {
        id: 'others',
        part,
        what: 'answered otherwise, or not at all',
        unit: '',
        measured: crowd.others,
        goal: goalOf('overload-others'),
      },
      {
        id: 'back',
        part,
        what: `until a visitor waits at most ${AS_BEFORE} × as long as before`,
        unit: 's',
        measured: backAfter,
        goal: goalOf('overload-back'),
      },
      {
        id: 'memory',
        part,
        what: 'memory after it, against before',
        unit: 'MB',
        measured: vitalsOf(site.pid).megabytes,
        reference: memoryBefore,
        goal: goalOf('overload-memory'),
      },
      {
        id: 'books',
        part,
        what: `of ${crowd.given} gifts confirmed: lost, or wrong in the books`,
        unit: '',
        measured: wrong,
        goal: goalOf('overload-books'),
      },
    ]
  } finally {
    await db.close()
    await site.stop()
  }
}

const cardOf = ({ keys: { active } }: BenchSite, n: number): string => active[n % active.length]!

/** ms that one visitor alone waits for a card, the usual one of a few. */
async function waitOfOne(site: BenchSite): Promise<number> {
  const { ms } = await callTogether(1, LOOKS, n => readCard(site.url, cardOf(site, n)))
  return percentile(ms, 0.5)
}

/** Visitors come at this rate whatever becomes of those before: most look at a gift, some give one away. */
async function crowdAt(site: BenchSite, perSecond: number, seconds: number): Promise<Crowd> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, maxFreeSockets: CONNECTIONS })
  const crowd: Crowd = { asked: 0, served: [], comeAgain: 0, others: 0, given: 0 }
  const gifts = site.keys.unused
  const oneIn = Math.ceil((perSecond * seconds) / gifts.length)
  const visit = async (n: number): Promise<void> => {
    const gives = n % oneIn === 0
    const request: Request = gives ? redeem(site.url, gifts[n / oneIn]!) : readCard(site.url, cardOf(site, n))
    const askedAt = performance.now()
    const answer = await sent(request, agent).catch(() => undefined)
    if (answer?.status === 200) {
      crowd.served.push(performance.now() - askedAt)
      if (gives) crowd.given++
    } else if (answer && [429, 503].includes(answer.status) && Number(answer.headers['retry-after']) > 0) {
      crowd.comeAgain++
    } else crowd.others++
  }

  for (let open = OPENED_AT_ONCE; open <= CONNECTIONS; open += OPENED_AT_ONCE)
    await Promise.all(Array.from({ length: open }, () => sent(publishedPage(site.url), agent)))
  const visiting: Promise<void>[] = []
  let under = 0
  const startedAt = performance.now()
  for (let since = 0; since < seconds * 1_000; since = performance.now() - startedAt) {
    while (under < CONNECTIONS && crowd.asked < (since / 1_000) * perSecond) {
      under++
      visiting.push(visit(crowd.asked++).finally(() => under--))
    }
    await pause(TICK_MS)
  }
  await Promise.all(visiting)
  agent.destroy()
  return crowd
}
