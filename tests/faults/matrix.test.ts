import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { isLong } from '#tests/support/counts.ts'
import { canHaveSmallDisk } from '#tests/support/faults/small-disk.ts'
import {
  FAULTS,
  type Fault,
  type Mode,
  openSystemUnderTest,
  type SystemUnderTest,
} from '#tests/support/faults/system-under-test.ts'
import type { BoughtCard } from '#tests/support/product/buy.ts'
import { type Answer, call } from '#tests/support/product/call.ts'
import { cardsOf, getReady, type Ready, ROUTES, type RouteRow } from '#tests/support/product/every-route.ts'
import { sessionEvent, signed, webhookSecretOf } from '#tests/support/product/provider-events.ts'
import { EXPECTED, type Outcome, RECOVERY_MS, TIMEOUT_MS } from './expectations.ts'

/** What is broken in the usual run: what nothing else breaks over HTTP. The long run breaks everything. */
const USUAL: readonly (readonly [Fault, Mode])[] = [
  ['mail', 'down'],
  ['provider', 'down'],
  ['content', 'flapping'],
  ['disk', 'down'],
  ['clock', 'ahead'],
]
const ALL = Object.entries(FAULTS).flatMap(([fault, modes]) =>
  modes.map(mode => [fault as Fault, mode as Mode] as const),
)
const CELLS = (isLong ? ALL : USUAL).filter(([fault]) => fault !== 'disk' || canHaveSmallDisk)
const ENGINES = isLong ? (['sqlite', 'postgres'] as const) : (['sqlite'] as const)
/** So often each route is tried while what is broken comes and goes. */
const TURNS = 3
const AT_ONCE = 12

describe.each(ENGINES)('every route, while something else is broken (%s)', engine => {
  let system: SystemUnderTest
  const paid: string[] = []
  const renewed: BoughtCard[] = []
  beforeAll(async () => {
    system = await openSystemUnderTest(engine)
  })
  afterAll(() => system?.close())

  /** The provider signs with the right time, whatever the product takes for it. */
  const sign = (sessionId: string): Ready['event'] => {
    const body = sessionEvent('checkout.session.completed', sessionId)
    return { body, signature: signed(body, webhookSecretOf(system.environment.dataDir)) }
  }

  it.each(CELLS)(
    '%s %s: pages stay up, calls say what is wrong, all is well again afterwards',
    async (fault, mode) => {
      const ready = await getReady(system.product, system.environment, sign)
      paid.push(ready.paidSession, ready.given.sessionId)
      renewed.push(ready.renewed)
      // A mail that is asked for again while it is under way would be joined, which writes nothing.
      await system.environment.noWorkLeft()
      const row = EXPECTED[engine][fault][mode] ?? {}
      const ask = async (route: RouteRow) => {
        const { path, ...options } = route.ask(ready)
        const askedAt = performance.now()
        const answer = await call(system.product.url + path, options)
        return { answer, ms: performance.now() - askedAt }
      }

      await system.break(fault, mode)
      const wrong: string[] = []
      const succeeded = new Map<RouteRow, Answer>()
      try {
        for (let turn = 0; turn < (mode === 'flapping' ? TURNS : 1); turn++) {
          await inTurns(ROUTES, async route => {
            const { answer, ms } = await ask(route)
            const outcome = outcomeOf(answer, succeeded.has(route) ? (route.again ?? route.good) : route.good)
            const allowed: readonly Outcome[] = row[route.use] ?? ['good']
            if (outcome === 'good') succeeded.set(route, answer)
            if (outcome === undefined || !allowed.includes(outcome) || ms > TIMEOUT_MS)
              wrong.push(
                `${route.use} ${route.from}: ${answer.status} ${answer.text.slice(0, 120)} ${Math.round(ms)} ms`,
              )
          })
        }
      } finally {
        await system.mend()
      }
      expect(wrong).toEqual([])

      await inTurns(ROUTES, async route => {
        const firstAskedAt = performance.now()
        const good = succeeded.has(route) ? (route.again ?? route.good) : route.good
        for (;;) {
          const { answer } = await ask(route)
          if (outcomeOf(answer, good) === 'good') return
          if (performance.now() - firstAskedAt > RECOVERY_MS)
            expect.fail(`${route.from} still answers ${answer.status} ${answer.text.slice(0, 200)}`)
          await wait(100)
        }
      })
      // Whoever was told yes was told the truth; the receipt key is told once.
      const given = ROUTES.find(
        ({ from, use }) => from.startsWith('api/ajuda/giftcard/') && use === 'writes',
      )!
      const before = succeeded.get(given)
      if (before) expect((await ask(given)).answer.json()).toEqual({ allocations: before.json().allocations })
      expect(await checkLedger(system.environment.database.db)).toEqual([])
    },
  )

  it('no payment has lost its card, none has two, and every mail has come', async () => {
    const cards = await cardsOf(system.product, paid)
    const { db } = system.environment.database
    const kept = await db.read(reader => reader.selectFrom('cards').select('id').execute())
    expect(kept.map(({ id }) => id)).toEqual(expect.arrayContaining(renewed.map(({ cardId }) => cardId)))
    expect(new Set([...cards, ...renewed.map(({ cardId }) => cardId)]).size).toBe(
      paid.length + renewed.length,
    )
    // Whatever waits for a later try, or for a try that a fault broke off, is tried now.
    await db.transaction(trx =>
      trx.updateTable('jobs').set({ run_at: 0, lease_until: null }).where('done_at', 'is', null).execute(),
    )
    await system.environment.noWorkLeft()
    const told = await db.read(reader => reader.selectFrom('cards').select('email').distinct().execute())
    const reached = new Set(system.sink.mails.flatMap(({ to }) => to))
    expect(told.map(({ email }) => email).filter(email => email !== null && !reached.has(email))).toEqual([])
    expect(await checkLedger(db)).toEqual([])
  })
})

/** A few at a time. */
async function inTurns<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let begun = 0
  const worker = async () => {
    for (let item = items[begun++]; item !== undefined; item = items[begun++]) await work(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

/** What kind of answer this is; undefined for one that nobody has designed. */
function outcomeOf(answer: Answer, good: readonly number[]): Outcome | undefined {
  if (good.includes(answer.status)) return 'good'
  const isProblem = String(answer.headers['content-type']).startsWith('application/problem+json')
  const code = isProblem ? answer.json().code : undefined
  // A page says so in words.
  if (answer.status === 502 && (!isProblem || code === 'provider-unavailable')) return 'provider'
  if (answer.status === 400 && code === 'invalid-signature') return 'signature'
  const isSaid = !isProblem || code === 'temporarily-unavailable'
  return answer.status === 503 && isSaid ? 'unavailable' : undefined
}
