import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '#server/platform/db/database.ts'
import { count } from '#tests/support/counts.ts'
import { openPaymentsFixture, type PaymentsFixture } from '../support/payments-fixture.ts'
import { aJourney } from './journey-commands.ts'
import { runJourney } from './journey-runner.ts'

/** On each engine. */
const JOURNEYS = count({ usual: 80, long: 10_000 })

/** Many small waits for a database: a busy machine makes them long. */
const TIMEOUT_MS = count({ usual: 300_000, long: 3_600_000 })

let fixture: PaymentsFixture
let otherDb: Database
beforeAll(async () => {
  fixture = await openPaymentsFixture()
  otherDb = await fixture.test.another()
})
afterAll(() => fixture.close())

it(
  `keeps the money as a small model says on ${JOURNEYS} random journeys`,
  async () => {
    await fc.assert(
      fc.asyncProperty(aJourney, journey => runJourney(fixture, otherDb, journey)),
      { numRuns: JOURNEYS },
    )
    expect(await fixture.findings()).toEqual([])
    const { cards, sales, mails, paid } = await fixture.counts()
    expect({ sales, mails, paid }).toEqual({ sales: cards, mails: cards, paid: cards })
  },
  TIMEOUT_MS,
)
