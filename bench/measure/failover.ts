import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { pay } from '#tests/support/product/buy.ts'
import type { Answer } from '#tests/support/product/call.ts'
import { type Request, sent } from '../harness/client.ts'
import { type Cluster, startCluster, workDone } from '../harness/cluster.ts'
import {
  MACHINES,
  type Machine,
  type PostgresCluster,
  secondsUntil,
  startPostgresCluster,
} from '../harness/postgres-cluster.ts'
import type { Profile } from '../harness/profile.ts'
import { askForCard, cardPage, readCard, redeem, startPayment } from '../harness/requests.ts'
import { NO_LINE } from '../harness/site.ts'
import { goalOf } from '../report/goals.ts'
import { median } from '../report/statistics.ts'
import type { Figure } from '../report/threshold.ts'

const PART = 'PostgreSQL of three machines (Patroni, etcd, HAProxy, PgBouncer), two servers behind nginx'
/** Who comes buys a card, and gives it away as soon as it is there. */
const ARRIVALS_PER_SECOND = 2
/** Between faults everything goes its way for so long. */
const CALM_MS = 4_000
/** Whoever is asked to come again does so until somebody has to look. */
const GIVE_UP_S = 180
const RECOVERY_S = 120
const RETURN_S = 120
/** One etcd is away for so long, and two. */
const ONE_AWAY_MS = 10_000
const TWO_AWAY_MS = 45_000
/** So many answers in a row say that it goes on. */
const GOING_ON = 5

/** How a machine is lost, and comes back. */
interface Fault {
  readonly what: string
  begin(cluster: PostgresCluster, machine: Machine): void
  end(cluster: PostgresCluster, machine: Machine): Promise<void> | void
}

/** In turn. The third is the worst: whoever writes is not reached by the others, and still by the site. */
const FAULTS: readonly Fault[] = [
  {
    what: 'killed',
    begin: (cluster, machine) => cluster.kill(machine),
    end: (cluster, machine) => cluster.start(machine),
  },
  {
    what: 'paused',
    begin: (cluster, machine) => cluster.pause(machine),
    end: (cluster, machine) => cluster.resume(machine),
  },
  {
    what: 'cut off from the other machines, not from the site',
    begin: (cluster, machine) => cluster.cutOff(machine, 'the other machines'),
    end: (cluster, machine) => cluster.reconnect(machine),
  },
  {
    what: 'cut off from everybody',
    begin: (cluster, machine) => cluster.cutOff(machine, 'everybody'),
    end: (cluster, machine) => cluster.reconnect(machine),
  },
]

type Work = Pick<Profile, 'failovers'>

/** Loses machines of the database under load, and holds what the visitors were told against what is in the books then. */
export async function measureFailover({ failovers }: Work): Promise<Figure[]> {
  const postgres = await startPostgresCluster()
  try {
    await expectWhole(postgres)
    const site = await startCluster({
      due: 0,
      databaseUrl: postgres.databaseUrl,
      settings: { LIMITS: NO_LINE, PROVIDER_PER_SECOND: '1000' },
    })
    try {
      const visitors = receive(site)
      try {
        const figures = [
          ...(await losePrimaries(postgres, visitors, failovers)),
          ...(await loseStandby(postgres, visitors)),
          ...(await loseOneEtcd(postgres, visitors)),
          ...(await loseTwoEtcds(postgres, visitors, site)),
        ]
        await visitors.leave()
        return [...figures, ...(await compare(site, visitors))]
      } finally {
        visitors.giveUp()
      }
    } finally {
      await site.stop()
    }
  } catch (error) {
    for (const machine of MACHINES) console.error(`failover: ${machine}: ${postgres.log(machine)}`)
    throw error
  } finally {
    await postgres.stop()
  }
}

/** One who buys a card and gives it away, and what they were told. */
interface Visitor {
  /** The card, once its buyer was shown it. */
  card?: { readonly id: string; readonly key: string }
  /** What its recipient was told that it gave. */
  given?: Given
  /** When they asked for the last time, epoch ms. */
  askedAt?: number
}

interface Told {
  readonly answer: Answer
  /** Epoch ms of the press that was answered so. */
  readonly askedAt: number
}

/** Cents by organisation. */
type Given = Readonly<Record<string, number>>

interface Visitors {
  readonly all: readonly Visitor[]
  /** Of what was written and told: when, ms of the process's clock. */
  readonly told: readonly number[]
  /** How often they were asked to come again. */
  refused(): number
  /** Answers that nobody may get: another status, a refusal without a way out, another gift than was chosen. */
  readonly wrong: readonly string[]
  /** The longest that anybody waited for one answer, s. */
  longest(): number
  /** Nobody new comes, and who is here is served. */
  leave(): Promise<void>
  /** Nobody asks again. */
  giveUp(): void
}

/** Visitors who come at an even pace, whatever becomes of those before them. */
function receive({ balancer: { url }, paymentUrl }: Cluster): Visitors {
  const agent = new Agent({ keepAlive: true, maxSockets: 1_000 })
  const all: Visitor[] = []
  const told: number[] = []
  const wrong: string[] = []
  let [refusals, longest] = [0, 0]
  let isOpen = true
  let isOver = false

  /** Asks again and again, with the same words, as the site's own pages do. @throws Error where the answer is wrong */
  const untilTold = async (what: string, request: Request): Promise<Told> => {
    const until = performance.now() + GIVE_UP_S * 1_000
    while (!isOver && performance.now() < until) {
      const [at, askedAt] = [performance.now(), Date.now()]
      const answer = await sent(request, agent)
      longest = Math.max(longest, performance.now() - at)
      if (answer.status === 200) return { answer, askedAt }
      refusals++
      const fault = faultOf(answer)
      if (fault !== undefined) throw new Error(`${what}: ${fault}`)
      await pause(Number(answer.headers['retry-after']) * 1_000)
    }
    throw new Error(`${what}: nobody served them`)
  }

  const visit = async (visitor: Visitor, number: number): Promise<void> => {
    const start = startPayment(url)
    const press = { ...start.headers, 'Idempotency-Key': `a-press-of-the-drill-${number}` }
    const payment = await untilTold('a payment', { ...start, headers: press })
    told.push(performance.now())
    const sessionId = new URL(String(payment.answer.json().url)).pathname.slice('/c/pay/'.length)
    await pay({ url: paymentUrl }, sessionId)
    const bought = (await untilTold('a card', askForCard(url, sessionId))).answer.json()
    visitor.card = { id: String(bought.id), key: String(bought.key) }
    const gift = redeem(url, visitor.card.key)
    const giving = { ...gift.headers, 'Idempotency-Key': `a-gift-of-the-drill-${number}` }
    const { answer, askedAt } = await untilTold('a gift', { ...gift, headers: giving })
    told.push(performance.now())
    visitor.given = givenIn(answer)
    visitor.askedAt = askedAt
    const { giftcard } = (await untilTold('a look', readCard(url, visitor.card.key))).answer.json() as {
      readonly giftcard: { readonly isUsed: boolean }
    }
    if (!giftcard.isUsed) wrong.push('a look: a card that was used is not')
  }

  const visiting: Promise<void>[] = []
  const coming = (async () => {
    while (isOpen) {
      const visitor: Visitor = {}
      const number = all.push(visitor)
      visiting.push(
        visit(visitor, number).catch((error: Error) => {
          wrong.push(error.message)
          console.error(`failover: wrong: ${error.message}`)
        }),
      )
      await pause(1_000 / ARRIVALS_PER_SECOND)
    }
  })()
  return {
    all,
    told,
    wrong,
    refused: () => refusals,
    longest: () => longest / 1_000,
    async leave() {
      isOpen = false
      await coming
      await Promise.all(visiting)
      agent.destroy()
    },
    giveUp() {
      isOpen = false
      isOver = true
      agent.destroy()
    },
  }
}

const PROBLEM = /^application\/problem\+json/

/** Why a refusal is none that a visitor may get; undefined where it says what is the matter and when to come again. */
export function faultOf({ status, headers, text }: Answer): string | undefined {
  const isProblem = PROBLEM.test(headers['content-type'] ?? '')
  if (status !== 503 || !isProblem) return `${status} ${text.slice(0, 200)}`
  return Number(headers['retry-after']) > 0 ? undefined : 'a refusal that does not say when to come again'
}

const givenIn = (answer: Answer): Given =>
  Object.fromEntries(
    (
      answer.json() as { readonly allocations: readonly { ngoSelected: string; amount: number }[] }
    ).allocations.map(({ ngoSelected, amount }) => [ngoSelected, amount]),
  )

/**
 * The longest that nobody was told anything, s, from a fault on.
 * @param told when somebody was, in ms, in order
 * @param from and @param to, ms of the same clock
 */
export function longestStandstill(told: readonly number[], from: number, to: number): number {
  const within = [from, ...told.filter(at => at > from && at < to), to]
  return Math.max(...within.slice(1).map((at, n) => at - within[n]!)) / 1_000
}

/** Waits until presses are answered again, one after the other. @throws Error where that takes longer than two minutes */
async function goingOn(visitors: Visitors): Promise<void> {
  for (let before = visitors.told.length, since = performance.now(); ; ) {
    await pause(250)
    if (visitors.told.length - before >= GOING_ON) return
    if (performance.now() - since > RECOVERY_S * 1_000) throw new Error('Sales did not go on')
  }
}

async function expectWhole(postgres: PostgresCluster): Promise<number> {
  const seconds = await secondsUntil(postgres.isWhole, RETURN_S)
  if (seconds === undefined)
    throw new Error(`A machine is missing: ${JSON.stringify(await postgres.members())}`)
  return seconds
}

async function primaryOf(postgres: PostgresCluster): Promise<Machine> {
  const primary = await postgres.primary()
  if (primary === undefined) throw new Error('There is no primary')
  return primary
}

interface Loss {
  readonly what: string
  /** s in which nobody could buy or give. */
  readonly standstill: number
  /** s until the machine was a copy again, from when it came back. */
  readonly returned: number | undefined
}

/** Loses a machine, and has it back once all goes on. */
async function lose(
  postgres: PostgresCluster,
  visitors: Visitors,
  machine: Machine,
  fault: Fault,
): Promise<Loss> {
  const at = performance.now()
  fault.begin(postgres, machine)
  // What was on its way when it was lost is no sign that it goes on.
  await pause(2_000)
  await goingOn(visitors)
  const wasPrimary = machine
  await secondsUntil(async () => (await postgres.primary()) !== undefined, RECOVERY_S)
  await goingOn(visitors)
  const standstill = longestStandstill(visitors.told, at, performance.now())
  await fault.end(postgres, machine)
  const returned = await secondsUntil(postgres.isWhole, RETURN_S)
  console.error(
    `failover: ${wasPrimary} ${fault.what}: ${standstill.toFixed(1)} s, back after ${returned?.toFixed(1)} s, ${visitors.all.length} visitors, ${visitors.wrong.length} wrong answers`,
  )
  if (returned === undefined) console.error(JSON.stringify(await postgres.members()), postgres.log(machine))
  await pause(CALM_MS)
  return { what: fault.what, standstill, returned }
}

async function losePrimaries(
  postgres: PostgresCluster,
  visitors: Visitors,
  times: number,
): Promise<Figure[]> {
  await goingOn(visitors)
  const losses: Loss[] = []
  for (let n = 0; n < times; n++)
    losses.push(await lose(postgres, visitors, await primaryOf(postgres), FAULTS[n % FAULTS.length]!))
  const kinds = FAULTS.map(({ what }) => ({ what, of: losses.filter(loss => loss.what === what) }))
  return [
    figure('losses', 'primaries lost, one after the other', '', losses.length),
    ...kinds
      .filter(({ of }) => of.length > 0)
      .map(({ what, of }) =>
        figure(
          `still-${what}`,
          `longest without a sale after it was ${what}, of ${of.length}`,
          's',
          Math.max(...of.map(({ standstill }) => standstill)),
          goalOf('failover-time'),
        ),
      ),
    figure('still', 'usual (p50)', 's', median(losses.map(({ standstill }) => standstill))),
    figure(
      'back',
      'longest until it was a copy again, once it was there',
      's',
      Math.max(...losses.map(({ returned }) => returned ?? Number.POSITIVE_INFINITY)),
    ),
    figure(
      'not-back',
      `not a copy again within ${RETURN_S} s`,
      '',
      losses.filter(({ returned }) => returned === undefined).length,
      goalOf('failover-return'),
    ),
  ]
}

/** The copy that each commit waits for is lost: killed, and cut off, which nobody is told. */
async function loseStandby(postgres: PostgresCluster, visitors: Visitors): Promise<Figure[]> {
  const still: number[] = []
  for (const fault of [FAULTS[0]!, FAULTS.at(-1)!]) {
    const primary = await primaryOf(postgres)
    const copies = (await postgres.members())[primary]?.replication ?? []
    const name = copies.find(({ sync_state }) => sync_state === 'sync')?.application_name
    const machine = MACHINES.find(each => each === name)
    if (machine === undefined) throw new Error('No copy is waited for')
    still.push((await lose(postgres, visitors, machine, fault)).standstill)
  }
  return [
    figure(
      'still-standby',
      'longest without a sale after the copy that is waited for was killed, or cut off',
      's',
      Math.max(...still),
      goalOf('failover-time'),
    ),
  ]
}

async function loseOneEtcd(postgres: PostgresCluster, visitors: Visitors): Promise<Figure[]> {
  const before = { refused: visitors.refused(), wrong: visitors.wrong.length }
  const primary = await primaryOf(postgres)
  // Each in turn: one of them leads the others.
  for (const machine of MACHINES) {
    postgres.killEtcd(machine)
    await pause(ONE_AWAY_MS)
    await postgres.startEtcd(machine)
    await pause(CALM_MS)
  }
  const moved = (await primaryOf(postgres)) === primary ? 0 : 1
  const noticed = visitors.refused() - before.refused + visitors.wrong.length - before.wrong + moved
  console.error(`failover: one etcd lost: ${noticed} noticed it`)
  return [
    figure(
      'etcd-one',
      'presses refused, and other primaries, while each etcd was killed in turn',
      '',
      noticed,
      goalOf('etcd-one'),
    ),
  ]
}

async function loseTwoEtcds(postgres: PostgresCluster, visitors: Visitors, site: Cluster): Promise<Figure[]> {
  const primary = await primaryOf(postgres)
  const [gone, other] = MACHINES.filter(each => each !== primary) as [Machine, Machine]
  const wrongBefore = visitors.wrong.length
  const at = performance.now()
  postgres.killEtcd(gone)
  postgres.killEtcd(other)
  await pause(TWO_AWAY_MS)
  const stoppedAfter = ((visitors.told.findLast(each => each > at) ?? at) - at) / 1_000
  const refusedThen = visitors.refused()
  const page = await lookAtPage(site, visitors)
  await pause(5_000)
  const stillRefused = visitors.refused() > refusedThen
  const cameBack = performance.now()
  await postgres.startEtcd(gone)
  await postgres.startEtcd(other)
  await goingOn(visitors)
  const first = visitors.told.find(each => each > cameBack) ?? Number.POSITIVE_INFINITY
  await expectWhole(postgres)
  await goingOn(visitors)
  const amiss = visitors.wrong.length - wrongBefore + (page ? 0 : 1) + (stillRefused ? 0 : 1)
  console.error(`failover: two etcds lost: sales for ${stoppedAfter.toFixed(1)} s more, ${amiss} amiss`)
  return [
    figure('etcd-two-until', 'sales went on after two etcds were killed for', 's', stoppedAfter),
    figure(
      'etcd-two',
      'answers then that were no refusal with a way out, on the page of a card too',
      '',
      amiss,
      goalOf('etcd-two'),
    ),
    figure('etcd-two-back', 'first sale after both were there again', 's', (first - cameBack) / 1_000),
  ]
}

/** Does the page of a card say that it comes back, and offer to try again? */
async function lookAtPage({ balancer }: Cluster, { all }: Visitors): Promise<boolean> {
  const agent = new Agent()
  const key = all.find(({ card }) => card !== undefined)?.card?.key ?? ''
  // It is read here: not compressed.
  const plain = { 'Accept-Encoding': 'identity' }
  const { status, headers, text } = await sent({ ...cardPage(balancer.url, key), headers: plain }, agent)
  agent.destroy()
  return status === 503 && Number(headers['retry-after']) > 0 && text.includes('data-action="retry"')
}

/** What everybody was told, against what the database holds in the end. */
async function compare(site: Cluster, visitors: Visitors): Promise<Figure[]> {
  const { db } = site
  await workDone(db)
  const { cards, allocations, redemptions } = await db.snapshot(async reader => ({
    cards: await reader.selectFrom('cards').select(['id', 'order_id', 'status']).execute(),
    allocations: await reader.selectFrom('allocations').select(['card_id', 'ngo_id', 'amount']).execute(),
    redemptions: await reader.selectFrom('redemptions').select(['card_id', 'created_at']).execute(),
  }))
  const kept = new Map<string, Record<string, number>>()
  for (const { card_id, ngo_id, amount } of allocations) {
    const given = kept.get(card_id) ?? {}
    kept.set(card_id, { ...given, [ngo_id]: (given[ngo_id] ?? 0) + amount })
  }
  const ids = new Set(cards.map(({ id }) => id))
  const lost = visitors.all.filter(
    ({ card, given }) =>
      (card !== undefined && !ids.has(card.id)) ||
      (given !== undefined &&
        JSON.stringify(sorted(given)) !== JSON.stringify(sorted(kept.get(card!.id) ?? {}))),
  )
  const served = visitors.all.filter(({ given }) => given !== undefined)
  const twice =
    cards.length -
    new Set(cards.map(({ order_id }) => order_id)).size +
    Math.abs(cards.length - served.length) +
    Math.abs(redemptions.length - served.length)
  const findings = await checkLedger(db)
  for (const finding of findings) console.error(`failover: ${JSON.stringify(finding)}`)
  reportErrors(site.output())
  const usedAt = new Map(redemptions.map(({ card_id, created_at }) => [card_id, created_at]))
  const late = served.filter(({ card, askedAt = 0 }) => (usedAt.get(card!.id) ?? 0) < askedAt)
  const mails = site.mails.map(({ data }) => /^Message-ID: (.*)$/im.exec(data)?.[1] ?? '')
  return [
    figure('visitors', 'cards bought and given away meanwhile', '', served.length),
    figure('refused', 'answers “come again”, with 503', '', visitors.refused()),
    figure('longest', 'longest that anybody waited for one answer', 's', visitors.longest()),
    figure(
      'later',
      'gifts that were written, and their recipients told when they asked again',
      '',
      late.length,
    ),
    figure(
      'lost',
      'cards and gifts that were told and are not there',
      '',
      lost.length,
      goalOf('failover-kept'),
    ),
    figure('twice', 'cards and gifts more or fewer than were told', '', twice, goalOf('failover-kept')),
    figure('wrong', 'answers that nobody may get', '', visitors.wrong.length, goalOf('failover-kept')),
    figure('findings', 'findings in the books', '', findings.length, goalOf('failover-kept')),
    figure('mails', 'mails sent', '', mails.length),
    figure(
      'mails-twice',
      'of them again, since what became of the first was not known',
      '',
      mails.length - new Set(mails).size,
    ),
  ]
}

/** What the servers called errors, and how often. */
function reportErrors(output: string): void {
  const counts = new Map<string, number>()
  for (const line of output.split('\n').filter(each => each.startsWith('{'))) {
    const { level, event, message, code, status } = JSON.parse(line) as Record<string, unknown>
    if (level !== 'error') continue
    const said = [event, message, code, status].filter(each => each != null).join(' ')
    counts.set(said, (counts.get(said) ?? 0) + 1)
  }
  for (const [said, count] of counts) console.error(`failover: the servers said ${count} times: ${said}`)
}

const sorted = (given: Given) => Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1))

const figure = (id: string, what: string, unit: string, measured: number, goal?: Figure['goal']): Figure => ({
  id,
  part: PART,
  what,
  unit,
  measured,
  ...(goal && { goal }),
})
