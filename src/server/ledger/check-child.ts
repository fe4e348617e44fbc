/** A process that checks the ledger: minutes of reading that no visitor waits for. Says what it found, and ends. */
import { type Location, OPERATORS_PATIENCE, openDatabase } from '#server/db/database.ts'
import { checkLedger } from '#server/ledger/check.ts'
import type { Checked } from '#server/ledger/check-aside.ts'

// Whoever ends the site ends a whole group of processes: the site waits for what is begun, as for all its work.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => {})
// Nobody listens any more.
process.once('disconnect', () => process.exit())

process.once('message', async location => {
  const said = await check(location as Location).catch(
    (error: unknown): Checked => ({ failure: error instanceof Error ? error.message : String(error) }),
  )
  process.send?.(said, () => process.disconnect())
})

async function check(location: Location): Promise<Checked> {
  const db = await openDatabase({ ...location, patience: OPERATORS_PATIENCE })
  try {
    return { findings: await checkLedger(db) }
  } finally {
    await db.close()
  }
}
