import type { Kysely, KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { THEMES } from '#domain/themes.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import type { RedeemTools } from '#server/modules/gifts/cards/redeem.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Schema } from '#server/platform/db/schema.ts'
import { CREATED_AT, giveFreeCard, sellCard, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'

let test: TestDatabase
let tools: RedeemTools
let cards: ReturnType<typeof createCards>
beforeAll(async () => {
  test = await openTestDatabase()
  tools = { db: test.db, keys: testKeys, clock: fakeClock(), listedNgoIds: () => ['red', 'blue'] }
  cards = createCards(tools)
})
afterAll(() => test.close())

const sell = () => test.db.transaction(trx => sellCard(trx))
const setStatus = (cardId: string, status: 'frozen' | 'revoked') =>
  test.db.transaction(trx => trx.updateTable('cards').set({ status }).where('id', '=', cardId).execute())

describe('opening a card', () => {
  it('shows the whole card to its private key', async () => {
    const { privateKey } = await sell()
    expect(await cards.open(privateKey, 'full')).toEqual({
      authority: 'full',
      createdAt: CREATED_AT,
      autoDonateAt: Date.parse('2027-03-10T23:00:00Z'),
      language: 'es',
      credit: { amount: 5000, currency: 'EUR' },
      senderName: 'Aina',
      message: null,
      theme: THEMES.palestine,
      consumed: false,
      free: false,
      use: null,
    })
  })

  it('shows a preview to the public key, whatever is asked, and to the private key that asks for one', async () => {
    const { privateKey, publicKey } = await sell()
    for (const [key, asked] of [
      [publicKey, 'full'],
      [publicKey, 'preview'],
      [privateKey, 'preview'],
    ] as const) {
      expect(await cards.open(key, asked)).toMatchObject({ authority: 'preview', consumed: false })
    }
  })

  it('says that a card was used, and when, and tells a preview nothing of it', async () => {
    const { privateKey, publicKey } = await sell()
    await cards.redeem(privateKey, [{ ngoId: 'red', points: 1 }])
    expect(await cards.open(privateKey, 'full')).toMatchObject({
      consumed: true,
      use: { by: 'recipient', at: tools.clock() },
    })
    for (const view of [await cards.open(publicKey, 'full'), await cards.open(privateKey, 'preview')]) {
      expect(view).toMatchObject({ authority: 'preview', consumed: false, use: null })
    }
  })

  it('says of a free card that it is free', async () => {
    const { privateKey } = await test.db.transaction(giveFreeCard)
    expect(await cards.open(privateKey, 'full')).toMatchObject({ free: true, senderName: null })
  })

  it('answers every wrong key alike', async () => {
    const frozen = await sell()
    const revoked = await sell()
    await setStatus(frozen.cardId, 'frozen')
    await setStatus(revoked.cardId, 'revoked')
    const wrong = [
      '',
      'giftcard-try',
      'a'.repeat(32),
      'A'.repeat(32),
      'a'.repeat(100_000),
      "' or 1=1 --",
      '\u0000',
      '../../etc/passwd',
      frozen.cardId,
      testKeys.digest(frozen.privateKey),
      `${frozen.privateKey} `,
      frozen.privateKey,
      frozen.publicKey,
      revoked.privateKey,
      revoked.publicKey,
    ]
    const answers = await Promise.all(
      wrong.flatMap(key => [
        cards.open(key, 'full').catch(problemOf),
        cards.open(key, 'preview').catch(problemOf),
        cards.redeem(key, [{ ngoId: 'red', points: 1 }]).catch(problemOf),
      ]),
    )
    expect(new Set(answers)).toEqual(
      new Set(['{"name":"Problem","code":"card-not-found","status":404,"details":{}}']),
    )
  })

  it('asks the database as much for a malformed key as for an unknown one', async () => {
    const asked: number[] = []
    for (const key of ['', 'not a key', 'a'.repeat(32)]) {
      let queries = 0
      const count: KyselyPlugin = {
        transformQuery: ({ node }) => node,
        async transformResult({ result }) {
          queries++
          return result
        },
      }
      const read: Database['read'] = fn =>
        test.db.read(reader => fn((reader as Kysely<Schema>).withPlugin(count)))
      const counting = createCards({ ...tools, db: { ...test.db, read } })
      await counting.open(key, 'full').catch(() => {})
      asked.push(queries)
    }
    expect(asked).toEqual([1, 1, 1])
  })

  it('changes nothing', async () => {
    const { privateKey, publicKey } = await sell()
    const before = await test.dump()
    for (const key of [privateKey, publicKey, 'a'.repeat(32)]) {
      await cards.open(key, 'full').catch(() => {})
      await cards.open(key, 'preview').catch(() => {})
    }
    expect(await test.dump()).toBe(before)
  })
})

function problemOf(error: unknown): string {
  return JSON.stringify(error)
}
