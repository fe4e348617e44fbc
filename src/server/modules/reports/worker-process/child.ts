/** A process that reads what no visitor may wait for: seconds or minutes of a database. Says what it read, and ends. */
import { isProblem } from '#domain/problems.ts'
import type { WorkerReply, WorkerRequest } from './worker-process.ts'

// A signal to the site may reach every process of its service. This process ignores it, since the site waits for its
// work. The modules are loaded after this is set up.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {})
// Nobody listens any more.
process.once('disconnect', () => process.exit())

process.once('message', async request => {
  const reply = await answer(request as WorkerRequest).catch((error: unknown): WorkerReply => {
    if (isProblem(error)) return { problem: error.code, details: error.details }
    return { failure: error instanceof Error ? error.message : String(error) }
  })
  process.send?.(reply, () => process.disconnect())
})

async function answer({ question, location, now, secrets }: WorkerRequest): Promise<WorkerReply> {
  const { OPERATOR_TIMEOUTS, openDatabase } = await import('#server/platform/db/database.ts')
  const { QUERIES } = await import('#server/modules/reports/queries.ts')
  const db = await openDatabase({
    ...location,
    existing: true,
    asItIs: true,
    // Somebody is waiting for these figures.
    ...((question === 'findings' || question === 'publicLedgerAndSeals') && { timeouts: OPERATOR_TIMEOUTS }),
  })
  try {
    return { answer: await QUERIES[question](db, now, secrets) }
  } finally {
    await db.close()
  }
}
