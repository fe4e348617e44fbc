/**
 * A process that makes a run, notes its first payout as paid and cancels its second one, for tests of killed processes.
 * Reads one JSON line (`PayoutWork`). Before its nth statement, or commit, it says `halted` and does nothing more, so
 * that it can be killed there; otherwise it says `done`.
 */
import { createInterface } from 'node:readline'
import { createCardKeys } from '#server/modules/gifts/cards/keys.ts'
import { cancelPayout, markPaid } from '#server/modules/payouts/payouts.ts'
import { makeRun } from '#server/modules/payouts/runs.ts'
import { type Location, openDatabase } from '#server/platform/db/database.ts'
import { diesAt } from './crash-points.ts'

export interface PayoutWork {
  readonly location: Location
  readonly secret: string
  readonly runKey: string
  /** Epoch ms UTC. */
  readonly now: number
  /** At which step it halts, counted from 1. */
  readonly haltsAt: number
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const { value } = await lines.next()
const { location, secret, runKey, now, haltsAt } = JSON.parse(value as string) as PayoutWork
const halt = () => {
  process.stdout.write('halted\n')
  // Holds the thread: nothing runs any more until the process is killed.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}
const opened = await openDatabase(location)
const db = diesAt(haltsAt, halt).over(opened)
const keys = createCardKeys(secret)
const { payouts } = await makeRun(db, keys, { runKey }, now)
await markPaid(db, { id: payouts[0]!.id, reference: `SEPA ${runKey}` }, now, keys)
await cancelPayout(db, payouts[1]!.id, now)
process.stdout.write('done\n')
await opened.close()
process.exit(0)
