import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createPaymentsDouble } from '#stand-ins/payments-double/index.ts'

let dataDir: string
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'gc-store-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

/** Another server that has just begun to make the file, and ends a moment later. */
const BEGINS = `
  const { DatabaseSync } = require('node:sqlite')
  const { parentPort, workerData } = require('node:worker_threads')
  const db = new DatabaseSync(workerData)
  db.exec('begin immediate')
  parentPort.postMessage('begun')
  setTimeout(() => db.close(), 200)
`

it('waits for another server that makes the file at the same instant', async () => {
  const other = new Worker(BEGINS, { eval: true, workerData: join(dataDir, 'payments-double.sqlite') })
  const ended = once(other, 'exit')
  await once(other, 'message')
  const double = createPaymentsDouble({
    dataDir,
    siteUrl: 'http://localhost:4321',
    webhookUrl: () => 'http://localhost:4321/api/stripe/webhook',
    webhookSecret: 'whsec_test',
  })
  await double.close()
  expect(await ended).toEqual([0])
})
