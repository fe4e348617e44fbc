import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Location } from '#server/db/database.ts'
import type { Finding } from '#server/ledger/findings.ts'

/** Checks the ledger in a thread of its own, so that the embedded database's long reads stop nobody. */
export async function checkAside({ dataDir, databaseUrl }: Location): Promise<readonly Finding[]> {
  const worker = new Worker(new URL('./check-worker.ts', import.meta.url), {
    workerData: { dataDir, databaseUrl },
  })
  const gone = once(worker, 'exit')
  try {
    const [findings] = (await once(worker, 'message')) as [readonly Finding[]]
    return findings
  } finally {
    await gone
  }
}
