import { readdirSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HOUR_MS } from '#domain/durations.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { count, isLong } from '#tests/support/counts.ts'
import { canHaveSmallDisk } from '#tests/support/faults/small-disk.ts'
import {
  FAULTS,
  type Fault,
  type Mode,
  openSystemUnderTest,
  type SystemUnderTest,
} from '#tests/support/faults/system-under-test.ts'
import {
  askForCard,
  type BoughtCard,
  cardApi,
  NGOS,
  openPayment,
  pay,
  readCard,
  selectionOf,
  WrongAnswer,
} from '#tests/support/product/buy.ts'
import { call } from '#tests/support/product/call.ts'
import { redeem, type SentRedemption } from '#tests/support/product/shopper.ts'

const ENGINES = isLong ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const)
/** On each engine, all faults again and again for so long. */
const RUN_MS = count({ usual: 1, long: 2 * 3_600_000 })
/** So long each is broken, and so long nothing is. */
const FAULT_MS = count({ usual: 1_200, long: 15_000 })
const CALM_MS = count({ usual: 800, long: 15_000 })
const VISITORS = 3
/** At full speed two hours make more cards than the disk holds. */
const BETWEEN_MS = count({ usual: 20, long: 2_000 })
const AHEAD_AT_THE_END_MS = 3 * HOUR_MS
const PATIENCE_MS = 120_000
/** Who comes again after an error does so after this long. */
const AGAIN_MS = 200
const ERRORS_OF_A_FAULT = 10
/** In a log, on average: more would fill a disk. */
const BYTES_OF_A_REQUEST = 200
const CELLS = Object.entries(FAULTS)
  .flatMap(([fault, modes]) => modes.map(mode => [fault as Fault, mode as Mode] as const))
  .filter(([fault]) => fault !== 'disk' || canHaveSmallDisk)
/** What a server answers that cannot serve now: the visitor comes again. */
const COME_AGAIN = [502, 503]

describe.each(ENGINES)('visitors of all kinds, while one thing after the other is broken (%s)', engine => {
  let system: SystemUnderTest
  beforeAll(async () => {
    system = await openSystemUnderTest(engine)
  })
  afterAll(() => system?.close())

  it(
    'get what they came for: no money is lost or doubled, nothing stays open, and the log stays small',
    async () => {
      const { product, environment } = system
      const memory: Memory = { bought: [], given: [], asked: 0, again: 0 }
      const over = new AbortController()
      const visiting = Promise.all(
        Array.from({ length: VISITORS }, (_, n) => visitUntil(over.signal, { system, memory, n })),
      )
      visiting.catch(() => {})
      await Promise.race([wait(2_000), visiting])
      const handlesBefore = handlesOf(product.pid)
      const sizes: number[] = []
      const startedAt = performance.now()
      do {
        const before = product.output().length
        for (const [fault, mode] of CELLS) {
          await system.break(fault, mode)
          await Promise.race([wait(FAULT_MS), visiting])
          await system.mend()
          await Promise.race([wait(CALM_MS), visiting])
        }
        sizes.push(product.output().length - before)
      } while (performance.now() - startedAt < RUN_MS)
      over.abort()
      await visiting
      // Jobs of the hour that the clock was ahead are due in that hour, or were put off from there: past it all are due.
      await system.setClockAhead(AHEAD_AT_THE_END_MS)
      await environment.noWorkLeft({ aheadMs: AHEAD_AT_THE_END_MS })
      await system.mend()
      const faults = sizes.length * CELLS.length
      const errors = product
        .output()
        .split('\n')
        .filter(line => line.includes('"level":"error"'))
      const failedJobs = errors.filter(line => line.includes('"event":"job-failed"')).length
      console.log(
        `${engine}: ${memory.bought.length} cards bought and ${memory.given.length} given through ${faults} faults, ` +
          `${memory.again} of ${memory.asked} requests to come again, ${errors.length} errors logged, ${failedJobs} of them jobs that failed; ` +
          `log of each round ${sizes.map(bytes => Math.round(bytes / 1_000)).join(', ')} kB`,
      )

      expect(memory.given.length).toBeGreaterThan(0)
      for (const { answer, ...request } of memory.given) {
        const again = await redeem(product, request)
        expect(again.status).toBe(200)
        expect(again.json().allocations).toEqual(JSON.parse(answer).allocations)
      }
      const { db } = environment.database
      expect(await checkLedger(db)).toEqual([])
      const used = await db.read(reader => reader.selectFrom('redemptions').select('card_id').execute())
      expect(used).toHaveLength(memory.given.length)
      expect(new Set(memory.bought.map(({ cardId }) => cardId)).size).toBe(memory.bought.length)
      const reached = new Set(system.sink.mails.flatMap(({ to }) => to))
      expect(memory.bought.filter(({ email }) => !reached.has(email))).toEqual([])
      // What is told of a fault does not grow with those who meet it; beside that each try of a job that failed has its line.
      expect(errors.length - failedJobs).toBeLessThanOrEqual(faults * ERRORS_OF_A_FAULT)
      const { tries } = await db.read(reader =>
        reader
          .selectFrom('jobs')
          .select(eb => eb.fn.sum<number>(eb('attempts', '-', 1)).as('tries'))
          .where('attempts', '>', 0)
          .executeTakeFirstOrThrow(),
      )
      expect(failedJobs).toBeLessThanOrEqual(Number(tries))
      expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(memory.asked * BYTES_OF_A_REQUEST)
      await expect.poll(() => handlesOf(product.pid), { timeout: 30_000 }).toBeLessThan(handlesBefore + 5)
    },
    count({ usual: 300_000, long: 3 * 3_600_000 }),
  )
})

interface Memory {
  readonly bought: BoughtCard[]
  readonly given: (SentRedemption & { readonly answer: string })[]
  asked: number
  again: number
}

interface Visit {
  readonly system: SystemUnderTest
  readonly memory: Memory
  readonly n: number
}

/** Reads, buys, opens and gives every other card, and comes again wherever the site asks for it. */
async function visitUntil(over: AbortSignal, { system, memory, n }: Visit): Promise<void> {
  const { product } = system
  for (let turn = 0; !over.aborted; turn++) {
    const good = <T>(work: () => Promise<T>) => untilGood(memory, work)
    await good(() => expectPage(`${product.url}/es/intro/ngo-list`))
    const email = `buyer-${n}-${turn}@example.org`
    const sessionId = await good(() => openPayment(product))
    await good(() => pay(product, sessionId, { email }))
    const card = await good(async () => readCard(await askForCard(product, sessionId), sessionId))
    memory.bought.push(card)
    await good(() => expectPage(`${product.url}${cardApi(card.privateKey)}/full`))
    if (turn % 2 === 0) continue
    const body = selectionOf({ [NGOS[turn % NGOS.length]!]: 10 })
    const request = { privateKey: card.privateKey, body, attemptKey: `giving-${card.cardId}` }
    const { text: answer } = await good(async () => {
      const given = await redeem(product, request)
      if (given.status !== 200) throw new WrongAnswer('redemption', given)
      return given
    })
    memory.given.push({ ...request, answer })
    await wait(BETWEEN_MS)
  }
}

async function expectPage(url: string): Promise<void> {
  const answer = await call(url)
  if (answer.status !== 200) throw new WrongAnswer(new URL(url).pathname, answer)
}

async function untilGood<T>(memory: Memory, work: () => Promise<T>): Promise<T> {
  for (const deadline = performance.now() + PATIENCE_MS; ; ) {
    memory.asked++
    try {
      return await work()
    } catch (error) {
      const mayComeAgain =
        (error instanceof WrongAnswer && COME_AGAIN.includes(error.status)) ||
        // The payment page is the stand-in's: nothing of the product.
        (error as Error).message.startsWith('The payment page has no field')
      if (!mayComeAgain || performance.now() > deadline) throw error
      memory.again++
      await wait(AGAIN_MS)
    }
  }
}

const handlesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length
