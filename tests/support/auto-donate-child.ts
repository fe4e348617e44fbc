/**
 * A server process that only does the yearly auto-donation, for tests of several processes and of killed ones.
 * Reads one JSON line (`AutoDonateWork`), says `ready`, waits for a second line, then works through what is due, a
 * line after each batch, and ends with `done`.
 */
import { randomInt } from 'node:crypto'
import { createInterface } from 'node:readline'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { autoDonation } from '#server/app/schedule/yearly.ts'
import { type Location, openDatabase } from '#server/platform/db/database.ts'
import { createJobs } from '#server/platform/job-runner/job-runner.ts'
import { testKeys } from '#tests/builders/server.ts'

export interface AutoDonateWork {
  readonly location: Location
  /** Epoch ms UTC. */
  readonly now: number
  readonly ngoIds: readonly string[]
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const { value } = await lines.next()
const { location, now, ngoIds } = JSON.parse(value as string) as AutoDonateWork
const db = await openDatabase(location)
const say = (line: string) => void process.stdout.write(`${line}\n`)
const jobs = createJobs({
  db,
  clock: () => now,
  sharedClock: () => now,
  log: { info() {}, error: event => say(event) },
  jobs: [
    autoDonation({
      db,
      keys: testKeys,
      clock: () => now,
      draw: randomInt,
      log: { error: say },
      listedNgoIds: () => ngoIds,
    }),
  ],
  rest: () => {
    say('batch')
    return nextTurn()
  },
})
say('ready')
await lines.next()
await jobs.runDue()
say('done')
await db.close()
process.exit(0)
