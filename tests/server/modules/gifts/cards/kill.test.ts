import { afterEach, beforeEach, expect, it } from 'vitest'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { sellCards, TEST_CARD_SECRET, testKeys } from '#tests/builders/server.ts'
import { startChild } from '#tests/support/child.ts'
import { count } from '#tests/support/counts.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeChance } from '#tests/support/fake-chance.ts'
import type { RedeemWork } from '#tests/support/redeem-child.ts'

/** How often a process is killed, on each engine. */
const ROUNDS = count({ usual: 5, long: 100 })
const CARDS = 40
const selection = [
  { ngoId: 'red', points: 20 },
  { ngoId: 'blue', points: 13 },
]

let test: TestDatabase
async function sell() {
  const db = await openDatabase(test.location)
  const sold = await sellCards(db, CARDS)
  await db.close()
  return sold
}
beforeEach(async () => {
  test = await openTestDatabase()
})
afterEach(() => test.close())

it('loses no answer that was given, and keeps nothing half done, when the process is killed', async () => {
  const chance = fakeChance(Number(process.env.SEED ?? 1))
  // Nobody else has the database open: the next one to open it finds what the killed process left behind.
  await test.db.close()
  for (let round = 0; round < ROUNDS; round++) {
    const sold = await sell()
    const work: RedeemWork = {
      location: test.location,
      secret: TEST_CARD_SECRET,
      privateKeys: sold.map(card => card.privateKey),
      selection,
    }
    const child = startChild('./redeem-child.ts')
    child.send(JSON.stringify(work))
    expect(await child.nextLine()).toBe('ready')
    child.send('go')
    const given = new Set<number>()
    const killAfter = 1 + Math.floor(chance() * (CARDS - 1))
    while (given.size < killAfter) {
      const [index, answer] = (await child.nextLine())?.split(' ') ?? []
      expect(answer).toBe('given')
      given.add(Number(index))
    }
    await child.kill()
    // What it still said before it died counts as given too.
    for (let line = await child.nextLine(); line !== undefined; line = await child.nextLine()) {
      given.add(Number(line.split(' ')[0]))
    }

    const db = await openDatabase(test.location)
    const { open, redeem } = createCards({
      db,
      keys: testKeys,
      clock: () => 1,
      listedNgoIds: () => ['red', 'blue'],
    })
    for (const index of given) {
      expect(await open(sold[index]!.privateKey, 'full')).toMatchObject({ consumed: true })
    }
    expect(await checkLedger(db)).toEqual([])
    // Whoever never heard the answer asks again, and hears it.
    const answers = await Promise.all(sold.map(card => redeem(card.privateKey, selection)))
    for (const { allocations } of answers) expect(allocations).toHaveLength(2)
    expect(await checkLedger(db)).toEqual([])
    await db.close()
  }
}, 600_000)
