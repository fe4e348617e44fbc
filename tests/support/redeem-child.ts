/**
 * A server process that only redeems, for tests of many processes and of killed ones.
 * Reads one JSON line (`RedeemWork`), says `ready`, waits for a second line, then redeems card after card and
 * writes a line per answer: `{index} given` or `{index} {problem code}`.
 */
import { createInterface } from 'node:readline'
import { isProblem } from '#domain/problems.ts'
import type { Selection } from '#domain/redemption/split.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { createCardKeys } from '#server/modules/gifts/cards/keys.ts'
import { type Location, openDatabase } from '#server/platform/db/database.ts'

export interface RedeemWork {
  readonly location: Location
  readonly secret: string
  readonly privateKeys: readonly string[]
  readonly selection: readonly Selection[]
}

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const { value } = await lines.next()
const work = JSON.parse(value as string) as RedeemWork
const db = await openDatabase(work.location)
const cards = createCards({
  db,
  keys: createCardKeys(work.secret),
  clock: Date.now,
  listedNgoIds: () => work.selection.map(({ ngoId }) => ngoId),
})
process.stdout.write('ready\n')
await lines.next()
for (const [index, key] of work.privateKeys.entries()) {
  const answer = await cards.redeem(key, work.selection).then(
    () => 'given',
    error => (isProblem(error) ? error.code : String(error)),
  )
  process.stdout.write(`${index} ${answer}\n`)
}
await db.close()
process.exit(0)
