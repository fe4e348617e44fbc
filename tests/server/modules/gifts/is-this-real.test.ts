import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { printedCheckWord } from '#domain/card/check-word.ts'
import { createLostLinks } from '#server/modules/gifts/cards/lost-links.ts'
import { checkDigestOf, checkWordOf, printedWordOf } from '#server/modules/gifts/check-words.ts'
import { createCheckWords } from '#server/modules/gifts/is-this-real.ts'
import { storedCard } from '#server/modules/gifts/stored-cards.ts'
import { factsOf } from '#server/modules/story/print/prints.ts'
import type { Database } from '#server/platform/db/database.ts'
import {
  CREATED_AT,
  giveFreeCard,
  inviteFor,
  type SoldCard,
  sellCard,
  testKeys,
} from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'

let test: TestDatabase
let sold: SoldCard
beforeEach(async () => {
  test = await openTestDatabase()
  sold = await test.db.transaction(trx => sellCard(trx))
})
afterEach(() => test.close())

const wordsOver = (db: Database = test.db) => createCheckWords({ db, keys: testKeys })
const look = (written: string) => wordsOver().look(written)
const notKnown = { code: 'card-not-found', status: 404, details: {} }

describe('asking whether a gift is real', () => {
  it('tells of every kind when it was made and that it is there, and nothing else', async () => {
    const free = await test.db.transaction(giveFreeCard)
    const invitation = await test.db.transaction(trx => inviteFor(trx))
    const told = await Promise.all(
      [sold.privateKey, free.privateKey, invitation.key].map(key => look(checkWordOf(key))),
    )
    const made = { madeAt: CREATED_AT, standing: 'there' }
    expect(told).toEqual([
      { kind: 'donation', ...made },
      { kind: 'free', ...made },
      { kind: 'volunteering', ...made },
    ])
  })

  it('takes a word as it is printed', async () => {
    const word = printedCheckWord(checkWordOf(sold.privateKey))
    expect(await look(` ${word} `)).toMatchObject({ kind: 'donation' })
  })

  it.each([
    ['consumed', 'used'],
    ['frozen', 'held'],
    ['cancelling', 'held'],
    ['revoked', 'held'],
  ])('tells of a %s gift that it is %s', async (status, standing) => {
    await test.plant(`update cards set status = '${status}' where id = '${sold.cardId}'`)
    expect(await look(checkWordOf(sold.privateKey))).toMatchObject({ standing })
  })

  it('says the same of unknown and malformed words, of keys and of a gift without a word, with the same reads', async () => {
    const reads: string[] = []
    const counting: Database = {
      ...test.db,
      read: async work => {
        reads.push('read')
        return test.db.read(work)
      },
    }
    const bare = await test.db.transaction(trx => sellCard(trx))
    await test.plant(`update cards set check_digest = null where id = '${bare.cardId}'`)
    const asked = [
      'bcdfghjkmnpq',
      '',
      'a word',
      'x'.repeat(10_000),
      sold.privateKey,
      sold.publicKey,
      checkWordOf(sold.publicKey),
      checkWordOf(bare.privateKey),
    ]
    for (const written of asked)
      await expect(wordsOver(counting).look(written), written).rejects.toMatchObject(notKnown)
    await wordsOver(counting).look(checkWordOf(sold.privateKey))
    expect(reads).toHaveLength(asked.length + 1)
  })

  it('knows the new word of a gift whose links were replaced, and the earlier one no more', async () => {
    const clock = fakeClock(CREATED_AT)
    await createLostLinks({ db: test.db, keys: testKeys, clock }).renew(
      sold.cardId,
      testKeys.renewalKey(sold.cardId, 1),
    )
    await expect(look(checkWordOf(sold.privateKey))).rejects.toMatchObject(notKnown)
    expect(await look(checkWordOf(testKeys.privateKey(sold.cardId, 2)))).toMatchObject({ kind: 'donation' })
  })
})

describe('a check word', () => {
  it('stands in no table: its digest is keyed, so that not even all words that there are find it', async () => {
    const word = checkWordOf(sold.privateKey)
    const dump = (await test.dump()).toLowerCase()
    for (const written of [word, printedCheckWord(word).toLowerCase(), testKeys.digest(word)])
      expect(dump).not.toContain(written)
    const card = await test.db.read(db => storedCard(db, 'donation', sold.cardId))
    expect(card?.check_digest).toBe(checkDigestOf(testKeys, word))
    expect(card?.check_digest).toMatch(/^hmac:/)
  })

  it('is of the private key alone, and tells neither key', () => {
    const word = checkWordOf(sold.privateKey)
    expect(word).not.toBe(checkWordOf(sold.publicKey))
    for (const key of [sold.privateKey, sold.publicKey]) expect(key).not.toContain(word.slice(0, 6))
  })

  it('is printed on paper, but not of a card from before there were words', async () => {
    const paper = () =>
      factsOf(
        { db: test.db, keys: testKeys, siteUrl: 'https://gifts.example', siteName: () => 'Gifts' },
        sold.privateKey,
      )
    expect((await paper()).check).toEqual({
      word: printedCheckWord(checkWordOf(sold.privateKey)),
      address: 'gifts.example/is-this-real',
    })
    await test.plant(`update cards set check_digest = null where id = '${sold.cardId}'`)
    expect((await paper()).check.word).toBeNull()
    expect(printedWordOf({ check_digest: null }, sold.privateKey)).toBeNull()
  })
})
