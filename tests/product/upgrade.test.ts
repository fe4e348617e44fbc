import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { OPERATOR_TIMEOUTS, openDatabase } from '#server/platform/db/database.ts'
import { sellCards, TEST_CARD_SECRET, testKeys } from '#tests/builders/server.ts'
import { count } from '#tests/support/counts.ts'
import { NGOS, selectionOf } from '#tests/support/product/buy.ts'
import type { LostCall } from '#tests/support/product/call.ts'
import { type Product, startProduct } from '#tests/support/product/product.ts'
import { redeem, type SentRedemption } from '#tests/support/product/shopper.ts'
import { openTestEnvironment, type TestEnvironment } from '#tests/support/product/test-environment.ts'
import { fill } from '../../bench/harness/seed-data.ts'

/** Cards in the tables that are changed, beside those that are given meanwhile. */
const CARDS = count({ usual: 5_000, long: 1_000_000 })
const TO_GIVE = count({ usual: 1_500, long: 4_000 })
const VISITORS = 6
/** Between two gifts of a visitor, so that there are gifts for all of the upgrade. */
const BETWEEN_MS = 40
/** The same where cards run out, since the next version starts slowly. */
const BETWEEN_LAST_MS = 1_000
/** Gifts before it, beside the two versions, and with the new one alone. */
const GIFTS_OF_A_PHASE = 50
/** So long a visitor's browser tries again, and the next version may take to start. */
const PATIENCE_MS = count({ usual: 120_000, long: 900_000 })
const NEXT_VERSION = fileURLToPath(new URL('../support/product/next-version.ts', import.meta.url))

describe.each(['sqlite', 'postgres'] as const)('an upgrade from one version to the next (%s)', engine => {
  let environment: TestEnvironment
  const running: Product[] = []
  const start = async (env: Readonly<Record<string, string>>, flags: readonly string[] = []) => {
    const product = await startProduct({
      env: { ...env, CARD_KEY_SECRET: TEST_CARD_SECRET },
      flags,
      giveUpMs: PATIENCE_MS,
    })
    running.push(product)
    return product
  }
  beforeAll(async () => {
    environment = await openTestEnvironment(engine)
  })
  afterAll(async () => {
    for (const each of running) await each.kill()
    await environment?.close()
  })

  it(
    `changes the tables under ${CARDS} cards while the old server and then the new one take gifts: none fails, none is lost or doubled`,
    async () => {
      const { database } = environment
      // What its first start looks for in the rows of earlier versions is not there yet.
      expect(await (await start(environment.env)).stop()).toBe(0)
      const patient = await openDatabase({ ...database.location, timeouts: OPERATOR_TIMEOUTS })
      await fill(patient, { name: 'filler', count: CARDS })
      const sold = await sellCards(patient, TO_GIVE)
      await patient.close()
      const old = await start(environment.env)
      const given: Given[] = []
      const refused: number[] = []
      const isOver = new AbortController()
      const upstream = { servers: [old] as readonly Product[] }
      const visitor = async () => {
        while (!isOver.signal.aborted) {
          const card = sold.pop()
          if (!card) throw new Error('There are not cards enough for the whole upgrade.')
          const [one = '', other = ''] = NGOS
          const body = selectionOf({ [one]: 20, [other]: 30 })
          const request = { privateKey: card.privateKey, body, attemptKey: `giving-${card.cardId}` }
          given.push(await giveUntilAnswered(upstream, request, refused))
          await wait(sold.length > TO_GIVE / 3 ? BETWEEN_MS : BETWEEN_LAST_MS)
        }
      }
      const visiting = Promise.all(Array.from({ length: VISITORS }, visitor))
      // Said once it is waited for.
      visiting.catch(() => {})
      const moreGifts = async () => {
        const enough = given.length + GIFTS_OF_A_PHASE
        while (given.length < enough) await Promise.race([wait(5), visiting])
      }

      await moreGifts()
      const before = given.length
      const next = await Promise.race([
        start(environment.secondEnv(), ['--import', NEXT_VERSION]),
        visiting.then((): never => {
          throw new Error('The visitors went too early.')
        }),
      ])
      const meanwhile = given.length - before
      upstream.servers = [old, next]
      await moreGifts()
      expect(await old.stop()).toBe(0)
      await moreGifts()
      isOver.abort()
      await visiting

      console.log(
        `${engine}: ${given.length} gifts, ${meanwhile} of them while the next version started in ` +
          `${Math.round(next.readyAfter.wallMs)} ms over ${CARDS} cards; ${refused.length} were asked to come again`,
      )
      expect(meanwhile).toBeGreaterThan(0)
      // A million rows are made anew for longer than anybody is kept waiting.
      if (CARDS <= 5_000) expect(refused).toEqual([])
      for (const { answer, ...request } of given) {
        const again = await redeem(next, request)
        expect([again.status, again.text]).toEqual([200, answer])
      }
      const after = await openDatabase({
        ...database.location,
        timeouts: OPERATOR_TIMEOUTS,
        existing: true,
        asItIs: true,
      })
      try {
        const counted = await after.read(db => db.selectFrom('redemptions').select('card_id').execute())
        expect(counted).toHaveLength(given.length)
        const findings = await checkLedger(after, { keys: testKeys, now: Date.now() })
        // Nobody has paid for these cards: over a million of them the site comes to read at the provider, which knows of none.
        expect(findings.filter(({ rule }) => rule !== 'movement-missing')).toEqual([])
      } finally {
        await after.close()
      }
      for (const { output } of [old, next]) expect(output()).not.toContain('"level":"error"')
      // The tables are those of the next version indeed.
      await expect(start(environment.env)).rejects.toThrow('newer than this program')
    },
    count({ usual: 300_000, long: 3_600_000 }),
  )
})

type Given = SentRedemption & { readonly answer: string }

/**
 * Gives as a page behind nginx does: a server that takes no connections is passed over, and where the site asks to come
 * again in a moment, the same press comes again.
 * @param refused how long the site asked to wait each time, in seconds
 */
async function giveUntilAnswered(
  upstream: { readonly servers: readonly Product[] },
  request: SentRedemption,
  refused: number[],
): Promise<Given> {
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; ) {
    const { servers } = upstream
    const first = Math.floor(Math.random() * servers.length)
    const answer = await fromAny([...servers.slice(first), ...servers.slice(0, first)], request)
    if (answer.status === 200) return { ...request, answer: answer.text }
    const comeAgain = Number(answer.headers['retry-after'])
    if (answer.status !== 503 || !(comeAgain > 0)) throw new Error(`${answer.status}: ${answer.text}`)
    refused.push(comeAgain)
    await wait(comeAgain * 1_000)
  }
  throw new Error('A gift was asked to come again until nobody would.')
}

/** @throws what the last server's connection throws */
async function fromAny([first, ...more]: readonly Product[], request: SentRedemption) {
  try {
    return await redeem(first!, request)
  } catch (error) {
    const { code, onNewConnection } = error as LostCall
    // What was sent on a connection that was kept too long, a browser sends again.
    const isNotTaken = code === 'ECONNREFUSED' || onNewConnection === false
    if (!isNotTaken || more.length === 0) throw error
    return fromAny(more, request)
  }
}
