import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ClaimAddress, readClaimAddress } from '#domain/campaign/claim-address.ts'
import { createAnswers } from '#server/modules/gifts/answers/answers.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { type CardKeys, createCardKeys } from '#server/modules/gifts/cards/keys.ts'
import { createLostLinks } from '#server/modules/gifts/cards/lost-links.ts'
import { WRONG_SECRET } from '#server/modules/gifts/cards/secret-check.ts'
import {
  cardsOfEarlier,
  type GivenSecrets,
  LACKING_SECRET,
  openCardKeys,
  readCardKeys,
} from '#server/modules/gifts/cards/secrets.ts'
import { storedCard } from '#server/modules/gifts/stored-cards.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { beginCounts, rowsMissing } from '#server/modules/integrity/checkpoints.ts'
import { createNewsletter } from '#server/modules/letters/newsletter/newsletter.ts'
import { createTokens } from '#server/modules/letters/newsletter/tokens.ts'
import { addresseeOf } from '#server/modules/letters/rows.ts'
import {
  CREATED_AT,
  giveFreeCard,
  inviteFor,
  type SoldCard,
  sellCard,
  TEST_CARD_SECRET,
  testKeys,
} from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'

const NEW = 'the secret that came after it, as long'
const NEWEST = 'the secret that came after that, as long'
const first: GivenSecrets = { current: TEST_CARD_SECRET, earlier: [] }
const second: GivenSecrets = { current: NEW, earlier: [TEST_CARD_SECRET] }

let test: TestDatabase
let old: SoldCard
beforeEach(async () => {
  test = await openTestDatabase()
  await beginCounts(test.db, testKeys, CREATED_AT)
  await openCardKeys(test.db, first, CREATED_AT)
  old = await test.db.transaction(trx => sellCard(trx))
})
afterEach(() => test.close())

const open = (given: GivenSecrets) => openCardKeys(test.db, given, CREATED_AT)
const cardsWith = (keys: CardKeys) =>
  createCards({ db: test.db, keys, clock: () => CREATED_AT, listedNgoIds: () => ['msf'] })
const linksWith = (keys: CardKeys) => createLostLinks({ db: test.db, keys, clock: () => CREATED_AT })
const give = (keys: CardKeys, privateKey: string) =>
  cardsWith(keys).redeem(privateKey, [{ ngoId: 'msf', points: 50 }])
const findings = async (keys: CardKeys) => [
  ...(await checkLedger(test.db, { keys, now: CREATED_AT })),
  ...(await test.db.read(reader => rowsMissing(reader, keys, CREATED_AT))),
]

describe('a site whose secret was changed', () => {
  it('refuses to start without the earlier one, and with another', async () => {
    await expect(open({ current: NEW, earlier: [] })).rejects.toThrow(WRONG_SECRET)
    await expect(open({ current: NEW, earlier: ['some secret that nobody ever used here'] })).rejects.toThrow(
      WRONG_SECRET,
    )
    await open(second)
    // A server that still has the first one would make links that the others cannot.
    await expect(open(first)).rejects.toThrow(WRONG_SECRET)
  })

  it('derives the same links again for the cards of before, and gives and renews them', async () => {
    const keys = await open(second)
    expect(keys.privateKey(old.cardId, 1)).toBe(old.privateKey)
    expect(keys.publicKey(old.cardId, 1)).toBe(old.publicKey)
    const renewal = testKeys.renewalKey(old.cardId, 1)
    expect(await linksWith(keys).open(old.cardId, renewal)).toMatchObject({ privateKey: old.privateKey })
    const renewed = await linksWith(keys).renew(old.cardId, renewal)
    await expect(give(keys, old.privateKey)).rejects.toMatchObject({ code: 'card-not-found' })
    // The links that replace them are made with the secret in use.
    const again = await linksWith(keys).open(old.cardId, renewed.key)
    expect(again.privateKey).toBe(keys.privateKey(old.cardId, keys.nextVersion(1)))
    expect(await cardsOfEarlier(test.db, [TEST_CARD_SECRET])).toEqual([0])
    await give(keys, again.privateKey)
    expect(await findings(keys)).toEqual([])
  })

  it('makes new cards with the new secret, which the earlier one alone cannot derive', async () => {
    const keys = await open(second)
    const card = await test.db.transaction(trx => sellCard(trx, { keys }))
    expect(card.privateKey).toBe(keys.privateKey(card.cardId, keys.firstVersion))
    expect(card.privateKey).not.toBe(testKeys.privateKey(card.cardId, 1))
    expect(() => testKeys.privateKey(card.cardId, keys.firstVersion)).toThrow('CARD_KEY_SECRET_EARLIER')
    await give(keys, card.privateKey)
    await give(keys, old.privateKey)
    expect(await findings(keys)).toEqual([])
  })

  it('finds the books in order once the earlier secret is gone, and sees a row that another hand wrote', async () => {
    const keys = await open(second)
    await give(keys, old.privateKey)
    const alone = await open({ current: NEW, earlier: [] })
    expect(await findings(alone)).toEqual([])
    await test.plant(`update cards set auto_donate_at = auto_donate_at - 1 where id = '${old.cardId}'`)
    expect((await findings(alone)).map(({ rule }) => rule)).toContain('card-seal-broken')
  })

  it('needs the earlier secret while a card of it may be used, and says how many', async () => {
    await test.db.transaction(trx => sellCard(trx))
    const keys = await open(second)
    const uses = () => cardsOfEarlier(test.db, [TEST_CARD_SECRET, 'some secret that nobody ever used here'])
    expect(await uses()).toEqual([2, undefined])
    await give(keys, old.privateKey)
    expect(await uses()).toEqual([1, undefined])
    await expect(open({ current: NEW, earlier: [] })).rejects.toThrow(LACKING_SECRET)
    expect((await readCardKeys(test.db, { current: NEW, earlier: [] })).verdict).toBe('incomplete')
    await test.plant("update cards set status = 'revoked' where status = 'active'")
    expect(await uses()).toEqual([0, undefined])
    await open({ current: NEW, earlier: [] })
  })

  it('counts invitations, which are never used up', async () => {
    await give(await open(first), old.privateKey)
    const invitation = await test.db.transaction(inviteFor)
    const keys = await open(second)
    expect(keys.privateKey(invitation.cardId, 1)).toBe(invitation.key)
    await expect(open({ current: NEW, earlier: [] })).rejects.toThrow(LACKING_SECRET)
  })

  it('knows an address again: one free card for ever, one subscription', async () => {
    const address = readClaimAddress('ana@mail.example') as ClaimAddress
    const digest = testKeys.keyedDigest(`free card of ${address.folded}`)
    const keys = await open(second)
    expect(keys.keyedDigest(`free card of ${address.folded}`)).toBe(digest)
    await give(keys, old.privateKey)
    const alone = await open({ current: NEW, earlier: [] })
    expect(alone.keyedDigest(`free card of ${address.folded}`)).toBe(digest)
  })

  it('lets whoever subscribed before leave by the link of any mail', async () => {
    const newsletter = (keys: CardKeys) => {
      const tokens = createTokens(keys.newsletterKey)
      return { tokens, ...createNewsletter({ db: test.db, keys, clock: () => CREATED_AT, tokens }) }
    }
    const before = newsletter(testKeys)
    const address = readClaimAddress('ana@mail.example') as ClaimAddress
    await before.subscribe({ address, name: 'Ana', phone: undefined, language: 'es' } as never)
    const { id, asked_at } = await test.db.read(db =>
      db.selectFrom('newsletter_subscribers').select(['id', 'asked_at']).executeTakeFirstOrThrow(),
    )
    const keys = await open(second)
    await newsletter(keys).confirm(before.tokens.make('confirm', id, asked_at))
    await give(keys, old.privateKey)
    const alone = await open({ current: NEW, earlier: [] })
    expect(await newsletter(alone).unsubscribe(before.tokens.make('unsubscribe', id, 0))).toBe(true)
  })

  it('reads what was closed for an open payment, and switches letters off by the link of before', async () => {
    const sealed = testKeys.seal('cs_test_1', 'order')
    const keys = await open(second)
    expect(keys.unseal(sealed, 'order')).toBe('cs_test_1')
    expect(keys.unseal(keys.seal('cs_test_2', 'order'), 'order')).toBe('cs_test_2')
    expect(testKeys.unseal(keys.seal('cs_test_2', 'order'), 'order')).toBeUndefined()
    const answers = createAnswers({ db: test.db, keys, clock: () => CREATED_AT, log: undefined } as never)
    expect(await answers.wantsLetter(old.cardId, testKeys.lettersKey(old.cardId))).toBe(true)
    expect(await answers.wantsLetter(old.cardId, keys.lettersKey(old.cardId))).toBe(true)
    await expect(answers.wantsLetter(old.cardId, 'a'.repeat(32))).rejects.toMatchObject({
      code: 'card-not-found',
    })
  })

  it('tells a recipient the receipt again that the secret of before had made', async () => {
    const attempt = 'a press of at least 22 letters'
    const redeem = (keys: CardKeys) =>
      cardsWith(keys).redeem(old.privateKey, [{ ngoId: 'msf', points: 50 }], attempt)
    const { receiptKey } = await redeem(testKeys)
    expect(receiptKey).toBeDefined()
    expect((await redeem(await open(second))).receiptKey).toBe(receiptKey)
  })

  it('can be changed again, and back, by two servers at once', async () => {
    await open(second)
    const third: GivenSecrets = { current: NEWEST, earlier: [NEW, TEST_CARD_SECRET] }
    const other = await test.another()
    const [one, two] = await Promise.all([open(third), openCardKeys(other, third, CREATED_AT)])
    expect(one.firstVersion).toBe(two.firstVersion)
    expect(one.privateKey(old.cardId, 1)).toBe(old.privateKey)
    const back = await open({ current: NEW, earlier: [NEWEST, TEST_CARD_SECRET] })
    const card = await test.db.transaction(trx => sellCard(trx, { keys: back }))
    await give(back, card.privateKey)
    expect(await findings(back)).toEqual([])
    // Without the one that was in use last nothing can be opened that it had closed.
    await open(third)
    await expect(open({ current: NEW, earlier: [TEST_CARD_SECRET] })).rejects.toThrow(WRONG_SECRET)
  })

  it('is put right where it was mistyped and nothing was sold with it', async () => {
    await open({ current: 'the secret that came aftr it, as long', earlier: [TEST_CARD_SECRET] })
    const keys = await open(second)
    expect(keys.privateKey(old.cardId, 1)).toBe(old.privateKey)
    expect(await findings(keys)).toEqual([])
    await give(keys, old.privateKey)
    expect(await findings(await open({ current: NEW, earlier: [] }))).toEqual([])
  })

  it('writes about a used card whose secret is gone, with another key to withdraw', async () => {
    await give(await open(second), old.privateKey)
    const alone = await open({ current: NEW, earlier: [] })
    const card = await test.db.read(db => storedCard(db, 'donation', old.cardId))
    const { order, publicKey } = await addresseeOf(card!, { db: test.db, keys: alone })
    expect(publicKey).toBeUndefined()
    expect(order).toMatchObject({ id: old.orderId })
    expect(order?.withdrawalKey).not.toBe(testKeys.withdrawalKey(old.orderId, 1))
  })

  it('is stopped by no card that somebody gave the number of a secret that never was', async () => {
    await test.plant('update cards set key_version = 5000001')
    const keys = await open(first)
    expect((await findings(keys)).map(({ rule }) => rule)).toContain('card-seal-broken')
  })

  it('starts a second time where no start had noted the earlier one', async () => {
    await test.plant('delete from secret_checks')
    await open(second)
    const keys = await open(second)
    expect(keys.privateKey(old.cardId, 1)).toBe(old.privateKey)
  })

  it('was none where a secret stands beside another one that was never used here', async () => {
    await open({ current: TEST_CARD_SECRET, earlier: ['some secret that nobody ever used here'] })
    const keys = await open(first)
    expect(keys.firstVersion).toBe(1)
    await test.db.transaction(giveFreeCard)
    expect(createCardKeys(TEST_CARD_SECRET).marks).toEqual(keys.marks)
  })
})
