import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isProblem } from '#domain/problems.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { createLostLinks } from '#server/modules/gifts/cards/lost-links.ts'
import { holdCard } from '#server/modules/gifts/holds.ts'
import { lockCard } from '#server/modules/gifts/stored-cards.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import type { Database } from '#server/platform/db/database.ts'
import { type SoldCard, sellCards, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { interposed } from '#tests/support/interposed.ts'
import { withoutGuard } from '#tests/support/without-guard.ts'

let test: TestDatabase
let rivalDb: Database
beforeAll(async () => {
  test = await openTestDatabase()
  rivalDb = await test.another()
})
afterAll(() => test.close())

const ours = [{ ngoId: 'ours', points: 50 }]
const theirs = [{ ngoId: 'theirs', points: 50 }]
const cardsOver = (db: Database) =>
  createCards({ db, keys: testKeys, clock: fakeClock(), listedNgoIds: () => ['ours', 'theirs'] })
const answerOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'given',
    (error: unknown) => (isProblem(error) ? error.code : String(error)),
  )

/** Redeems with a rival that acts once, at the point numbered `at`. @returns both answers and how many points there were */
async function redeemWithRival(card: SoldCard, at: number, rival: () => Promise<string>, ourDb = test.db) {
  let points = 0
  let acting: Promise<string> | undefined
  const db = interposed(ourDb, async () => {
    if (points++ !== at) return
    acting = rival()
    await acting
  })
  const answer = await answerOf(cardsOver(db).redeem(card.privateKey, ours))
  return { answer, rivalsAnswer: await acting, points }
}

async function countPoints(): Promise<number> {
  const [card] = await sellCards(test.db, 1)
  const { answer, points } = await redeemWithRival(card!, -1, async () => '')
  expect(answer).toBe('given')
  return points
}

/** A rival at each point in turn. @returns who was given a card. Fails unless each card went to one of the two. */
async function wantSomethingElse(points: number, ourDb: Database): Promise<Set<string>> {
  const winners = new Set<string>()
  for (let at = 0; at < points; at++) {
    const [card] = await sellCards(test.db, 1)
    const rival = () => answerOf(cardsOver(rivalDb).redeem(card!.privateKey, theirs))
    const { answer, rivalsAnswer } = await redeemWithRival(card!, at, rival, ourDb)
    expect([answer, rivalsAnswer].sort(), `rival at point ${at}`).toEqual(['card-consumed', 'given'])
    winners.add(answer === 'given' ? 'ours' : 'theirs')
    expect(await checkLedger(test.db), `rival at point ${at}`).toEqual([])
  }
  return winners
}

describe('a rival that comes in between at any point', () => {
  it('who wants something else: one of the two is given the card', async () => {
    const points = await countPoints()
    // Before and after each read and the transaction, and after each of its statements.
    expect(points).toBeGreaterThanOrEqual(8)
    const winners = await wantSomethingElse(points, test.db)
    expect(winners).toEqual(new Set(['ours', 'theirs']))
  })

  it('is told from a redemption that does not ask for an active card', async () => {
    const points = await countPoints()
    const unguarded = withoutGuard(test.db, 'cards', 'status')
    await expect(wantSomethingElse(points, unguarded)).rejects.toMatchObject({ name: 'AssertionError' })
    // Even then the table's own key gives each card away once.
    expect(await checkLedger(test.db)).toEqual([])
  })

  it('who wants the same: both hear the same', async () => {
    const points = await countPoints()
    for (let at = 0; at < points; at++) {
      const [card] = await sellCards(test.db, 1)
      const rival = () => answerOf(cardsOver(rivalDb).redeem(card!.privateKey, ours))
      const { answer, rivalsAnswer } = await redeemWithRival(card!, at, rival)
      expect([answer, rivalsAnswer], `rival at point ${at}`).toEqual(['given', 'given'])
    }
    expect(await checkLedger(test.db)).toEqual([])
  })

  it('who freezes the card for a dispute: it is given, or reads as missing', async () => {
    const points = await countPoints()
    const answers = new Set<string>()
    for (let at = 0; at < points; at++) {
      const [card] = await sellCards(test.db, 1)
      const freeze = () =>
        answerOf(
          rivalDb.transaction(async trx => {
            const now = await lockCard(trx, 'donation', card!.cardId)
            await holdCard(trx, testKeys, 'donation', now!, { reason: 'dispute', stands: true, at: 1 })
          }),
        )
      const { answer } = await redeemWithRival(card!, at, freeze)
      answers.add(answer)
      expect(await checkLedger(test.db), `rival at point ${at}`).toEqual([])
    }
    expect(answers).toEqual(new Set(['card-not-found', 'given']))
  })
})

it('gives nothing by links that are replaced in between, at any point', async () => {
  const points = await countPoints()
  const links = createLostLinks({ db: rivalDb, keys: testKeys, clock: fakeClock() })
  for (let at = 0; at < points; at++) {
    const [card] = await sellCards(test.db, 1)
    const { cardId } = card!
    const rival = () => answerOf(links.renew(cardId, testKeys.renewalKey(cardId, 1)))
    const { answer, rivalsAnswer } = await redeemWithRival(card!, at, rival)
    expect([answer, rivalsAnswer].sort(), `rival at point ${at}`).toEqual(['card-not-found', 'given'])
  }
})
