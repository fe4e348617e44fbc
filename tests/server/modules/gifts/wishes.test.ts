import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/durations.ts'
import { createWishDesk } from '#server/modules/desk/wish-desk.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { clearPersons } from '#server/modules/gifts/cards/forget.ts'
import { createWishes, forgetOldWishes } from '#server/modules/gifts/wishes.ts'
import { CREATED_AT, giveFreeCard, type SoldCard, sellCards, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'

let test: TestDatabase
const clock = fakeClock()
let cards: readonly SoldCard[]
beforeEach(async () => {
  test = await openTestDatabase()
  clock.set(CREATED_AT)
  cards = await sellCards(test.db, 3)
})
afterEach(() => test.close())

const wishes = () => createWishes({ db: test.db, keys: testKeys, clock })
const desk = () => createWishDesk({ db: test.db, clock })
const wish = (n: number, name: string, hint: string | null = null) =>
  wishes().keep(cards[n]!.privateKey, { name, hint })
const kept = () => test.db.read(db => db.selectFrom('wishes').selectAll().orderBy('card_id').execute())
const press = (key: string) => ({ key, person: null })

describe('a wish for an organisation', () => {
  it('is one for each card: the next takes its place', async () => {
    await wish(0, 'Oxfam')
    clock.advance(1)
    await wish(0, 'Médecins du Monde', 'France')
    expect(await kept()).toEqual([
      {
        card_id: cards[0]!.cardId,
        name: 'Médecins du Monde',
        hint: 'France',
        common_word: 'medecins du monde',
        changed_at: CREATED_AT + 1,
        looked_at: null,
      },
    ])
  })

  it('may come from a free card, and never by a public key, a key of nobody, or of a card that was given', async () => {
    const free = await test.db.transaction(giveFreeCard)
    await wishes().keep(free.privateKey, { name: 'Oxfam', hint: null })
    const refused = (key: string) => wishes().keep(key, { name: 'Other', hint: null })
    await expect(refused(cards[0]!.publicKey)).rejects.toMatchObject({ code: 'card-not-found' })
    await expect(refused('a'.repeat(32))).rejects.toMatchObject({ code: 'card-not-found' })
    const { leave, redeem } = createCards({
      db: test.db,
      keys: testKeys,
      clock,
      listedNgoIds: () => ['msf'],
    })
    await redeem(cards[0]!.privateKey, [{ ngoId: 'msf', points: 50 }])
    await leave(cards[1]!.privateKey)
    for (const { privateKey } of cards.slice(0, 2))
      await expect(refused(privateKey)).rejects.toMatchObject({ code: 'card-consumed' })
    expect(await kept()).toMatchObject([{ name: 'Oxfam' }])
  })

  it('is shown to the operator with all spellings of its name, the newest first', async () => {
    await wish(0, 'OXFAM', 'oxfam.org')
    clock.advance(DAY_MS)
    await wish(1, 'Médecins du Monde')
    clock.advance(DAY_MS)
    await wish(2, 'Oxfam')
    expect(await desk().list()).toEqual([
      {
        word: 'oxfam',
        names: ['Oxfam', 'OXFAM'],
        hints: ['oxfam.org'],
        cards: 2,
        unseen: 2,
        newestAt: CREATED_AT + 2 * DAY_MS,
      },
      {
        word: 'medecins du monde',
        names: ['Médecins du Monde'],
        hints: [],
        cards: 1,
        unseen: 1,
        newestAt: CREATED_AT + DAY_MS,
      },
    ])
  })

  it('is looked at as far as it was shown, once for a press, and is new again when it changes', async () => {
    await wish(0, 'Oxfam')
    const [shown] = await desk().list()
    clock.advance(1)
    // It came while the operator read.
    await wish(1, 'oxfam')
    const seen = { word: shown!.word, until: shown!.newestAt }
    expect(await desk().lookedAt(seen, press('one'))).toBe(true)
    expect(await desk().lookedAt(seen, press('one'))).toBe(false)
    expect(await desk().list()).toMatchObject([{ cards: 2, unseen: 1 }])
    const log = await test.db.read(db => db.selectFrom('audit_log').selectAll().execute())
    expect(log).toMatchObject([{ action: 'wish looked at' }])
    expect(JSON.stringify(log)).not.toMatch(/oxfam/i)
    await desk().lookedAt({ ...seen, until: clock() }, press('two'))
    expect(await desk().list()).toMatchObject([{ unseen: 0 }])
    clock.advance(1)
    await wish(0, 'Oxfam')
    expect(await desk().list()).toMatchObject([{ unseen: 1 }])
  })

  it('is deleted a year after its last change, and not before', async () => {
    await wish(0, 'Oxfam')
    clock.advance(300 * DAY_MS)
    await wish(1, 'Oxfam')
    expect(await forgetOldWishes(test.db, CREATED_AT + 365 * DAY_MS)).toBe(0)
    expect(await forgetOldWishes(test.db, CREATED_AT + 365 * DAY_MS + 1)).toBe(1)
    expect(await kept()).toMatchObject([{ card_id: cards[1]!.cardId }])
  })

  it('goes with the persons of its card', async () => {
    await wish(0, 'Oxfam')
    await wish(1, 'Oxfam')
    const [gone] = cards
    await test.db.transaction(trx =>
      clearPersons(trx, 'donation', [{ id: gone!.cardId, order_id: gone!.orderId }]),
    )
    expect(await kept()).toMatchObject([{ card_id: cards[1]!.cardId }])
  })
})
