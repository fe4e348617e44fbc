import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS } from '#domain/durations.ts'
import { THEMES } from '#domain/themes.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { createLostLinks, forgetRequests } from '#server/modules/gifts/cards/lost-links.ts'
import { createVolunteering } from '#server/modules/gifts/invitations/volunteering.ts'
import type { Database } from '#server/platform/db/database.ts'
import { CREATED_AT, inviteFor, type SoldCard, sellCard, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { interposed } from '#tests/support/interposed.ts'
import { withoutGuard } from '#tests/support/without-guard.ts'

let test: TestDatabase
let clock: ReturnType<typeof fakeClock>
let sold: SoldCard
beforeEach(async () => {
  test = await openTestDatabase()
  clock = fakeClock('2026-03-10T09:00:00Z')
  sold = await test.db.transaction(trx => sellCard(trx, { email: 'Buyer@Example.org' }))
})
afterEach(() => test.close())

const linksOver = (db = test.db) => createLostLinks({ db, keys: testKeys, clock })
const cardsOver = () => createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => ['msf'] })
const jobs = () =>
  test.db.read(db =>
    db.selectFrom('jobs').select(['kind', 'payload', 'subject']).where('kind', '=', 'lost-links').execute(),
  )
const renewal = (version = 1) => testKeys.renewalKey(sold.cardId, version)

describe('asking for lost links', () => {
  it('queues one mail to the address of a card, however it is written, without writing it down', async () => {
    const before = await test.dump()
    await linksOver().request('buyer@example.ORG')
    expect(await jobs()).toEqual([
      expect.objectContaining({ payload: JSON.stringify({ cardId: sold.cardId, invitationId: null }) }),
    ])
    const added = (await test.dump()).replace(before, '')
    for (const secret of ['ORG', sold.privateKey, sold.publicKey, renewal()])
      expect(added).not.toContain(secret)
  })

  it('leaves the same traces for an address that bought nothing', async () => {
    await linksOver().request('nobody@example.org')
    const [job] = await jobs()
    expect(job).toMatchObject({ kind: 'lost-links', payload: '{"cardId":null,"invitationId":null}' })
    expect(await test.dump()).not.toContain('nobody@example.org')
  })

  it('gives at most three mails a day to an address, however many ask at once', async () => {
    const others = await Promise.all([test.db, test.another(), test.another()])
    const ask = () =>
      Promise.all(others.flatMap(db => [1, 2].map(() => linksOver(db).request('buyer@example.org'))))
    await ask()
    expect(await jobs()).toHaveLength(3)
    await linksOver().request('other@example.org')
    expect(await jobs()).toHaveLength(4)
    clock.advance(DAY_MS)
    await ask()
    expect(await jobs()).toHaveLength(7)
  })

  it('is forgotten two days later', async () => {
    await linksOver().request('buyer@example.org')
    await test.plant('update jobs set done_at = 1')
    expect(await forgetRequests(test.db, clock() + 2 * DAY_MS)).toBe(0)
    expect(await forgetRequests(test.db, clock() + 2 * DAY_MS + 1)).toBe(1)
    expect(await jobs()).toEqual([])
  })
})

describe('replacing the links of a card', () => {
  it('makes new ones, and the old ones and the key that allowed it die', async () => {
    const { key } = await linksOver().renew(sold.cardId, renewal())
    expect(key).toBe(renewal(2))
    const { open, redeem } = cardsOver()
    for (const old of [sold.privateKey, sold.publicKey]) {
      await expect(open(old, 'full')).rejects.toMatchObject({ code: 'card-not-found' })
      await expect(redeem(old, [{ ngoId: 'msf', points: 1 }])).rejects.toMatchObject({
        code: 'card-not-found',
      })
    }
    await expect(linksOver().renew(sold.cardId, renewal())).rejects.toMatchObject({ code: 'card-not-found' })
    const shown = await linksOver().open(sold.cardId, key)
    if (shown.kind !== 'gift') throw new Error('a gift card is no invitation')
    expect(shown).toMatchObject({ credit: { amount: 5000, currency: 'EUR' } })
    expect(await open(shown.privateKey, 'full')).toMatchObject({ authority: 'full', consumed: false })
    expect(await open(shown.publicKey, 'full')).toMatchObject({ authority: 'preview' })
    await redeem(shown.privateKey, [{ ngoId: 'msf', points: 50 }])
  })

  it('is looked at without changing anything', async () => {
    const before = await test.dump()
    const shown = await linksOver().open(sold.cardId, renewal())
    expect(shown).toMatchObject({ privateKey: sold.privateKey, publicKey: sold.publicKey })
    expect(await test.dump()).toBe(before)
  })

  it('needs the key made for it, and a card that nobody has used', async () => {
    const { open, renew } = linksOver()
    const other = await test.db.transaction(trx => sellCard(trx))
    const wrong: [string, string][] = [
      [sold.cardId, sold.privateKey],
      [sold.cardId, sold.publicKey],
      [sold.cardId, testKeys.renewalKey(other.cardId, 1)],
      [sold.cardId, renewal(2)],
      [sold.cardId, ''],
      ['nobody', renewal()],
      ['', testKeys.renewalKey('', 1)],
    ]
    const before = await test.dump()
    for (const [id, key] of wrong) {
      await expect(open(id, key)).rejects.toMatchObject({ code: 'card-not-found' })
      await expect(renew(id, key)).rejects.toMatchObject({ code: 'card-not-found' })
    }
    for (const status of ['consumed', 'frozen', 'revoked']) {
      await test.plant(`update cards set status = '${status}' where id = '${sold.cardId}'`)
      await expect(renew(sold.cardId, renewal())).rejects.toMatchObject({ code: 'card-not-found' })
    }
    await test.plant(`update cards set status = 'active' where id = '${sold.cardId}'`)
    expect(await test.dump()).toBe(before)
  })

  it('happens once when it is pressed many times at once', async () => {
    const others = await Promise.all([test.db, test.another(), test.another(), test.another()])
    const pressed = await Promise.allSettled(others.map(db => linksOver(db).renew(sold.cardId, renewal())))
    expect(pressed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [row] = await test.db.read(db => db.selectFrom('cards').select('key_version').execute())
    expect(row?.key_version).toBe(2)
  })

  /** Presses with a rival at one point. @returns how many of the two were told of new links, and how many points there were */
  async function pressWithRival(at: number, [ours, theirs]: readonly [Database, Database]) {
    const { cardId } = await test.db.transaction(trx => sellCard(trx))
    const press = (db: Database) =>
      linksOver(db)
        .renew(cardId, testKeys.renewalKey(cardId, 1))
        .then(
          () => 1,
          () => 0,
        )
    let points = 0
    let rival: Promise<number> | undefined
    const db = interposed(ours, async () => {
      if (points++ !== at) return
      rival = press(theirs)
      await rival
    })
    const told = await press(db)
    return { told: told + ((await rival) ?? 0), points }
  }

  it('happens once when a rival presses in between, at any point, thanks to the question for the version', async () => {
    const pair = [test.db, await test.another()] as const
    const { points } = await pressWithRival(-1, pair)
    for (let at = 0; at < points; at++)
      expect((await pressWithRival(at, pair)).told, `rival at point ${at}`).toBe(1)
    if (test.db.engine === 'sqlite') return
    const careless = pair.map(db => withoutGuard(db, 'cards', 'key_version')) as [Database, Database]
    const told = []
    for (let at = 0; at < points; at++) told.push((await pressWithRival(at, careless)).told)
    expect(told).toContain(2)
  })

  it('replaces the one link of an invitation, and its answer stays', async () => {
    const { cardId, key } = await test.db.transaction(trx => inviteFor(trx))
    const { open, answer } = createVolunteering({ db: test.db, keys: testKeys, clock })
    await answer(key, { answer: 'accept', tellGiver: false })
    const renewed = await linksOver().renew(cardId, testKeys.renewalKey(cardId, 1))
    await expect(open(key)).rejects.toMatchObject({ code: 'card-not-found' })
    await expect(linksOver().renew(cardId, testKeys.renewalKey(cardId, 1))).rejects.toMatchObject({
      code: 'card-not-found',
    })
    const shown = await linksOver().open(cardId, renewed.key)
    expect(shown).toEqual({
      kind: 'invitation',
      privateKey: testKeys.privateKey(cardId, 2),
      createdAt: CREATED_AT,
      theme: THEMES.palestine,
    })
    expect(await open(shown.privateKey)).toMatchObject({ answer: 'accept' })
  })

  it('never brings back a card that is used in the same moment', async () => {
    const { redeem } = cardsOver()
    const [given, renewed] = await Promise.allSettled([
      redeem(sold.privateKey, [{ ngoId: 'msf', points: 50 }]),
      linksOver(await test.another()).renew(sold.cardId, renewal()),
    ])
    const [row] = await test.db.read(db => db.selectFrom('cards').select(['status', 'key_version']).execute())
    expect(row?.status).toBe(given.status === 'fulfilled' ? 'consumed' : 'active')
    expect(row?.key_version).toBe(renewed.status === 'fulfilled' ? 2 : 1)
  })
})
