/** A process that checks the ledger: minutes of reading that no visitor waits for. Says what it found, and ends. */
import { setImmediate } from 'node:timers/promises'
import type { Location } from '#server/db/database.ts'
import type { Checked } from '#server/ledger/check-aside.ts'

// Whoever ends the site may end every process of its service: the site waits for what is begun, as for all its work.
// The rooms are loaded only when this holds.
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
  const { OPERATORS_PATIENCE, openDatabase } = await import('#server/db/database.ts')
  const { checkLedger } = await import('#server/ledger/check.ts')
  const db = await openDatabase({ ...location, patience: OPERATORS_PATIENCE, existing: true })
  try {
    // The embedded database reads at a stretch: between its rules it is heard whether anybody listens.
    return { findings: await checkLedger(db, () => setImmediate()) }
  } finally {
    await db.close()
  }
}
