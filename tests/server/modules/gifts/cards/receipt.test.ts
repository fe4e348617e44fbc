import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { RECEIPT_TOLD_AGAIN_FOR_MS } from '#domain/card/receipt.ts'
import { LANGUAGES } from '#domain/languages.ts'
import { money } from '#domain/money/money.ts'
import { isProblem } from '#domain/problems.ts'
import type { Selection } from '#domain/redemption/split.ts'
import type { App } from '#server/http/app.ts'
import { showCard } from '#server/http/handlers/card-read.ts'
import { answerPlainSplit } from '#server/http/handlers/plain-split.ts'
import { noRateLimits } from '#server/http/pipeline/rate-limits.ts'
import type { ContentSnapshot } from '#server/modules/content/snapshot.ts'
import { autoDonateSome } from '#server/modules/gifts/cards/auto-donate.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { createCardKeys } from '#server/modules/gifts/cards/keys.ts'
import { retrieveFree } from '#server/modules/gifts/cards/retrieve-free.ts'
import { usedOf } from '#server/modules/story/presentation.ts'
import { factsOf } from '#server/modules/story/print/prints.ts'
import { receiverScreen } from '#server/modules/story/receiver-screen.ts'
import { type SoldCard, sellCard, testKeys } from '#tests/builders/server.ts'
import { count } from '#tests/support/counts.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'

const NGOS = ['ngo-aurora', 'ngo-boreal', 'ngo-cobalt', 'ngo-dune']
const ALL_TO_ONE: readonly Selection[] = [{ ngoId: 'ngo-aurora', points: 50 }]
const OTHER: readonly Selection[] = [{ ngoId: 'ngo-boreal', points: 50 }]
const ATTEMPT = 'the-attempt-of-this-press'

const clock = fakeClock()
let test: TestDatabase
let cards: ReturnType<typeof createCards>
let card: SoldCard
beforeAll(async () => {
  test = await openTestDatabase()
  cards = createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => NGOS })
})
afterAll(() => test.close())
beforeEach(async () => {
  card = await test.db.transaction(trx => sellCard(trx))
})

const give = (attemptKey?: string, selection = ALL_TO_ONE) =>
  cards.redeem(card.privateKey, selection, attemptKey)

describe('the receipt of a card', () => {
  it('is told with the answer, and shows from then on where the gift went', async () => {
    const { allocations, receiptKey = '' } = await give(ATTEMPT)
    expect(receiptKey).toMatch(/^[a-z2-7]{32}$/)
    const usedAt = clock()
    clock.advance(400 * 24 * 3_600_000)
    expect(await cards.receipt(receiptKey)).toEqual({
      usedAt,
      credit: money(5_000, 'EUR'),
      allocations,
      answer: 'closed',
    })
    expect(await cards.receipt(receiptKey.toUpperCase())).toMatchObject({ allocations })
  })

  it('is of one card, and refused where it is brought to another one', async () => {
    const { receiptKey = '', allocations } = await give(ATTEMPT)
    const other = await test.db.transaction(trx => sellCard(trx))
    await cards.redeem(other.privateKey, ALL_TO_ONE)
    expect(await cards.receipt(receiptKey, card.privateKey.toUpperCase())).toMatchObject({ allocations })
    await expect(cards.receipt(receiptKey, other.privateKey)).rejects.toMatchObject({
      code: 'receipt-of-another-card',
    })
    await expect(cards.receipt(receiptKey, 'nobody')).rejects.toMatchObject({ code: 'card-not-found' })
  })

  it('is told again to its own attempt alone, for ten minutes', async () => {
    const first = await give(ATTEMPT)
    clock.advance(RECEIPT_TOLD_AGAIN_FOR_MS - 1)
    expect(await give(ATTEMPT)).toEqual(first)
    for (const other of [undefined, 'the-attempt-of-somebody-else', ATTEMPT.toUpperCase()])
      expect(await give(other)).toEqual({ allocations: first.allocations })
    clock.advance(1)
    expect(await give(ATTEMPT)).toEqual({ allocations: first.allocations })
  })

  it('is told to nobody again where the attempt brought no key', async () => {
    const { allocations, receiptKey } = await give()
    expect(receiptKey).toBeDefined()
    for (const attempt of [undefined, ATTEMPT, 'undefined', 'null'])
      expect(await give(attempt)).toEqual({ allocations })
  })

  it('is not told to another split, whatever attempt it says it is', async () => {
    await give(ATTEMPT)
    await expect(give(ATTEMPT, OTHER)).rejects.toMatchObject({ code: 'card-consumed' })
  })

  it('is one for all answers of an attempt that was sent twice at once', async () => {
    const other = createCards({ db: await test.another(), keys: testKeys, clock, listedNgoIds: () => NGOS })
    const answers = await Promise.all([
      give(ATTEMPT),
      other.redeem(card.privateKey, ALL_TO_ONE, ATTEMPT),
      give(ATTEMPT),
    ])
    expect(new Set(answers.map(({ receiptKey }) => receiptKey)).size).toBe(1)
    expect(await cards.receipt(answers[0].receiptKey!)).toMatchObject({ allocations: answers[0].allocations })
  })

  it('is another one for each card, also for the same attempt', async () => {
    const { receiptKey } = await give(ATTEMPT)
    card = await test.db.transaction(trx => sellCard(trx))
    expect((await give(ATTEMPT)).receiptKey).not.toBe(receiptKey)
  })

  it('stands nowhere, nor does what makes it without the secret', async () => {
    const { receiptKey = '' } = await give(ATTEMPT)
    const dump = await test.dump()
    expect(dump).toContain(testKeys.digest(receiptKey))
    for (const secret of [receiptKey, ATTEMPT]) expect(dump).not.toContain(secret)
    const { receipt_nonce: nonce } = await test.db.read(reader =>
      reader
        .selectFrom('redemptions')
        .select('receipt_nonce')
        .where('card_id', '=', card.cardId)
        .executeTakeFirstOrThrow(),
    )
    if (nonce === null) throw new Error('nothing is kept of the receipt')
    expect(nonce.length * 4).toBeGreaterThanOrEqual(128)
    const thief = createCardKeys('a secret that somebody else made up')
    expect(testKeys.receiptKey(card.cardId, nonce)).toBe(receiptKey)
    expect(thief.receiptKey(card.cardId, nonce)).not.toBe(receiptKey)
    for (const key of [nonce, testKeys.digest(receiptKey)])
      await expect(cards.receipt(key)).rejects.toMatchObject({ code: 'card-not-found' })
  })

  it('is found by no other key, which all answer alike', async () => {
    await give(ATTEMPT)
    const wrong = ['', 'a'.repeat(32), card.privateKey, card.publicKey, card.cardId, ATTEMPT, '\u0000']
    const answers = wrong.map(key => cards.receipt(key).catch(error => JSON.stringify(error)))
    expect(new Set(await Promise.all(answers))).toEqual(
      new Set(['{"name":"Problem","code":"card-not-found","status":404,"details":{}}']),
    )
  })

  it('opens no card', async () => {
    const { receiptKey = '' } = await give(ATTEMPT)
    await expect(cards.open(receiptKey, 'full')).rejects.toMatchObject({ code: 'card-not-found' })
    await expect(cards.redeem(receiptKey, OTHER)).rejects.toMatchObject({ code: 'card-not-found' })
  })
})

it('a card that nobody used in its year says when and where it went, and is nobody’s receipt', async () => {
  // Its seal holds for the day that it was sold on.
  card = await test.db.transaction(trx => sellCard(trx, { created_at: 0, settled_at: 0 }))
  await autoDonateSome({ db: test.db, keys: testKeys, clock, draw: () => 2, listedNgoIds: () => NGOS })
  expect(await cards.open(card.privateKey, 'full')).toMatchObject({
    consumed: true,
    use: { by: 'auto-donation', at: clock(), ngoIds: ['ngo-cobalt'] },
  })
  expect(await cards.open(card.publicKey, 'full')).toMatchObject({ consumed: false, use: null })
  await expect(give(ATTEMPT, [{ ngoId: 'ngo-cobalt', points: 50 }])).rejects.toMatchObject({
    code: 'card-consumed',
  })
})

/** So many cards, whatever their split. The embedded database takes the thousand at once. */
const CARDS = process.env.TEST_ENGINE === 'postgres' ? count({ usual: 100, long: 1_000 }) : 1_000
/** So many at a time. */
const TOGETHER = 10

it('the private key of a used card tells no organisation and no amount, at any door', async () => {
  const selections = fc.uniqueArray(
    fc.record({ ngoId: fc.constantFrom(...NGOS), points: fc.integer({ min: 1, max: 12 }) }),
    { minLength: 1, maxLength: NGOS.length, selector: ({ ngoId }) => ngoId },
  )
  const credits = fc.constantFrom(50, 200, 333)
  const samples = fc.sample(fc.record({ units: credits, selection: selections }), { numRuns: CARDS, seed: 1 })
  const toldOf = new Map<number, string>()
  const snapshot = {
    knownNgos: NGOS.map(id => ({ id, title: { es: `${id} (es)`, en: `${id} (en)`, fr: `${id} (fr)` } })),
    ngoList: { ngos: NGOS.map(id => ({ id })) },
  } as unknown as ContentSnapshot
  const app = {
    cards,
    clock,
    limits: noRateLimits(),
    log: { info() {}, error() {} },
    content: { snapshot: () => snapshot },
  } as unknown as App
  const house = { siteUrl: 'https://gift.example', siteName: () => 'Site' }

  const look = async ({ units, selection }: (typeof samples)[number]): Promise<void> => {
    const sold = await test.db.transaction(trx => sellCard(trx, { ngo_amount: units * 100 }))
    const key = sold.privateKey
    await cards.redeem(key, selection, ATTEMPT)
    const request = (path: string) => ({
      giftCardId: key,
      path,
      clientAddress: '192.0.2.1',
      currency: 'EUR' as const,
    })
    const otherForm = new URLSearchParams({ step: 'confirm', 'points-ngo-aurora': '49', attempt: ATTEMPT })
    const view = await cards.open(key, 'full')
    const told = await Promise.all([
      view,
      cards.open(key, 'preview'),
      cards.open(sold.publicKey, 'full'),
      ...['final', 'preview'].map(flag =>
        showCard(app, { key, flag }, { address: '192.0.2.1', cookies: undefined }),
      ),
      ...['introduction', 'select-ngo', 'thanks', 'consumed', 'doesnt-exist'].map(screen =>
        receiverScreen(app, request(`${screen}/final`)),
      ),
      answerPlainSplit(app, request('select-ngo/final'), otherForm),
      cards.redeem(key, [{ ngoId: 'ngo-aurora', points: 49 }], ATTEMPT).catch(problemOf),
      cards.receipt(key).catch(problemOf),
      retrieveFree({ db: test.db, keys: testKeys, clock }, key).catch(problemOf),
      factsOf({ db: test.db, keys: testKeys, ...house }, key).catch(problemOf),
      ...LANGUAGES.map(language => usedOf(view, snapshot, language)),
    ])
    const text = JSON.stringify(told).replaceAll(key, '[key]')
    expect(text).not.toMatch(/ngo-/)
    // Whatever was chosen, the same is told of every card of this credit.
    const first = toldOf.get(units) ?? text
    toldOf.set(units, first)
    expect(text).toBe(first)
  }
  for (let n = 0; n < CARDS; n += TOGETHER) await Promise.all(samples.slice(n, n + TOGETHER).map(look))
}, 300_000)

function problemOf(error: unknown): unknown {
  if (isProblem(error)) return { code: error.code, details: error.details }
  throw error
}
