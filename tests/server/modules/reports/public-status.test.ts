import { afterEach, beforeEach, expect, it } from 'vitest'
import { watch } from '#server/app/schedule/watch.ts'
import { createPublicStatus, statusCsv } from '#server/modules/reports/public-status.ts'
import type { Turn } from '#server/platform/job-runner/job.ts'
import { CREATED_AT } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { quietLog } from '#tests/support/quiet-log.ts'

const HOUR_MS = 3_600_000
const turn: Turn = { goOn: async () => {} }

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
beforeEach(async () => {
  test = await openTestDatabase()
  clock = fakeClock(CREATED_AT)
})
afterEach(() => test.close())

/** Looks once, as the job runner writes it down. */
async function look(): Promise<void> {
  const tools = { db: test.db, clock, log: quietLog(), campaigns: () => [], isReviewDue: () => false }
  await watch({ ...tools, expectsBackups: false }).run(turn)
  await ranJob('watch', 'done')
}

const ranJob = (name: string, outcome: 'done' | 'failed', failures = 1) =>
  test.db.transaction(trx =>
    trx
      .insertInto('periodic_jobs')
      .values({ name, next_run_at: 0, finished_at: clock(), outcome, result: JSON.stringify({ failures }) })
      .onConflict(conflict =>
        conflict
          .column('name')
          .doUpdateSet({ finished_at: clock(), outcome, result: JSON.stringify({ failures }) }),
      )
      .execute(),
  )

const mail = (id: string, row: { readonly done_at?: number; readonly failed_reason?: string }) =>
  test.db.transaction(trx =>
    trx
      .insertInto('jobs')
      .values({
        id,
        kind: 'confirmation',
        payload: '{}',
        dedupe_key: id,
        run_at: clock(),
        attempts: 3,
        created_at: clock(),
        done_at: null,
        failed_reason: null,
        ...row,
      })
      .execute(),
  )

async function shown() {
  const status = createPublicStatus({ db: test.db, clock, log: quietLog() })
  await status.refresh()
  return status.current()
}

it('is unknown until the site has looked, and when nobody has looked for an hour', async () => {
  expect((await shown()).parts).toEqual({ payments: 'unknown', mail: 'unknown', ledger: 'unknown' })
  await look()
  expect((await shown()).parts).toEqual({ payments: 'fine', mail: 'fine', ledger: 'fine' })
  clock.advance(HOUR_MS + 1)
  expect((await shown()).parts.mail).toBe('unknown')
})

it('says since when it is watched without a break, and never more than that', async () => {
  expect((await shown()).watched).toBeNull()
  await look()
  clock.advance(24 * HOUR_MS)
  expect((await shown()).watched).toBeNull()
  await look()
  expect((await shown()).watched).toBe('2026-03-11')
  for (let n = 0; n < 24; n++) {
    clock.advance(HOUR_MS)
    await look()
  }
  expect((await shown()).watched).toBe('2026-03-11')
})

it('tells of what lasts and of what is over, by part, day and hours alone', async () => {
  await ranJob('public-ledger', 'failed')
  await ranJob('reconcile', 'failed', 3)
  await look()
  await look()
  expect((await shown()).parts).toEqual({ payments: 'disturbed', mail: 'fine', ledger: 'disturbed' })
  clock.advance(2.5 * HOUR_MS)
  await ranJob('public-ledger', 'done')
  await look()
  const status = await shown()
  expect(status.parts).toEqual({ payments: 'disturbed', mail: 'fine', ledger: 'fine' })
  expect(status.incidents).toHaveLength(2)
  expect(status.incidents).toContainEqual({ part: 'ledger', day: '2026-03-10', hours: 3 })
  expect(status.incidents).toContainEqual({ part: 'payments', day: '2026-03-10', hours: null })
  expect(statusCsv({ ...status, published: '2026-03-01', checkpoint: null }).split('\r\n')).toEqual(
    expect.arrayContaining([
      'published,,,2026-03-01,',
      'watched,,,2026-03-10,',
      'part,payments,disturbed,,',
      'incident,ledger,,2026-03-10,3',
      'incident,payments,,2026-03-10,',
    ]),
  )
})

it('calls mail disturbed where no mail gets through, not where one mailbox is away', async () => {
  await mail('one', { failed_reason: 'ECONNREFUSED' })
  await look()
  expect((await shown()).parts.mail).toBe('disturbed')
  await mail('other', { done_at: clock() })
  await look()
  expect((await shown()).parts.mail).toBe('fine')
})

it('forgets what is over for ninety days', async () => {
  await ranJob('public-ledger', 'failed')
  await look()
  await ranJob('public-ledger', 'done')
  await look()
  clock.advance(91 * 24 * HOUR_MS)
  await look()
  expect(await test.db.read(db => db.selectFrom('disturbances').selectAll().execute())).toEqual([])
})

it('stays as it was, and stops nothing, where it cannot be read', async () => {
  const log = quietLog()
  const status = createPublicStatus({ db: test.db, clock, log })
  await look()
  expect(await status.refresh()).toBe(true)
  expect(await status.refresh()).toBe(false)
  const before = status.current()
  await test.db.transaction(trx => trx.schema.alterTable('disturbances').renameTo('gone').execute())
  expect(await status.refresh()).toBe(false)
  expect(status.current()).toBe(before)
  expect(log.events).toEqual(['public-status-not-read'])
})
