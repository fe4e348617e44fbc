import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import { count } from '#tests/support/counts.ts'
import { openShop, type Shop } from '../support/payments-fixture.ts'
import { aJourney } from './journey-acts.ts'
import { travel } from './journey-world.ts'

/** On each engine. */
const JOURNEYS = count({ usual: 500, long: 10_000 })

/** Many small waits for a database: a busy machine makes them long. */
const TIMEOUT_MS = count({ usual: 300_000, long: 3_600_000 })

let shop: Shop
let otherDb: Database
beforeAll(async () => {
  shop = await openShop()
  otherDb = await shop.test.another()
})
afterAll(() => shop.close())

it(
  `keeps the money as a small model says on ${JOURNEYS} random journeys`,
  async () => {
    await fc.assert(
      fc.asyncProperty(aJourney, journey => travel(shop, otherDb, journey)),
      { numRuns: JOURNEYS },
    )
    expect(await shop.findings()).toEqual([])
    const { cards, sales, mails, paid } = await shop.counts()
    expect({ sales, mails, paid }).toEqual({ sales: cards, mails: cards, paid: cards })
  },
  TIMEOUT_MS,
)
