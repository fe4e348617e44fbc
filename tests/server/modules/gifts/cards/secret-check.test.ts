import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCardKeys } from '#server/modules/gifts/cards/keys.ts'
import { examineSecret } from '#server/modules/gifts/cards/secret-check.ts'
import { openCardKeys, WrongSecret } from '#server/modules/gifts/cards/secrets.ts'
import type { Database } from '#server/platform/db/database.ts'
import {
  CREATED_AT,
  giveFreeCard,
  inviteFor,
  sellCard,
  sellCards,
  TEST_CARD_SECRET,
  testKeys,
} from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'

const OTHER_SECRET = 'another secret than the one of the tests'
const otherKeys = createCardKeys(OTHER_SECRET)

let test: TestDatabase
beforeEach(async () => {
  test = await openTestDatabase()
})
afterEach(() => test.close())

const verdicts = () => Promise.all([testKeys, otherKeys].map(keys => examineSecret(test.db, keys)))

describe('a secret', () => {
  it('is known by a card of either kind, bought or free', async () => {
    for (const make of [sellCard, giveFreeCard, inviteFor]) {
      await test.plant('delete from volunteering_cards', 'delete from cards')
      await test.db.transaction(async trx => void (await make(trx)))
      expect(await verdicts(), make.name).toEqual(['right', 'wrong'])
    }
  })

  it('is known by a card whose links were replaced', async () => {
    const { cardId } = await test.db.transaction(trx => sellCard(trx))
    const digest = testKeys.digest(testKeys.privateKey(cardId, 2))
    await test.plant(`update cards set key_version = 2, private_digest = '${digest}'`)
    expect(await verdicts()).toEqual(['right', 'wrong'])
  })

  it('is not called wrong because somebody has changed one card', async () => {
    const [, last] = await sellCards(test.db, 2)
    await test.plant(`update cards set private_digest = 'changed' where id = '${last!.cardId}'`)
    expect(await verdicts()).toEqual(['right', 'wrong'])
  })

  it('is known from the first start on where there is no card yet', async () => {
    expect(await verdicts()).toEqual(['unknown', 'unknown'])
    const start = (db: Database, current: string) => openCardKeys(db, { current, earlier: [] }, CREATED_AT)
    await Promise.all([test.db, await test.another()].map(db => start(db, TEST_CARD_SECRET)))
    await expect(start(test.db, OTHER_SECRET)).rejects.toThrow(WrongSecret)
    expect(await verdicts()).toEqual(['right', 'wrong'])
  })
})
