import { isProblem } from '#domain/problems.ts'
import { QUERIES } from '#server/modules/reports/queries.ts'
import type { WorkerReply, WorkerRequest } from '#server/modules/reports/worker-process/worker-process.ts'
import { openDatabase } from '#server/platform/db/database.ts'

/** What the reports' process of its own does (`worker-process/child.ts`), in this one. */
export async function readAsWorker(asked: unknown): Promise<WorkerReply> {
  const { question, location, now, secrets } = asked as WorkerRequest
  const db = await openDatabase({ ...location, existing: true, asItIs: true })
  try {
    return { answer: await QUERIES[question](db, now, secrets) }
  } catch (error) {
    if (isProblem(error)) return { problem: error.code, details: error.details }
    return { failure: error instanceof Error ? error.message : String(error) }
  } finally {
    await db.close()
  }
}
