import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { printedCheckWord } from '#domain/card/check-word.ts'
import { groupedKey } from '#domain/card/keys.ts'
import { DEFAULT_MARKET } from '#domain/market.ts'
import { THEMES } from '#domain/themes.ts'
import { checkWordOf } from '#server/modules/gifts/check-words.ts'
import { createPrints, factsOf } from '#server/modules/story/print/prints.ts'
import { CREATED_AT, sellCard, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { readPdf } from '#tests/support/read-pdf.ts'

let test: TestDatabase
let tools: Parameters<typeof factsOf>[0]
beforeAll(async () => {
  test = await openTestDatabase()
  tools = {
    db: test.db,
    keys: testKeys,
    siteUrl: 'https://gifts.example',
    siteName: language => `Site ${language}`,
  }
})
afterAll(() => test.close())

const sell = () => test.db.transaction(trx => sellCard(trx, { language: 'fr', theme_id: 'ukraine' }))
const setStatus = (id: string, status: 'frozen' | 'revoked' | 'consumed') =>
  test.db.transaction(trx => trx.updateTable('cards').set({ status }).where('id', '=', id).execute())

describe('a sheet to print', () => {
  it('says what the card holds, in its own language, for the private key', async () => {
    const { privateKey } = await sell()
    expect(await factsOf(tools, privateKey)).toEqual({
      link: `https://gifts.example/g/ukraine/fr#${privateKey}`,
      address: 'gifts.example/g#',
      key: groupedKey(privateKey),
      check: {
        word: printedCheckWord(checkWordOf(privateKey)),
        address: 'gifts.example/is-this-real',
      },
      credit: { amount: 5000, currency: 'EUR' },
      recipientName: null,
      senderName: 'Aina',
      message: null,
      theme: THEMES.ukraine,
      language: 'fr',
      autoDonateAt: Date.parse('2027-03-10T23:00:00Z'),
      market: DEFAULT_MARKET,
      siteName: 'Site fr',
      sandbox: false,
    })
    const { text } = readPdf(await createPrints({ ...tools, clock: () => CREATED_AT }).sheetOf(privateKey))
    expect(text).toContain('Aina a pensé à vous.')
    expect(text).toContain('10\u00a0mars 2027')
  })

  it('is not there for the public key, no more than for one that opens nothing', async () => {
    const { publicKey, privateKey } = await sell()
    for (const key of [publicKey, 'a'.repeat(32), '', `${privateKey}a`])
      await expect(factsOf(tools, key)).rejects.toMatchObject({ code: 'card-not-found' })
  })

  it.each([
    ['frozen', 'card-not-found'],
    ['revoked', 'card-not-found'],
    ['consumed', 'card-consumed'],
  ] as const)('is not there for a %s card', async (status, code) => {
    const { cardId, privateKey } = await sell()
    await setStatus(cardId, status)
    await expect(factsOf(tools, privateKey)).rejects.toMatchObject({ code })
  })
})
