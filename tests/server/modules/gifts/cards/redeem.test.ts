import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Problem } from '#domain/problems.ts'
import { allocationsOf } from '#server/modules/gifts/cards/allocations.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import type { Database } from '#server/platform/db/database.ts'
import { type SoldCard, sellCard, testKeys } from '#tests/builders/server.ts'
import { count } from '#tests/support/counts.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'

const ALL = ['red', 'blue', 'green']
let listed: readonly string[] = ALL
let test: TestDatabase
let cards: ReturnType<typeof createCards>
let card: SoldCard
beforeAll(async () => {
  test = await openTestDatabase()
  cards = createCards({ db: test.db, keys: testKeys, clock: fakeClock(), listedNgoIds: () => listed })
})
afterAll(() => test.close())
beforeEach(async () => {
  listed = ALL
  card = await test.db.transaction(trx => sellCard(trx))
})

type Pairs = readonly (readonly [string, number])[]
const answerTo = (pairs: Pairs, attemptKey?: string) =>
  cards.redeem(
    card.privateKey,
    pairs.map(([ngoId, points]) => ({ ngoId, points })),
    attemptKey,
  )
const give = async (...pairs: Pairs) => (await answerTo(pairs)).allocations
const euros = (amount: number) => ({ amount, currency: 'EUR' })

describe('redeeming', () => {
  it('gives the whole credit, what is left over in proportion, and answers with it', async () => {
    const given = await give(['red', 10], ['blue', 30])
    expect(given).toEqual([
      { ngoId: 'red', points: 10, amount: euros(1250) },
      { ngoId: 'blue', points: 30, amount: euros(3750) },
    ])
    expect(await checkLedger(test.db)).toEqual([])
  })

  it('sums the repeats of an organisation before it checks them', async () => {
    expect(await give(['red', 20], ['blue', 10], ['red', 20])).toEqual([
      { ngoId: 'red', points: 40, amount: euros(4000) },
      { ngoId: 'blue', points: 10, amount: euros(1000) },
    ])
  })

  it('answers the same request again with the same allocations, in whatever order it is written', async () => {
    const first = await give(['red', 10], ['blue', 23])
    expect(await give(['red', 10], ['blue', 23])).toEqual(first)
    expect(await give(['blue', 23], ['red', 4], ['red', 6])).toEqual(first)
    expect(await checkLedger(test.db)).toEqual([])
  })

  it('answers the same request again even when an organisation has left the list since', async () => {
    const first = await give(['red', 10])
    listed = ['blue']
    expect(await give(['red', 10])).toEqual(first)
  })

  it('tells of an earlier use only what is confirmed, and would outlast the machine', async () => {
    const first = await give(['red', 10])
    let outlasts = false
    const outlasting = async () => {
      outlasts = true
    }
    const askedAt = (db: Database) =>
      createCards({ db, keys: testKeys, clock: fakeClock(), listedNgoIds: () => listed, outlasting }).redeem(
        card.privateKey,
        [{ ngoId: 'red', points: 10 }],
      )
    expect((await askedAt(test.db)).allocations).toEqual(first)
    expect(outlasts).toBe(true)
    // A machine that is not first any more may hold what the first does not.
    const confirmed = () => Promise.reject(new Problem('temporarily-unavailable'))
    await expect(askedAt({ ...test.db, confirmed })).rejects.toMatchObject({
      code: 'temporarily-unavailable',
    })
  })

  it('refuses another selection of a used card', async () => {
    await give(['red', 10])
    const before = await test.dump()
    const others: readonly Pairs[] = [
      [['red', 11]],
      [['blue', 10]],
      [
        ['red', 10],
        ['blue', 1],
      ],
      [['none', 1]],
      [],
    ]
    for (const other of others) {
      await expect(give(...other)).rejects.toMatchObject({ code: 'card-consumed', status: 409 })
    }
    expect(await test.dump()).toBe(before)
  })

  it('refuses what the card cannot give, and leaves it as it was', async () => {
    const before = await test.dump()
    await expect(give()).rejects.toMatchObject({ code: 'invalid-fields' })
    await expect(give(['red', 0])).rejects.toMatchObject({ code: 'invalid-fields' })
    await expect(give(['red', 1.5])).rejects.toMatchObject({ code: 'invalid-fields' })
    await expect(give(['red', 30], ['red', 21])).rejects.toMatchObject({ code: 'invalid-fields' })
    await expect(give(['red', 1], ['none', 1])).rejects.toMatchObject({ code: 'ngo-not-listed' })
    expect(await test.dump()).toBe(before)
  })

  it('lets the public key give nothing', async () => {
    const attempt = cards.redeem(card.publicKey, [{ ngoId: 'red', points: 1 }])
    await expect(attempt).rejects.toMatchObject({ code: 'card-not-found' })
    expect(await cards.open(card.privateKey, 'full')).toMatchObject({ consumed: false })
  })

  it('splits every credit to the cent, and leaves the books whole', async () => {
    const selections = fc.array(fc.tuple(fc.constantFrom(...ALL), fc.integer({ min: 1, max: 9 })), {
      minLength: 1,
      maxLength: 5,
    })
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 45, max: 1_000 }), selections, async (units, pairs) => {
        card = await test.db.transaction(trx => sellCard(trx, { ngo_amount: units * 100 }))
        const given = await give(...pairs)
        expect(given.reduce((sum, { amount }) => sum + amount.amount, 0)).toBe(units * 100)
        expect(await test.db.read(reader => allocationsOf(reader, card.cardId))).toEqual(given)
      }),
      { numRuns: count({ usual: 30, long: 3_000 }) },
    )
    expect(await checkLedger(test.db)).toEqual([])
  })
})

it('keeps no key that opens a card, whatever was done with it', async () => {
  const before = card
  await give(['red', 10])
  await cards.open(before.publicKey, 'full')
  const dump = await test.dump()
  expect(dump).toContain(before.cardId)
  for (const secret of [before.privateKey, before.publicKey]) expect(dump).not.toContain(secret)
})
