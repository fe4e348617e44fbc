import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS, MINUTE_MS } from '#domain/durations.ts'
import { isProblem } from '#domain/problems.ts'
import { autoDonation } from '#server/app/schedule/yearly.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { createLostLinks } from '#server/modules/gifts/cards/lost-links.ts'
import { remindSome } from '#server/modules/gifts/cards/remind.ts'
import { holdCard } from '#server/modules/gifts/holds.ts'
import { lockCard } from '#server/modules/gifts/stored-cards.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import type { Message } from '#server/modules/letters/message.ts'
import { factsOf } from '#server/modules/story/print/prints.ts'
import type { Database } from '#server/platform/db/database.ts'
import { letterWorker } from '#tests/builders/letters.ts'
import { CREATED_AT, giveFreeCard, type SoldCard, sellCard, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { interposed } from '#tests/support/interposed.ts'
import { quietLog } from '#tests/support/quiet-log.ts'
import { withoutGuard } from '#tests/support/without-guard.ts'

const NGOS = ['cerf', 'msf', 'unicef']
/** Before its buyer is reminded, and long before its last day. */
const LEFT_AT = CREATED_AT + 40 * DAY_MS

let test: TestDatabase
const clock = fakeClock()
let card: SoldCard
beforeEach(async () => {
  test = await openTestDatabase()
  card = await sell()
  clock.set(LEFT_AT)
})
afterEach(() => test.close())

const sell = (changes: Parameters<typeof sellCard>[1] = {}) =>
  test.db.transaction(trx => sellCard(trx, changes))
const cardsOver = (db: Database) => createCards({ db, keys: testKeys, clock, listedNgoIds: () => NGOS })
const leave = (key = card.privateKey, db = test.db) => cardsOver(db).leave(key)
const redeem = (key = card.privateKey, db = test.db) =>
  cardsOver(db).redeem(key, [{ ngoId: 'cerf', points: 50 }])
/** The job, as a site without drand has it: it draws the second of the list. */
const draw = () =>
  autoDonation({
    db: test.db,
    keys: testKeys,
    clock,
    draw: () => 1,
    listedNgoIds: () => NGOS,
    log: quietLog(),
  }).run({ goOn: async () => {} } as never)
const statusOf = async ({ cardId }: { readonly cardId: string } = card) =>
  (
    await test.db.read(db =>
      db.selectFrom('cards').select('status').where('id', '=', cardId).executeTakeFirstOrThrow(),
    )
  ).status
const mailsAbout = async ({ cardId }: { readonly cardId: string } = card) =>
  (
    await test.db.read(db =>
      db.selectFrom('jobs').select('kind').where('subject', '=', cardId).orderBy('kind').execute(),
    )
  ).map(({ kind }) => kind)
const givenOf = ({ cardId }: { readonly cardId: string } = card) =>
  test.db.read(db =>
    db.selectFrom('allocations').select(['ngo_id', 'amount']).where('card_id', '=', cardId).execute(),
  )
const whole = async () => expect(await checkLedger(test.db, { keys: testKeys })).toEqual([])
const hold = (stands: boolean) =>
  test.db.transaction(async trx => {
    const locked = await lockCard(trx, 'donation', card.cardId)
    return holdCard(trx, testKeys, 'donation', locked!, { reason: 'dispute', stands, at: clock() })
  })
const answerOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'done',
    (error: unknown) => (isProblem(error) ? error.code : String(error)),
  )

describe('a card that its recipient leaves to the draw', () => {
  it('is nobody’s to divide, renew, print or be reminded of from then on', async () => {
    await leave()
    expect(await statusOf()).toBe('left')
    await expect(redeem()).rejects.toMatchObject({ code: 'card-consumed' })
    const lost = createLostLinks({ db: test.db, keys: testKeys, clock })
    const renewal = testKeys.renewalKey(card.cardId, 1)
    await expect(lost.renew(card.cardId, renewal)).rejects.toMatchObject({ code: 'card-not-found' })
    const print = { db: test.db, keys: testKeys, siteUrl: 'https://gifts.example' } as never
    await expect(factsOf(print, card.privateKey)).rejects.toMatchObject({ code: 'card-consumed' })
    clock.set(CREATED_AT + 350 * DAY_MS)
    await remindSome({ db: test.db, clock })
    expect(await mailsAbout()).not.toContain('reminder')
    await whole()
  })

  it('goes whole to the one that is drawn, at the next draw and once, whomever its buyer named', async () => {
    card = await sell({ fallback_ngo_id: 'unicef', term_months: 12, reminder_days: '[30,7]' })
    expect(await draw()).toMatchObject({ donated: 0 })
    await leave()
    expect(await draw()).toMatchObject({ donated: 1 })
    expect(await draw()).toMatchObject({ donated: 0 })
    expect(await givenOf()).toEqual([{ ngo_id: 'msf', amount: 5000 }])
    expect(await statusOf()).toBe('consumed')
    await whole()
    // Without the recipient's word it was given before its day, and past the buyer's wish.
    await test.plant(`delete from card_holds where card_id = '${card.cardId}'`)
    expect(await checkLedger(test.db)).toMatchObject([{ rule: 'draw-differs', subject: card.cardId }])
  })

  it('shows by its private key when it was left, and later what came out', async () => {
    const { open, passport } = cardsOver(test.db)
    await leave()
    expect(await open(card.privateKey, 'full')).toMatchObject({
      consumed: true,
      use: { by: 'draw', at: LEFT_AT, drawAt: undefined },
    })
    expect(await passport(card.privateKey, 'full')).toMatchObject({ used: { by: 'draw' } })
    // A preview goes on as before.
    expect(await open(card.publicKey, 'preview')).toMatchObject({ consumed: false, use: null })
    clock.advance(MINUTE_MS)
    await draw()
    expect(await open(card.privateKey, 'full')).toMatchObject({
      consumed: true,
      use: { by: 'draw', at: LEFT_AT, drawn: { at: LEFT_AT + MINUTE_MS, ngoIds: ['msf'] } },
    })
  })

  it('has its giver written to as of any card that was used, and of no draw', async () => {
    const sent: Message[] = []
    await leave()
    await leave()
    await draw()
    clock.advance(2 * DAY_MS)
    await letterWorker({ db: test.db, clock }, sent).runDue()
    expect(await mailsAbout()).toEqual(['gift-used'])
    expect(sent).toHaveLength(1)
    expect(sent[0]!.text).toContain('50')
    // Without its links, whose keys may hold any three letters.
    expect(sent[0]!.text.replaceAll(/https?:\S+/g, '')).not.toMatch(/msf/i)
  })

  it('is left once more by a form that comes again, also when it was drawn meanwhile', async () => {
    await leave()
    await leave()
    await draw()
    await leave()
    expect(await givenOf()).toHaveLength(1)
  })

  it('may be a free one', async () => {
    const free = await test.db.transaction(giveFreeCard)
    await leave(free.privateKey)
    await draw()
    expect(await givenOf(free)).toEqual([{ ngo_id: 'msf', amount: 500 }])
    await whole()
  })

  it.each([
    ['the public key', () => card.publicKey],
    ['a key of nobody', () => 'a'.repeat(32)],
  ])('is not left by %s', async (_, key) => {
    await expect(leave(key())).rejects.toMatchObject({ code: 'card-not-found' })
    expect(await statusOf()).toBe('active')
  })

  it('is refused where it was given before', async () => {
    await redeem()
    await expect(leave()).rejects.toMatchObject({ code: 'card-consumed' })
    await whole()
  })

  it('is drawn for by nothing while its payment is disputed, and again once that is won', async () => {
    await leave()
    expect(await hold(true)).toBe('frozen')
    expect(await draw()).toMatchObject({ donated: 0 })
    await whole()
    expect(await hold(false)).toBe('left')
    expect(await draw()).toMatchObject({ donated: 1 })
    await whole()
  })

  it('waits where another hand has changed its row', async () => {
    await leave()
    await test.plant(`update cards set credit = 9900 where id = '${card.cardId}'`)
    expect(await draw()).toMatchObject({ donated: 0, waiting: 1 })
    await test.plant(`update cards set credit = 5000 where id = '${card.cardId}'`)
    expect(await draw()).toMatchObject({ donated: 1 })
    await whole()
  })
})

describe('somebody who divides the card while somebody leaves it to the draw', () => {
  /** Leaves it with a rival that divides it at one point. */
  async function leaveWithRival(at: number, ourDb: Database, rivalDb: Database) {
    card = await sell()
    let points = 0
    let rival: Promise<string> | undefined
    const db = interposed(ourDb, async () => {
      if (points++ !== at) return
      rival = answerOf(redeem(card.privateKey, rivalDb))
      await rival
    })
    const answer = await answerOf(leave(card.privateKey, db))
    return { answer, rivalsAnswer: await rival, points }
  }
  async function atEachPoint(ourDb: Database): Promise<Set<string>> {
    const rivalDb = await test.another()
    const { points } = await leaveWithRival(-1, test.db, rivalDb)
    expect(points).toBeGreaterThanOrEqual(8)
    const winners = new Set<string>()
    for (let at = 0; at < points; at++) {
      const { answer, rivalsAnswer } = await leaveWithRival(at, ourDb, rivalDb)
      expect([answer, rivalsAnswer].sort(), `rival at point ${at}`).toEqual(['card-consumed', 'done'])
      winners.add(answer === 'done' ? 'the draw' : 'the recipient')
      await draw()
      expect(await givenOf(), `rival at point ${at}`).toEqual([
        { ngo_id: answer === 'done' ? 'msf' : 'cerf', amount: 5000 },
      ])
      await whole()
    }
    return winners
  }

  it('at any point of it: one of the two has it, and it is given once', async () => {
    expect(await atEachPoint(test.db)).toEqual(new Set(['the draw', 'the recipient']))
  })

  it('is told from a leaving that does not ask for an active card', async () => {
    await expect(atEachPoint(withoutGuard(test.db, 'cards', 'status'))).rejects.toMatchObject({
      name: 'AssertionError',
    })
  })
})
