import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isProblem } from '#domain/problems.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import type { Database } from '#server/platform/db/database.ts'
import { sellCards, TEST_CARD_SECRET, testKeys } from '#tests/builders/server.ts'
import { startChild } from '#tests/support/child.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import type { RedeemWork } from '#tests/support/redeem-child.ts'
import { withoutGuard } from '#tests/support/without-guard.ts'

let test: TestDatabase
beforeEach(async () => {
  test = await openTestDatabase()
})
afterEach(() => test.close())

/** The rival numbered n wants everything for an organisation of its own. */
const wish = (n: number) => [{ ngoId: `ngo-${n}`, points: 50 }]
const cardsOver = (db: Database) =>
  createCards({
    db,
    keys: testKeys,
    clock: fakeClock(),
    listedNgoIds: () => Array.from({ length: 50 }, (_, n) => `ngo-${n}`),
  })
const answerOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'given',
    (error: unknown) => (isProblem(error) ? error.code : String(error)),
  )
const allocated = () =>
  test.db.read(async db => {
    const rows = await db.selectFrom('allocations').select('amount').execute()
    return { rows: rows.length, sum: rows.reduce((sum, { amount }) => sum + amount, 0) }
  })

/** Everybody but one heard that the card is used up. */
function expectOneWinner(answers: readonly string[]): void {
  expect(answers.filter(answer => answer === 'given')).toHaveLength(1)
  expect(answers.filter(answer => answer === 'card-consumed')).toHaveLength(answers.length - 1)
}

describe('in one process', () => {
  it('gives one card to one of fifty rivals on two connections', async () => {
    const rivals = [cardsOver(test.db), cardsOver(await test.another())]
    const [card] = await sellCards(test.db, 1)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => answerOf(rivals[n % 2]!.redeem(card!.privateKey, wish(n)))),
    )
    expectOneWinner(answers)
    expect(await allocated()).toEqual({ rows: 1, sum: 5000 })
    expect(await checkLedger(test.db)).toEqual([])
  })

  it('gives fifty repeats of one request the same answer', async () => {
    const cards = cardsOver(test.db)
    const [card] = await sellCards(test.db, 1)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => cards.redeem(card!.privateKey, wish(1), 'one-press-of-the-button')),
    )
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(await allocated()).toEqual({ rows: 1, sum: 5000 })
  })

  it('gives each of a hundred cards once when five rivals want every one', async () => {
    const cards = cardsOver(test.db)
    const sold = await sellCards(test.db, 100)
    const perCard = await Promise.all(
      sold.map(card =>
        Promise.all(Array.from({ length: 5 }, (_, n) => answerOf(cards.redeem(card.privateKey, wish(n))))),
      ),
    )
    for (const answers of perCard) expectOneWinner(answers)
    expect(await allocated()).toEqual({ rows: 100, sum: 500_000 })
    expect(await checkLedger(test.db)).toEqual([])
  })
})

describe('without the guard', () => {
  it('the race is lost: rivals run into the key of the table, and still nothing is given twice', async () => {
    const both = [test.db, await test.another()].map(db => withoutGuard(db, 'cards', 'status'))
    const rivals = both.map(cardsOver)
    const [card] = await sellCards(test.db, 1)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => answerOf(rivals[n % 2]!.redeem(card!.privateKey, wish(n)))),
    )
    expect(() => expectOneWinner(answers)).toThrow()
    expect(answers.filter(answer => /constraint/i.test(answer)).length).toBeGreaterThan(0)
    expect(await allocated()).toEqual({ rows: 1, sum: 5000 })
    expect(await checkLedger(test.db)).toEqual([])
  })
})

describe('in eight processes', () => {
  it('gives each of twenty-five cards to one of them', async () => {
    const sold = await sellCards(test.db, 25)
    const children = Array.from({ length: 8 }, () => startChild('./redeem-child.ts'))
    try {
      for (const [n, child] of children.entries()) {
        const privateKeys = sold.map(card => card.privateKey)
        const work: RedeemWork = {
          location: test.location,
          secret: TEST_CARD_SECRET,
          privateKeys,
          selection: wish(n),
        }
        child.send(JSON.stringify(work))
      }
      for (const child of children) expect(await child.nextLine()).toBe('ready')
      for (const child of children) child.send('go')
      const answers: string[][] = sold.map(() => [])
      await Promise.all(
        children.map(async child => {
          for (let line = await child.nextLine(); line !== undefined; line = await child.nextLine()) {
            const [index, answer] = line.split(' ')
            answers[Number(index)]?.push(answer ?? '')
          }
        }),
      )
      for (const perCard of answers) {
        expect(perCard).toHaveLength(8)
        expectOneWinner(perCard)
      }
      expect(await allocated()).toEqual({ rows: 25, sum: 125_000 })
      expect(await checkLedger(test.db)).toEqual([])
    } finally {
      await Promise.all(children.map(child => child.kill()))
    }
  })
})
