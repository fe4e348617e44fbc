import { setInterval } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { call, post } from '#tests/support/product/call.ts'
import { openProduct } from '#tests/support/product/open-product.ts'
import { processorMs } from '#tests/support/product/product.ts'

const { product } = await openProduct({ RATE_LIMITS: 'on' })

/** What a word of an event may be made of to cost the most; each was slow in one way of looking for secrets. */
const WORST = ['%40', '@', 'a@b', 'a%40b.', 'ana@b.c ', 'cs_a ', '<a@b>']
const VALUES = 31
const VALUE_LENGTH = 498

/** As large as an event may be, and within every bound of its contract. */
function costlyEvent(word: string): object {
  const value = word.repeat(Math.floor(VALUE_LENGTH / word.length))
  const metadata = Object.fromEntries(Array.from({ length: VALUES }, (_, n) => [`v${n}`, value]))
  const clocks = { browserDateNow: 0, browserPerformanceNow: 0 }
  return { ...clocks, sessionId: '', currentUrl: '/es', isAnonymous: true, metadata }
}

const WINDOW_MS = 600
const EVERY_MS = 250
const ROUNDS = 3

/** What a page took, in ms: of the clock on the wall, and of the server's processor time. */
interface Taken {
  readonly wallMs: number
  readonly processorMs: number
  readonly pages: number
}

/** Reads a page again and again for a while. */
async function readPages(): Promise<Taken> {
  const [startedAt, before] = [performance.now(), processorMs(product.pid)]
  let pages = 0
  while (performance.now() - startedAt < WINDOW_MS) {
    expect((await call(`${product.url}/es`)).status).toBe(200)
    pages++
  }
  return {
    wallMs: performance.now() - startedAt,
    processorMs: processorMs(product.pid) - before,
    pages,
  }
}

/** The best that was seen: what else the machine does only ever makes it worse. */
const bestWall = (windows: readonly Taken[]): number =>
  Math.min(...windows.map(({ wallMs, pages }) => wallMs / pages))

const processorPerPage = (windows: readonly Taken[]): number =>
  sum(windows.map(each => each.processorMs)) / sum(windows.map(each => each.pages))

const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0)

/** Sends events of one word until told to stop. */
function sending(word: string) {
  const statuses: number[] = []
  const stop = new AbortController()
  const body = costlyEvent(word)
  const url = `${product.url}/api/analytics/general/new-event/scroll`
  const send = () =>
    post(url, body).then(
      ({ status }) => statuses.push(status),
      () => statuses.push(0),
    )
  const work = (async () => {
    send()
    for await (const _ of setInterval(EVERY_MS, undefined, { signal: stop.signal })) send()
  })().catch(() => {})
  return {
    async stop(): Promise<readonly number[]> {
      stop.abort()
      await work
      return statuses
    },
  }
}

const quiet: Taken[] = []
await readPages()

it.each(WORST)('a page stays as fast while one address sends four events of %j a second', async word => {
  const busy: Taken[] = []
  // By turns, so that whatever else the machine does befalls both.
  for (let round = 0; round < ROUNDS; round++) {
    quiet.push(await readPages())
    const sender = sending(word)
    busy.push(await readPages())
    const statuses = await sender.stop()
    expect(statuses.filter(status => status !== 200 && status !== 429)).toEqual([])
  }
  // On a busy machine the first may be chance; what an event costs is in the second too.
  const wall = bestWall(busy) / bestWall(quiet)
  const processor = processorPerPage(busy) / processorPerPage(quiet)
  expect(Math.min(wall, processor), `wall ${wall}, processor ${processor}`).toBeLessThanOrEqual(1.5)
})
