import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { count } from '#tests/support/counts.ts'
import { buyCards, cardApi, GATEWAY, NGOS, PURCHASE, selectionOf } from '#tests/support/product/buy.ts'
import { call, type LostCall } from '#tests/support/product/call.ts'
import { type Product, startProduct } from '#tests/support/product/product.ts'
import { openTestEnvironment, type TestEnvironment } from '#tests/support/product/test-environment.ts'

const VISITORS = 12
/** Kept connections live on for half a second; less than that can be relied on. */
const GRACE_MS = 400
const ROUNDS = count({ usual: 2, long: 20 })

let environment: TestEnvironment
beforeAll(async () => {
  environment = await openTestEnvironment('sqlite')
})
afterAll(() => environment?.close())

it(`answers every request that it has taken when it is told to end under load, ${ROUNDS} times`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const product = await startProduct({ env: environment.env })
    const cards = await buyCards(product, 20)
    const slow = await halfSent(product)
    const end: End = { at: Number.POSITIVE_INFINITY }
    const visiting = Promise.all(
      Array.from({ length: VISITORS }, (_, n) => visitUntilRefused(product, { n, cards, end })),
    )
    // A failure is for the end of the round, when the server is gone.
    visiting.catch(() => {})
    await wait(300)
    end.at = performance.now()
    const ending = product.stop()
    await wait(100)
    slow.finish()
    expect(await slow.status).toBe(200)
    expect(await ending).toBe(0)
    const answered = await visiting
    expect(answered.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(VISITORS)
    await expect(call(`${product.url}/health/live`, { agent: new Agent() })).rejects.toThrow('ECONNREFUSED')
    expect(product.output()).not.toContain('"level":"error"')
  }
  expect(await checkLedger(environment.database.db)).toEqual([])
})

/** When the server was told to end. */
interface End {
  at: number
}

interface Visit {
  readonly n: number
  readonly cards: readonly { readonly privateKey: string }[]
  readonly end: End
}

/**
 * Reads and redeems, half of the visitors on a connection that they keep, until nobody takes them any more.
 * Anything else than a whole answer is a failure.
 * @returns how many answers it got
 */
async function visitUntilRefused(product: Product, { n, cards, end }: Visit): Promise<number> {
  const agent = new Agent({ keepAlive: n % 2 === 0, maxSockets: 1 })
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify(selectionOf({ [NGOS[n % NGOS.length]!]: n + 1 }))
  try {
    for (let count = 0; ; count++) {
      const key = cards[(n + count) % cards.length]!.privateKey
      const begunAt = performance.now()
      const answering =
        count % 3 === 0
          ? call(product.url + cardApi(key), { method: 'POST', headers, body, agent })
          : call(product.url + (count % 3 === 1 ? `${cardApi(key)}/full` : '/en'), { agent })
      const status = await answering.then(
        answer => answer.status,
        (error: LostCall) => {
          if (isNotTaken(error, begunAt - end.at)) return undefined
          throw error
        },
      )
      if (status === undefined) return count
      expect([200, 409]).toContain(status)
    }
  } finally {
    agent.destroy()
  }
}

/**
 * Nobody listened; or the visitor came after the end was told, and the system let them wait at a door that then
 * closed; or a connection that nothing was sent on for almost all of the grace was ended just then.
 */
function isNotTaken(error: LostCall, msAfterEnd: number): boolean {
  if (error.code === 'ECONNREFUSED') return true
  return error.code === 'ECONNRESET' && msAfterEnd > (error.onNewConnection ? 0 : GRACE_MS)
}

/** A purchase whose second half is sent when told to. */
async function halfSent(product: Product) {
  const body = JSON.stringify(PURCHASE)
  const sent = request(product.url + GATEWAY, {
    method: 'POST',
    agent: false,
    headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) },
  })
  const status = new Promise<number | undefined>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', response => {
      response.resume()
      response.on('close', () =>
        response.complete ? resolve(response.statusCode) : reject(new Error('the answer was cut off')),
      )
    })
  })
  sent.write(body.slice(0, 20))
  await once(sent, 'socket')
  return { status, finish: () => void sent.end(body.slice(20)) }
}
