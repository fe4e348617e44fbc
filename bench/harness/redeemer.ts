/**
 * A server process that only redeems. Reads one JSON line (`RedeemerWork`), redeems in each database in turn, then
 * with many callers at once in the last, and writes one JSON line (`RedeemerTimes`).
 */

import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { type Location, openDatabase } from '#server/platform/db/database.ts'
import { inTurn } from './pool.ts'
import { CHOSEN, roomOf } from './seed-data.ts'

export interface SeededDatabase {
  readonly location: Location
  /** Private keys of cards that nobody has used. */
  readonly keys: readonly string[]
}

export interface RedeemerWork {
  /** From the smallest to the largest. */
  readonly databases: readonly SeededDatabase[]
  /** How many cards of each to redeem one after the other; the rest of the last is for the callers at once. */
  readonly oneByOne: number
  readonly callers: number
  /** A planted fault: ms by which each redemption in the last database is late. */
  readonly lateMs: number
}

export interface RedeemerTimes {
  /** ms of each redemption, one after the other, by database. */
  readonly times: readonly (readonly number[])[]
  /** Redemptions per second with all callers at once. */
  readonly together: number
}

/** Redemptions that nobody counts: code is compiled and statements are prepared. */
const WARM_UP = 50

const { value } = await createInterface({ input: process.stdin })[Symbol.asyncIterator]().next()
const { databases, oneByOne, callers, lateMs } = JSON.parse(value ?? '') as RedeemerWork
const opened = await Promise.all(databases.map(({ location }) => openDatabase(location)))
const rooms = opened.map(roomOf)
const last = rooms.length - 1

const times = databases.map(() => [] as number[])
for (let index = 0; index < oneByOne; index++) {
  for (const [n, room] of rooms.entries()) {
    const ms = await timed(async () => {
      if (lateMs > 0 && n === last) await pause(lateMs)
      await room.redeem(databases[n]!.keys[index]!, CHOSEN)
    })
    if (index >= WARM_UP) times[n]!.push(ms)
  }
}
const rest = databases[last]!.keys.slice(oneByOne)
const ms = await timed(() => inTurn(callers, rest, key => rooms[last]!.redeem(key, CHOSEN)))
await Promise.all(opened.map(db => db.close()))
const answer: RedeemerTimes = { times, together: (rest.length / ms) * 1_000 }
process.stdout.write(`${JSON.stringify(answer)}\n`, () => process.exit(0))

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
