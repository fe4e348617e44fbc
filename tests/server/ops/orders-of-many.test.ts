import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CardStatus } from '#domain/card/states.ts'
import { createCards } from '#server/modules/gifts/cards/cards.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { beginCounts } from '#server/modules/integrity/checkpoints.ts'
import type { Report, Tools } from '#server/ops/command.ts'
import { COMMANDS } from '#server/ops/commands.ts'
import { type SoldMany, sellMany } from '#tests/builders/many.ts'
import { CREATED_AT, refundBegins, TEST_CARD_SECRET, testKeys } from '#tests/builders/server.ts'
import { openTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { fakeClock } from '#tests/support/fake-clock.ts'

let test: TestDatabase
let tools: Tools
let clock: ReturnType<typeof fakeClock>
let order: SoldMany
beforeEach(async () => {
  test = await openTestDatabase()
  clock = fakeClock(CREATED_AT)
  await beginCounts(test.db, testKeys, CREATED_AT)
  tools = {
    database: async () => test.db,
    place: { dataDir: test.location.dataDir, databaseUrl: test.location.databaseUrl },
    environment: { DATA_DIR: test.location.dataDir, CARD_KEY_SECRET: TEST_CARD_SECRET },
    clock,
    progress() {},
  }
  order = await test.db.transaction(trx =>
    sellMany(trx, 3, { rows: ['Aina', 'Biel', 'Carla'].map(name => ({ name, words: `For ${name}` })) }),
  )
})
afterEach(() => test.close())

async function tell(name: string, ...args: string[]): Promise<Report & { readonly text: string }> {
  const command = COMMANDS.find(each => each.name === name)
  if (!command) throw new Error(name)
  const report = await command.run(tools, args)
  for (const line of report.lines) expect(line.length, line).toBeLessThanOrEqual(140)
  return { ...report, text: report.lines.join('\n') }
}
const cardsOf = () =>
  test.db.read(db => db.selectFrom('cards').select(['id', 'status', 'email']).orderBy('position').execute())
const statuses = async (): Promise<readonly CardStatus[]> => (await cardsOf()).map(({ status }) => status)
const use = (place: number) =>
  createCards({
    db: test.db,
    keys: testKeys,
    clock: tools.clock,
    listedNgoIds: () => ['msf'],
  }).redeem(testKeys.privateKey(order.cardIds[place]!, testKeys.firstVersion), [{ ngoId: 'msf', points: 50 }])
const amiss = async () =>
  (await checkLedger(test.db, { keys: testKeys })).filter(({ rule }) => /hold|seal|card/.test(rule))

/** What each command does with an order of three. */
const WITH_AN_ORDER: Readonly<Record<string, () => Promise<void>>> = {
  async card() {
    const { text, data } = await tell('card', order.orderId)
    expect(text).toContain('is of 3 cards: 3 active.')
    for (const id of order.cardIds) expect(text).toContain(id)
    expect(data).toMatchObject({
      order: order.orderId,
      cards: order.cardIds.map((card, n) => ({ number: n + 1, card, status: 'active' })),
    })
  },
  async resend() {
    await test.plant('update jobs set done_at = 1')
    await tell('resend', order.orderId)
    const mails = await test.db.read(db =>
      db.selectFrom('jobs').select('kind').where('done_at', 'is', null).execute(),
    )
    expect(mails).toEqual([{ kind: 'confirmation' }])
  },
  async address() {
    expect((await tell('address', order.orderId, 'right@example.net')).text).toContain('3 cards')
    expect((await cardsOf()).map(({ email }) => email)).toEqual(Array(3).fill('right@example.net'))
  },
  async 'dealt-with'() {
    // A mail about a card other than the first was given up.
    await test.plant(
      `update jobs set failed_reason = 'smtp-550', done_at = 1, subject = '${order.cardIds[2]}'`,
    )
    expect((await tell('dealt-with', order.orderId)).text).toMatch(/^Noted: mail .* was dealt with\./)
    await expect(tell('dealt-with', order.orderId)).rejects.toThrow('waits for somebody')
  },
  async 'block-answer'() {
    await expect(tell('block-answer', order.orderId)).rejects.toThrow(
      `Order ${order.orderId} is of 3 cards: say which one is meant. \`card ${order.orderId}\` lists them.`,
    )
    const stops = await test.db.read(db => db.selectFrom('letter_stops').selectAll().execute())
    expect(stops).toEqual([])
    expect((await tell('block-answer', order.cardIds[1]!)).text).toContain(order.cardIds[1])
  },
  async 'blank-message'() {
    await tell('blank-message', order.orderId)
    const words = await test.db.read(db => db.selectFrom('batch_rows').select('words').execute())
    expect(words.filter(row => row.words)).toEqual([])
  },
  async hold() {
    const { text, data } = await tell('hold', order.orderId)
    expect(text).toBe(
      `Nobody can use the 3 cards of order ${order.orderId} until you say \`release ${order.orderId}\`.`,
    )
    expect(data).toEqual({ order: order.orderId, cards: 3, held: 3, before: 0 })
    expect(await statuses()).toEqual(['frozen', 'frozen', 'frozen'])
    for (const place of [0, 1, 2]) await expect(use(place)).rejects.toMatchObject({ code: 'card-not-found' })
    expect((await tell('hold', order.orderId)).text).toContain('3 of them were held already.')
    expect(await amiss()).toEqual([])
  },
  async release() {
    await tell('hold', order.orderId)
    const { text, data } = await tell('release', order.orderId)
    expect(text).toBe(`You hold the 3 cards of order ${order.orderId} no longer.\n3 are active.`)
    expect(data).toEqual({ order: order.orderId, cards: 3, released: 3 })
    expect(await statuses()).toEqual(['active', 'active', 'active'])
    expect((await tell('release', order.orderId)).text).toBe(
      `You did not hold any of the 3 cards of order ${order.orderId}.`,
    )
    expect(await amiss()).toEqual([])
  },
}

describe('a command that takes a card or an order', () => {
  it('is in the table below, and nothing else is', () => {
    const taking = COMMANDS.filter(({ usage }) => /<card.* order/.test(usage)).map(({ name }) => name)
    expect(Object.keys(WITH_AN_ORDER).toSorted()).toEqual(taking.toSorted())
  })

  it.each(Object.entries(WITH_AN_ORDER))(
    '%s means all cards of an order of three, or asks which',
    (_, check) => check(),
  )
})

describe('a hold on an order of many', () => {
  it('leaves what was used, and says how many that is', async () => {
    await use(1)
    const { text } = await tell('hold', order.orderId)
    expect(text).toContain('2 of the 3 cards')
    expect(text).toContain('1 was used or given back before.')
    expect(await statuses()).toEqual(['frozen', 'consumed', 'frozen'])
    expect((await tell('release', order.orderId)).text).toContain('2 of the 3 cards')
    expect(await statuses()).toEqual(['active', 'consumed', 'active'])
    expect(await amiss()).toEqual([])
  })

  it('keeps a card from being used whose refund comes back', async () => {
    await test.plant(`update cards set status = 'revoked' where position = 2`)
    const { text, ok } = await tell('hold', order.orderId)
    expect([text, ok]).toEqual([expect.stringContaining('2 of the 3 cards'), true])
    const held = await test.db.read(db => db.selectFrom('card_holds').select('card_id').execute())
    expect(held.map(({ card_id: id }) => id).toSorted()).toEqual([...order.cardIds].toSorted())
  })

  it('says so where nothing of it can be used any more', async () => {
    for (const place of [0, 1, 2]) await use(place)
    expect(await tell('hold', order.orderId)).toMatchObject({
      text: `Nobody can use any of the 3 cards of order ${order.orderId} any more as it is.`,
      ok: false,
    })
  })

  it('and its end are of the one card where a card is named', async () => {
    await tell('hold', order.cardIds[1]!)
    expect(await statuses()).toEqual(['active', 'frozen', 'active'])
    expect((await tell('hold', order.orderId)).text).toContain('1 of them was held already.')
    await tell('release', order.cardIds[0]!)
    expect(await statuses()).toEqual(['active', 'frozen', 'frozen'])
  })

  it('is not ended where it is of a dispute, and its end says so, be a card named or its order', async () => {
    await test.plant(
      `insert into card_holds (card_id, reason, created_at) values ('${order.cardIds[2]}', 'dispute', 1)`,
    )
    await test.plant(`update cards set status = 'frozen' where position = 2`)
    const [one, all] = [await tell('release', order.cardIds[2]!), await tell('release', order.orderId)]
    expect([one.ok, all.ok]).toEqual([false, false])
    expect(one.text).toContain('It is frozen, for another reason: dispute.')
    expect(all.text).toBe(
      `You did not hold any of the 3 cards of order ${order.orderId}.\n1 is frozen for another reason (dispute).`,
    )
  })

  it('is ended where a refund left it over about which nobody can be asked, once the operator says that none was made', async () => {
    await refundBegins(test.db, order.cardIds[1]!, clock())
    clock.advance(10 * 60_000 - 1)
    const release = (...flags: string[]) => tell('release', order.orderId, ...flags)
    // It is under way, whatever anybody says.
    expect(await release('--refund-not-made')).toMatchObject({ ok: false })
    clock.advance(1)
    const { ok, text } = await release()
    expect([ok, text]).toEqual([false, expect.stringContaining('--refund-not-made')])
    expect(await statuses()).toEqual(['active', 'frozen', 'active'])
    expect((await release('--refund-not-made')).text).toBe(
      `You hold 1 of the 3 cards of order ${order.orderId} no longer.\n1 is active.`,
    )
    expect(await statuses()).toEqual(['active', 'active', 'active'])
    expect(await amiss()).toEqual([])
  })

  it('ends with what else holds some of its cards left as it is', async () => {
    await tell('hold', order.orderId)
    await test.plant(
      `insert into card_holds (card_id, reason, created_at) values ('${order.cardIds[2]}', 'dispute', 1)`,
    )
    const { text } = await tell('release', order.orderId)
    expect(text).toContain('2 are active.')
    expect(text).toContain('1 is frozen for another reason (dispute).')
    expect(await statuses()).toEqual(['active', 'active', 'frozen'])
  })
})
