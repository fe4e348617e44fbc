import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { freePort } from '#tests/support/free-port.ts'
import { buyCard } from '#tests/support/product/buy.ts'
import { call } from '#tests/support/product/call.ts'
import {
  type Product,
  startProduct,
  startWorker,
  type WorkerProcess,
} from '#tests/support/product/product.ts'
import { openTestEnvironment, type TestEnvironment } from '#tests/support/product/test-environment.ts'

describe.each(['sqlite', 'pooled'] as const)('workers of their own (%s)', keeping => {
  let environment: TestEnvironment
  let site: Product | undefined
  let worker: WorkerProcess | undefined
  beforeEach(async () => {
    environment = await openTestEnvironment(keeping)
  })
  afterEach(async () => {
    await site?.kill()
    await worker?.kill()
    await environment?.close()
  })
  const jobs = () => environment.database.db.read(db => db.selectFrom('jobs').select('done_at').execute())
  const runs = () =>
    environment.database.db.read(db => db.selectFrom('periodic_jobs').select('finished_at').execute())

  it('do what a site leaves to them, without a page of their own, and end in order', async () => {
    site = await startProduct({ env: { ...environment.env, WORKERS: 'apart' } })
    const { email, privateKey } = await buyCard(site)
    // Whoever does the work has it in hand by now, and would end it before it stops.
    expect(await site.stop()).toBe(0)
    expect(await jobs()).toEqual([{ done_at: null }])
    expect(await runs()).toEqual([])

    const PORT = String(await freePort())
    worker = await startWorker({ env: { ...environment.secondEnv(), PORT } })
    await environment.noWorkLeft()
    const mails = await environment.mails()
    expect(mails.map(({ to, text }) => [to, text.includes(privateKey)])).toEqual([[email, true]])
    await expect
      .poll(async () => (await runs()).some(run => run.finished_at !== null), { timeout: 60_000 })
      .toBe(true)
    await expect(call(`http://127.0.0.1:${PORT}/health/live`)).rejects.toThrow('ECONNREFUSED')
    expect(await worker.stop()).toBe(0)
    expect(worker.output()).not.toContain('"level":"error"')
  })
})
