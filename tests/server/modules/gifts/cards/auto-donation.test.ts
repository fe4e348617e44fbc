import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { autoDonateAt } from '#domain/card/term.ts'
import { HOUR_MS } from '#domain/durations.ts'
import { isProblem } from '#domain/problems.ts'
import { autoDonation } from '#server/app/schedule/yearly.ts'
import { autoDonateSome } from '#server/modules/gifts/cards/auto-donate.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import type { Database } from '#server/platform/db/database.ts'
import { createJobs } from '#server/platform/job-runner/job-runner.ts'
import { CREATED_AT, sellCard, sellCards, testKeys } from '#tests/builders/server.ts'
import type { AutoDonateWork } from '#tests/support/auto-donate-child.ts'
import { startChild } from '#tests/support/child.ts'
import { count } from '#tests/support/counts.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'
import { interposed } from '#tests/support/interposed.ts'
import { quietLog } from '#tests/support/quiet-log.ts'
import { withoutGuard } from '#tests/support/without-guard.ts'

const DUE = autoDonateAt(CREATED_AT)
const NGOS = ['cerf', 'msf', 'unicef']

let test: TestDatabase
let rivalDb: Database
let clock: ReturnType<typeof fakeClock>
beforeAll(async () => {
  test = await openTestDatabase()
  rivalDb = await test.another()
})
afterAll(() => test.close())
beforeEach(() => {
  clock = fakeClock(DUE)
})

const draws = (...numbers: number[]) => {
  let n = 0
  return (below: number) => (numbers[n++ % numbers.length] ?? 0) % below
}
const toolsOver = (db: Database, draw = draws(1)) => ({
  db,
  keys: testKeys,
  clock,
  draw,
  listedNgoIds: () => NGOS,
})
const alarms: (readonly [string, unknown])[] = []
const log = {
  error: (event: string, _: unknown, facts?: unknown) => void alarms.push([event, facts]),
}
const jobsOver = (db: Database, draw?: (below: number) => number) =>
  createJobs({
    db,
    clock,
    sharedClock: clock,
    log: quietLog(),
    rest: () => nextTurn(),
    jobs: [autoDonation({ ...toolsOver(db, draw), log })],
  })
/** As if the job had never run, so that it is due. */
const runOn = async (db: Database, draw?: (below: number) => number) => {
  await test.plant('delete from periodic_jobs')
  await jobsOver(db, draw).runDue()
}
const redemptionsOf = (cardIds: readonly string[]) =>
  test.db.read(db =>
    db.selectFrom('redemptions').select(['card_id', 'cause']).where('card_id', 'in', cardIds).execute(),
  )
const idsOf = (cards: readonly { cardId: string }[]) => cards.map(({ cardId }) => cardId)

/** Everything that is due has gone, each card once and whole, and the books agree. */
async function eachExactlyOnce(cardIds: readonly string[]): Promise<void> {
  expect(await redemptionsOf(cardIds)).toHaveLength(cardIds.length)
  const { allocations, drawn, mails } = await test.db.read(async db => ({
    allocations: await db.selectFrom('allocations').selectAll().where('card_id', 'in', cardIds).execute(),
    drawn: await db.selectFrom('draws').selectAll().where('card_id', 'in', cardIds).execute(),
    mails: await db
      .selectFrom('jobs')
      .select('subject')
      .where('kind', '=', 'auto-donated')
      .where('subject', 'in', cardIds)
      .execute(),
  }))
  expect(allocations).toHaveLength(cardIds.length)
  expect(drawn).toHaveLength(cardIds.length)
  expect(mails).toHaveLength(cardIds.length)
  for (const { card_id, ngo_id, amount } of allocations) {
    expect(amount).toBe(5000)
    expect(drawn.find(draw => draw.card_id === card_id)?.ngo_id).toBe(ngo_id)
  }
  expect(await checkLedger(test.db)).toEqual([])
}

describe('a card that another hand has changed', () => {
  it('waits, the others behind it are given, and the operator is told', async () => {
    const cards = idsOf(await sellCards(test.db, 13)).sort()
    const altered = cards.slice(0, 11)
    for (const id of altered) await test.plant(`update cards set credit = 9900 where id = '${id}'`)
    alarms.length = 0
    await runOn(test.db)
    expect((await redemptionsOf(cards)).map(({ card_id }) => card_id).sort()).toEqual(cards.slice(11))
    expect(alarms).toEqual([['unused-card-altered', { cards: 11, first: altered[0] }]])
    // Put right, they are given as well.
    for (const id of altered) await test.plant(`update cards set credit = 5000 where id = '${id}'`)
    await runOn(test.db)
    await eachExactlyOnce(cards)
  })
})

describe('a card that nobody used in its year', () => {
  it('goes whole to the organisation that was drawn, the draw written down, its buyer told', async () => {
    const [card] = await sellCards(test.db, 1)
    await runOn(test.db, draws(2))
    await eachExactlyOnce([card!.cardId])
    const row = await test.db.read(db =>
      db.selectFrom('draws').selectAll().where('card_id', '=', card!.cardId).executeTakeFirst(),
    )
    expect(row).toEqual({
      card_id: card!.cardId,
      candidates: JSON.stringify(NGOS),
      drawn: 2,
      ngo_id: 'unicef',
      chosen_by: 'chance',
      created_at: DUE,
      announcement_id: null,
      gone: null,
    })
    const { open, redeem } = createCards({ db: test.db, keys: testKeys, clock, listedNgoIds: () => NGOS })
    expect(await open(card!.privateKey, 'full')).toMatchObject({
      consumed: true,
      use: { by: 'auto-donation', ngoIds: ['unicef'] },
    })
    await expect(redeem(card!.privateKey, [{ ngoId: 'msf', points: 50 }])).rejects.toMatchObject({
      code: 'card-consumed',
    })
  })

  it('stays its owner’s to the last millisecond of its last day', async () => {
    const [card] = await sellCards(test.db, 1)
    clock.set(DUE - 1)
    await runOn(test.db)
    expect(await redemptionsOf([card!.cardId])).toEqual([])
    clock.set(DUE)
    await runOn(test.db)
    await eachExactlyOnce([card!.cardId])
  })

  it.each([
    ['29 February', '2028-02-29T12:00:00Z', '2029-02-28T23:00:00Z'],
    ['the day before the clocks go forward', '2026-03-28T12:00:00Z', '2027-03-28T22:00:00Z'],
    ['the day on which they go forward', '2027-03-28T12:00:00Z', '2028-03-28T22:00:00Z'],
    ['the day on which they go back', '2026-10-25T12:00:00Z', '2027-10-25T22:00:00Z'],
    ['a last day on which they go back', '2026-10-31T12:00:00Z', '2027-10-31T23:00:00Z'],
    ['half past midnight in Madrid', '2026-06-30T22:30:00Z', '2027-07-01T22:00:00Z'],
  ])('bought on %s goes at the end of that day in Madrid', async (_, bought, due) => {
    const card = await test.db.transaction(trx => sellCard(trx, { created_at: Date.parse(bought) }))
    clock.set(Date.parse(due) - 1)
    await runOn(test.db)
    expect(await redemptionsOf([card.cardId])).toEqual([])
    clock.set(due)
    await runOn(test.db)
    await eachExactlyOnce([card.cardId])
  })

  it('goes once when the job runs twice, and after thirty days of silence', async () => {
    const cards = await sellCards(test.db, 12)
    clock.set(DUE + 30 * 24 * HOUR_MS)
    await runOn(test.db)
    await eachExactlyOnce(idsOf(cards))
    const before = await test.dump()
    await runOn(test.db)
    expect(await test.dump()).toBe(before)
  })

  it('is left alone while it is frozen or revoked', async () => {
    const [frozen, revoked] = await sellCards(test.db, 2)
    await test.plant(
      `update cards set status = 'frozen' where id = '${frozen!.cardId}'`,
      `update cards set status = 'revoked' where id = '${revoked!.cardId}'`,
    )
    await runOn(test.db)
    expect(await redemptionsOf([frozen!.cardId, revoked!.cardId])).toEqual([])
    await test.plant(
      `update cards set status = 'active' where id in ('${frozen!.cardId}', '${revoked!.cardId}')`,
    )
    await runOn(test.db)
    await eachExactlyOnce([frozen!.cardId, revoked!.cardId])
  })

  it('is given though its buyer is unknown', async () => {
    const [card] = await sellCards(test.db, 1)
    await test.plant(`update cards set email = null where id = '${card!.cardId}'`)
    await runOn(test.db)
    expect(await redemptionsOf([card!.cardId])).toHaveLength(1)
  })

  it('is kept when there is nobody to give it to, or the draw is not of the list', async () => {
    const [card] = await sellCards(test.db, 1)
    await expect(autoDonateSome({ ...toolsOver(test.db), listedNgoIds: () => [] })).rejects.toThrow(
      'no organisation',
    )
    await expect(autoDonateSome({ ...toolsOver(test.db), draw: () => 3 })).rejects.toThrow('not of the list')
    expect(await redemptionsOf([card!.cardId])).toEqual([])
    await runOn(test.db)
  })

  it('is drawn for by itself: each organisation as likely', async () => {
    const cards = await sellCards(test.db, 9)
    await runOn(test.db, draws(0, 1, 2))
    const rows = await test.db.read(db =>
      db.selectFrom('draws').select('ngo_id').where('card_id', 'in', idsOf(cards)).execute(),
    )
    expect(rows.map(({ ngo_id }) => ngo_id).sort()).toEqual(NGOS.flatMap(id => [id, id, id]))
  })
})

describe('a card whose buyer named an organisation for the end', () => {
  const named = (fallback_ngo_id: string) =>
    test.db.transaction(trx => sellCard(trx, { fallback_ngo_id, term_months: 12, reminder_days: '[30,7]' }))
  const drawOf = (cardId: string) =>
    test.db.read(db =>
      db
        .selectFrom('draws')
        .select(['ngo_id', 'drawn', 'chosen_by'])
        .where('card_id', '=', cardId)
        .executeTakeFirst(),
    )

  it('goes there when its day comes, and not before', async () => {
    const { cardId } = await named('unicef')
    clock.set(DUE - 1)
    await runOn(test.db, draws(0))
    expect(await drawOf(cardId)).toBeUndefined()
    clock.set(DUE)
    await runOn(test.db, draws(0))
    expect(await drawOf(cardId)).toEqual({ ngo_id: 'unicef', drawn: 2, chosen_by: 'buyer' })
    await eachExactlyOnce([cardId])
  })

  it('is drawn for when that organisation was taken off the list in between', async () => {
    const { cardId } = await named('gone')
    await runOn(test.db, draws(1))
    expect(await drawOf(cardId)).toEqual({ ngo_id: 'msf', drawn: 1, chosen_by: 'chance' })
    await eachExactlyOnce([cardId])
  })

  it('is drawn for when another hand wrote the name', async () => {
    const [card] = await sellCards(test.db, 1)
    await test.plant(`update orders set fallback_ngo_id = 'cerf' where id = '${card!.orderId}'`)
    await runOn(test.db, draws(1))
    expect(await drawOf(card!.cardId)).toMatchObject({ ngo_id: 'msf', chosen_by: 'chance' })
    // The books say that the buyer's wish, as it stands there now, was not followed.
    expect(await checkLedger(test.db)).toMatchObject([{ rule: 'draw-differs', subject: card!.cardId }])
    await test.plant(`update orders set fallback_ngo_id = null where id = '${card!.orderId}'`)
  })

  it('waits while another hand has led the card to an order with another wish', async () => {
    const [card] = await sellCards(test.db, 1)
    const theirs = await named('cerf')
    const lead = (cardId: string, order: string) =>
      `update cards set order_id = '${order}', kind = 'donation' where id = '${cardId}'`
    // Three steps, since an order has one card.
    await test.plant(
      `update cards set order_id = null, kind = 'free' where id = '${theirs.cardId}'`,
      lead(card!.cardId, theirs.orderId),
      lead(theirs.cardId, card!.orderId),
    )
    await runOn(test.db, draws(1))
    expect(await redemptionsOf([card!.cardId, theirs.cardId])).toEqual([])
    await test.plant(
      `update cards set order_id = null, kind = 'free' where id = '${theirs.cardId}'`,
      lead(card!.cardId, card!.orderId),
      lead(theirs.cardId, theirs.orderId),
    )
    await runOn(test.db, draws(1))
    expect(await drawOf(card!.cardId)).toMatchObject({ ngo_id: 'msf', chosen_by: 'chance' })
    expect(await drawOf(theirs.cardId)).toMatchObject({ ngo_id: 'cerf', chosen_by: 'buyer' })
    await eachExactlyOnce([card!.cardId, theirs.cardId])
  })

  it('goes there once, by whichever of two processes is first', async () => {
    const cards = await Promise.all(Array.from({ length: 12 }, () => named('cerf')))
    const { draw, ...tools } = toolsOver(test.db)
    await Promise.all([test.db, rivalDb].map(db => autoDonateSome({ ...tools, db, draw })))
    await runOn(test.db)
    await eachExactlyOnce(idsOf(cards))
    for (const { cardId } of cards) expect((await drawOf(cardId))?.ngo_id).toBe('cerf')
  })
})

describe('an owner who uses the card in the moment in which it is given away', () => {
  const answerOf = (attempt: Promise<unknown>) =>
    attempt.then(
      () => 'given',
      (error: unknown) => (isProblem(error) ? error.code : String(error)),
    )

  async function raceAt(at: number, ourDb: Database) {
    const [card] = await sellCards(test.db, 1)
    const owner = createCards({ db: rivalDb, keys: testKeys, clock, listedNgoIds: () => NGOS })
    let points = 0
    let acting: Promise<string> | undefined
    const db = interposed(ourDb, async () => {
      if (points++ !== at) return
      acting = answerOf(owner.redeem(card!.privateKey, [{ ngoId: 'cerf', points: 50 }]))
      await acting
    })
    await autoDonateSome(toolsOver(db))
    const answer = await acting
    const [redemption] = await redemptionsOf([card!.cardId])
    expect(redemption?.cause, `rival at point ${at}`).toBe(answer === 'given' ? 'recipient' : 'auto-donation')
    expect(await checkLedger(test.db), `rival at point ${at}`).toEqual([])
    return { points, cause: redemption?.cause }
  }

  it('has it or has it not, at every point', async () => {
    const { points } = await raceAt(-1, test.db)
    expect(points).toBeGreaterThanOrEqual(8)
    const causes = new Set<string | undefined>()
    for (let at = 0; at < points; at++) causes.add((await raceAt(at, test.db)).cause)
    expect(causes).toEqual(new Set(['recipient', 'auto-donation']))
  })

  it('is told from a job that does not ask for an active card', async () => {
    const { points } = await raceAt(-1, test.db)
    const unguarded = withoutGuard(test.db, 'cards', 'status')
    const attempt = async () => {
      for (let at = 0; at < points; at++) await raceAt(at, unguarded)
    }
    await expect(attempt()).rejects.toThrow()
    await test.plant(`update cards set auto_donate_at = ${DUE * 2} where status = 'active'`)
    expect(await checkLedger(test.db)).toEqual([])
  })
})

describe('several processes', () => {
  const aChild = async () => {
    const child = startChild('./auto-donate-child.ts')
    const work: AutoDonateWork = { location: test.location, now: DUE, ngoIds: NGOS }
    child.send(JSON.stringify(work))
    expect(await child.nextLine()).toBe('ready')
    return child
  }

  it('that do it without knowing of each other give each card once', async () => {
    const cards = await sellCards(test.db, 60)
    const { draw, ...tools } = toolsOver(test.db)
    const all = async (db: Database) => {
      while ((await autoDonateSome({ ...tools, db, draw })).looked > 0) await nextTurn()
    }
    await Promise.all([all(test.db), all(rivalDb), all(await test.another())])
    await eachExactlyOnce(idsOf(cards))
  })

  it('of which one is killed midway: the next one goes on with the rest', async () => {
    for (let round = 0; round < count({ usual: 2, long: 50 }); round++) {
      clock.set(DUE)
      await test.plant('delete from periodic_jobs')
      // Eight batches, of which at most the sixth is under way when the kill comes.
      const cards = await sellCards(test.db, 80)
      const child = await aChild()
      child.send('go')
      for (let n = 0; n <= round % 5; n++) expect(await child.nextLine()).toBe('batch')
      await child.kill()
      const before = (await redemptionsOf(idsOf(cards))).length
      expect(before).toBeGreaterThan(0)
      expect(before).toBeLessThan(80)
      // The lease of the killed one holds for a minute; then anybody goes on.
      await jobsOver(test.db).runDue()
      expect(await redemptionsOf(idsOf(cards))).toHaveLength(before)
      clock.advance(60_000)
      await jobsOver(test.db).runDue()
      await eachExactlyOnce(idsOf(cards))
    }
  })
})
