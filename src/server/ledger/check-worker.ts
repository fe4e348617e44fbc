/** A thread that checks the ledger: minutes of reading that no visitor waits for. Posts the findings. */
import { parentPort, workerData } from 'node:worker_threads'
import { type Location, OPERATORS_PATIENCE, openDatabase } from '#server/db/database.ts'
import { checkLedger } from '#server/ledger/check.ts'

const db = await openDatabase({ ...(workerData as Location), patience: OPERATORS_PATIENCE })
try {
  parentPort?.postMessage(await checkLedger(db))
} finally {
  await db.close()
}
