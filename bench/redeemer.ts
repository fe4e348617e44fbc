/**
 * A server process that only redeems. Reads one JSON line (`RedeemerWork`), redeems in both databases in turn, then
 * with many callers at once in the larger one, and writes one JSON line (`RedeemerTimes`).
 */

import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { type Location, openDatabase } from '#server/db/database.ts'
import { inTurn } from './pool.ts'
import { CHOSEN, roomOf } from './stock.ts'

export interface Stocked {
  readonly location: Location
  /** Private keys of cards that nobody has used. */
  readonly keys: readonly string[]
}

export interface RedeemerWork {
  readonly few: Stocked
  readonly many: Stocked
  /** How many cards of each to redeem one after the other; the rest of `many` is for the callers at once. */
  readonly oneByOne: number
  readonly callers: number
  /** A planted fault: ms by which each redemption in the larger database is late. */
  readonly lateMs: number
}

export interface RedeemerTimes {
  /** ms of each redemption, one after the other. */
  readonly few: readonly number[]
  readonly many: readonly number[]
  /** Redemptions per second with all callers at once. */
  readonly together: number
}

/** Redemptions that nobody counts: code is compiled and statements are prepared. */
const WARM_UP = 50

const { value } = await createInterface({ input: process.stdin })[Symbol.asyncIterator]().next()
const { few, many, oneByOne, callers, lateMs } = JSON.parse(value ?? '') as RedeemerWork
const smallDb = await openDatabase(few.location)
const largeDb = await openDatabase(many.location)
const small = roomOf(smallDb)
const large = roomOf(largeDb)

const times = { few: [] as number[], many: [] as number[] }
for (let index = 0; index < oneByOne; index++) {
  const inFew = await timed(() => small.redeem(few.keys[index]!, CHOSEN))
  const inMany = await timed(async () => {
    if (lateMs > 0) await pause(lateMs)
    await large.redeem(many.keys[index]!, CHOSEN)
  })
  if (index < WARM_UP) continue
  times.few.push(inFew)
  times.many.push(inMany)
}
const rest = many.keys.slice(oneByOne)
const ms = await timed(() => inTurn(callers, rest, key => large.redeem(key, CHOSEN)))
await Promise.all([smallDb.close(), largeDb.close()])
const answer: RedeemerTimes = { ...times, together: (rest.length / ms) * 1_000 }
process.stdout.write(`${JSON.stringify(answer)}\n`, () => process.exit(0))

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
