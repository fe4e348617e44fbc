import type { APIRequestContext, Page } from '@playwright/test'
import { LANGUAGES } from '#domain/languages.ts'
import { type Database, openDatabase } from '#server/platform/db/database.ts'
import { TEST_CARD_SECRET } from '../../builders/server.ts'
import { type RunningSite, startSite } from './server.ts'
import { test as base, expect } from './test.ts'

/** What the site of these tests signs the public ledger with. */
export const LEDGER_KEY = 'the key of the public ledger of this test'

/**
 * Tests of a product of its own, in which what is published is known. It is prepared before its first start: the product
 * would give unused cards away and publish by itself while a test writes of years before.
 * @param prepare fills the database of the site at this address, and gives what the tests know of it
 */
export const ledgerTest = <T>(prepare: (db: Database, url: string) => Promise<T>) =>
  base.extend<
    object,
    { started: { readonly own: RunningSite; readonly prepared: T }; own: RunningSite; prepared: T }
  >({
    started: [
      // biome-ignore lint/correctness/noEmptyPattern: the runner asks for a pattern
      async ({}, use) => {
        let prepared: T
        const own = await startSite(
          { LEDGER_KEY, CARD_KEY_SECRET: TEST_CARD_SECRET },
          async ({ dataDir, url }) => {
            const db = await openDatabase({ dataDir, databaseUrl: undefined })
            prepared = await prepare(db, url)
            await db.close()
          },
        )
        await use({ own, prepared: prepared! })
        await own.stop()
      },
      { scope: 'worker' },
    ],
    own: [async ({ started }, use) => use(started.own), { scope: 'worker' }],
    prepared: [async ({ started }, use) => use(started.prepared), { scope: 'worker' }],
    site: [async ({ own }, use) => use(own), { scope: 'worker' }],
  })

/**
 * What a page asks for from now on, as it comes over the network: compressed, with its headers. What every page fetches once
 * it is painted is waited for, and not counted.
 */
export async function bytesOnTheWire(
  page: Page,
): Promise<{ read(): readonly { readonly url: string; readonly bytes: number }[] }> {
  await page.waitForFunction(() =>
    [/settled/, /woff2$/].every(late =>
      performance.getEntriesByType('resource').some(({ name }) => late.test(name)),
    ),
  )
  const client = await page.context().newCDPSession(page)
  const urls = new Map<string, string>()
  const asked: { url: string; bytes: number }[] = []
  client.on('Network.responseReceived', ({ requestId, response }) => urls.set(requestId, response.url))
  client.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    asked.push({ url: urls.get(requestId) ?? '', bytes: encodedDataLength }),
  )
  await client.send('Network.enable')
  return { read: () => asked }
}

/** As it is sent: the page of the ledger may have ten kilobytes, and has room to grow. */
const PAGE_BYTES = 9.5 * 1024

/** The page of the ledger is small in every language. */
export async function expectSmallPage(request: APIRequestContext): Promise<void> {
  for (const language of LANGUAGES) {
    const answer = await request.get(`/${language}/ledger`, { headers: { 'accept-encoding': 'br' } })
    expect(Number(answer.headers()['content-length']), language).toBeLessThanOrEqual(PAGE_BYTES)
  }
}

export { expect }
