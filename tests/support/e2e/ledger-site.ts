import { TEST_CARD_SECRET } from '../../builders/server.ts'
import { type RunningSite, startSite } from './server.ts'
import { test as base, expect } from './test.ts'

/** What the site of these tests signs the public ledger with. */
export const LEDGER_KEY = 'the key of the public ledger of this test'

/** A product of its own, for tests of the public ledger: what is published of it is known. */
export const test = base.extend<object, { own: RunningSite }>({
  own: [
    // biome-ignore lint/correctness/noEmptyPattern: the runner asks for a pattern
    async ({}, use) => {
      const own = await startSite({ LEDGER_KEY, CARD_KEY_SECRET: TEST_CARD_SECRET })
      await use(own)
      await own.stop()
    },
    { scope: 'worker' },
  ],
  site: [async ({ own }, use) => use(own), { scope: 'worker' }],
})

export { expect }
