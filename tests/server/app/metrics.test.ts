import { afterEach, beforeEach, expect, it } from 'vitest'
import { HOUR_MS } from '#domain/durations.ts'
import { ID_AND_KEY_PATHS } from '#paths'
import { createMetrics, type Metrics, routeClass } from '#server/app/metrics.ts'
import { createJobs } from '#server/platform/job-runner/job-runner.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { quietLog } from '#tests/support/quiet-log.ts'

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
let metrics: Metrics
let port: number
let isAway: boolean
beforeEach(async () => {
  test = await openTestDatabase()
  clock = fakeClock()
  isAway = false
  const counts = async () => {
    if (isAway) throw new Error('away')
    return { cards: { active: 3 }, mails: {} } as never
  }
  metrics = createMetrics({ db: test.db, clock, figures: { counts } })
  port = await metrics.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(async () => {
  await metrics.stop()
  await test.close()
})

/** What a gauge says now: the text behind its name; undefined where it is not told. */
async function told(gauge: string): Promise<string | undefined> {
  clock.advance(HOUR_MS)
  const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return page
    .split('\n')
    .find(line => line.startsWith(`${gauge} `))
    ?.slice(gauge.length + 1)
}
const check = (run: () => Promise<Record<string, number>>) =>
  createJobs({
    db: test.db,
    clock,
    log: quietLog(),
    jobs: [{ name: 'ledger-check', everyMs: HOUR_MS, run }],
  }).runDue()

it('never says that the books have no findings where no check has finished', async () => {
  expect(await told('gifts_ledger_findings')).toMatch(/^nan$/i)
  await check(async () => ({ findings: 0 }))
  expect(await told('gifts_ledger_findings')).toBe('0')
  await check(() => Promise.reject(new Error('ended without a word')))
  expect(await told('gifts_ledger_findings')).toMatch(/^nan$/i)
  expect(await told('gifts_job_well{job="ledger-check"}')).toBe('0')
  await check(async () => ({ findings: 2 }))
  expect(await told('gifts_ledger_findings')).toBe('2')
})

it('tells no figure of before while the database is away', async () => {
  await check(async () => ({ findings: 0 }))
  expect(await told('gifts_cards{status="active"}')).toBe('3')
  isAway = true
  expect(await told('gifts_cards{status="active"}')).toBeUndefined()
  expect(await told('gifts_ledger_findings')).toMatch(/^nan$/i)
  isAway = false
  expect(await told('gifts_ledger_findings')).toBe('0')
})

it.each([
  '/g',
  '/g/ukraine/en',
  '/gift-card/key/thanks',
  '/gift-card-volunteering/key/thanks',
  ...ID_AND_KEY_PATHS.map(path => `${path}id/key`),
])('counts %s among the pages of gifts', url => {
  expect(routeClass(url)).toBe('card')
})
