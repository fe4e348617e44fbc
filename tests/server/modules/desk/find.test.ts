import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { dayInMadrid } from '#domain/days.ts'
import { DAY_MS, HOUR_MS } from '#domain/durations.ts'
import { lettersOf } from '#domain/payment/document-number.ts'
import { createSendings } from '#server/modules/gifts/sendings/sendings.ts'
import { digestOfAddress } from '#server/modules/gifts/sendings/stored.ts'
import { orderOfIntent } from '#server/modules/payments/order-of-intent.ts'
import { createPayout } from '#server/modules/payouts/payouts.ts'
import { readMovements } from '#server/modules/treasury/read.ts'
import { find as findCommand } from '#server/ops/find.ts'
import { SQLITE_FILE } from '#server/platform/db/sqlite.ts'
import { DELAYS } from '#stand-ins/payments-double/index.ts'
import { deskOf } from '#tests/support/desk-of-payments.ts'
import { type QueryPlans, watchQueryPlans } from '#tests/support/query-plans.ts'
import { findGifts, readCardFile } from '#wire/operator.ts'
import { CARD, openPaymentsFixture, type PaymentsFixture } from '../../../support/payments-fixture.ts'

let fixture: PaymentsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture({ settles: ['eur'] })
})
afterEach(() => fixture.close())

const desk = () =>
  deskOf(fixture, {
    sessionDigest: id => fixture.deps.keys.keyedDigest(id),
    recipientDigest: address => digestOfAddress(fixture.deps.keys, address),
    orderOfIntent: id => orderOfIntent(fixture.deps, id),
    organisations: () => [
      { id: 'msf', name: 'Médicos Sin Fronteras' },
      { id: 'cerf', name: 'CERF' },
    ],
  })
const newest = async () => {
  const { id, payment_intent: intent } = (await fixture.stripe.charges.list({ limit: 1 })).data[0]!
  const { id: card, order_id: order } = await fixture.test.db.read(reader =>
    reader.selectFrom('cards').select(['id', 'order_id']).orderBy('id', 'desc').executeTakeFirstOrThrow(),
  )
  return { charge: id, intent: String(intent), card, order: order! }
}

/** A card in dollars that was paid, refunded in part, disputed, paid out to the bank, used, and paid out on. */
async function aLife() {
  const { sessionId } = await fixture.buy({ currency: 'USD' }, CARD.good)
  await fixture.deliver()
  const { privateKey } = await fixture.payments.settle(sessionId)
  await fixture.refund(700)
  await fixture.deliver()
  fixture.clock.advance(4 * DAY_MS)
  await fixture.deliver()
  fixture.clock.advance(HOUR_MS)
  await readMovements(fixture.deps)
  const things = { sessionId, privateKey, ...(await newest()) }
  await fixture.cards.redeem(privateKey, [
    { ngoId: 'msf', points: 30 },
    { ngoId: 'cerf', points: 20 },
  ])
  const payout = await createPayout(
    fixture.test.db,
    { ngoId: 'msf', currency: 'USD', givenBefore: undefined },
    fixture.clock(),
  )
  const refund = (await fixture.stripe.refunds.list()).data[0]!.id
  const toBank = (await fixture.stripe.payouts.list()).data[0]!.id
  return { ...things, payout: payout.id, refund, toBank }
}

describe('a gift', () => {
  it('is found by everything that is known of it', async () => {
    const life = await aLife()
    const day = new Date((await desk().card(life.card)).createdAt).toISOString().slice(0, 10)
    for (const words of [
      life.card,
      life.order,
      life.sessionId,
      life.charge,
      life.intent,
      life.refund,
      life.toBank,
      life.payout,
      'buyer@mail.example',
      'BUYER@mail.example',
      `$65.00 ${day}`,
    ]) {
      const { hits, isMore } = await desk().find(words)
      expect(
        hits.map(({ card }) => card),
        words,
      ).toContain(life.card)
      expect(isMore).toBe(false)
    }
    const year = new Date(fixture.clock()).getUTCFullYear()
    const letters = lettersOf(life.order)
    await fixture.test.db.transaction(trx =>
      trx
        .insertInto('certificates')
        .values({
          order_id: life.order,
          year,
          number: 1,
          letters,
          name: 'Aina',
          document: '12345678Z',
          address: 'Carrer Major 1',
          amount: 100,
          made_at: fixture.clock(),
        })
        .execute(),
    )
    for (const mark of ['S', 'R', '']) {
      const found = async (behind: string) =>
        (await desk().find(`${mark}${year}-000001${behind}`)).hits.map(({ card }) => card)
      for (const behind of ['', `-${letters}`]) expect(await found(behind), mark).toEqual([life.card])
      // That number was drawn for another order before the backup was brought back.
      expect(await found('-ZZZU'), mark).toEqual([])
    }
    expect((await desk().find('medicos')).hits).toMatchObject([
      { kind: 'organisation', id: 'msf' },
      { kind: 'payout', id: life.payout, state: 'open', name: 'Médicos Sin Fronteras' },
    ])
  })

  it('is found by the address that it is mailed to, however it is written, until that is forgotten', async () => {
    const { sessionId } = await fixture.buy()
    await fixture.deliver()
    await fixture.payments.settle(sessionId)
    const { card } = await newest()
    const { db } = fixture.test
    const { keys } = fixture.deps
    const day = new Date(fixture.clock() + 3 * DAY_MS).toISOString().slice(0, 10)
    await createSendings({ db, keys, clock: fixture.clock }).plan(card, keys.sendingKey(card, 1), {
      address: 'nora@mail.example',
      day,
      zone: 'Europe/Madrid',
    })
    const found = async (typed: string) => (await desk().find(typed)).hits.map(({ id }) => id)
    expect(await found('nora@mail.example')).toEqual([card])
    expect(await found('NORA@mail.example')).toEqual([card])
    expect(await found('tom@mail.example')).toEqual([])
    await fixture.test.plant(
      `update sendings set state = 'over', address_sealed = null, address_digest = null`,
    )
    expect(await found('nora@mail.example')).toEqual([])
  })

  it('is found by nothing else', async () => {
    await aLife()
    for (const words of [
      '0'.repeat(26),
      'cs_test_00000000',
      'ch_nothing',
      'pi_nothing',
      're_nothing',
      'po_nothing',
      'buyer@mail.example.org',
      '65 EUR 2001-01-01',
      'nobody',
      'x',
    ])
      expect((await desk().find(words)).hits, words).toEqual([])
  })

  it('is not looked for by its key', async () => {
    const { privateKey } = await aLife()
    const found = await desk().find(`https://cards.example/gift-card/${privateKey}`)
    expect(found).toEqual({ search: { kind: 'key' }, hits: [], isMore: false })
  })

  it('that nobody paid is an order', async () => {
    await fixture.start()
    const { id } = await fixture.test.db.read(reader =>
      reader.selectFrom('orders').select('id').executeTakeFirstOrThrow(),
    )
    expect((await desk().find(id)).hits).toMatchObject([
      { kind: 'order', id, card: null, state: 'open', amount: 6_500, currency: 'EUR' },
    ])
  })

  it('is one of fifty, and more are said', async () => {
    const { db } = fixture.test
    await aLife()
    const row = await db.read(reader => reader.selectFrom('cards').selectAll().executeTakeFirstOrThrow())
    await db.transaction(async trx => {
      for (let n = 10; n < 70; n++)
        await trx
          .insertInto('cards')
          .values({
            ...row,
            id: `0000000000000000000000000${n}`.slice(-26),
            order_id: null,
            kind: 'free',
            private_digest: `private ${n}`,
            public_digest: `public ${n}`,
          })
          .execute()
    })
    const { hits, isMore } = await desk().find('buyer@mail.example')
    expect([hits.length, isMore]).toEqual([50, true])
  })
})

describe('its file', () => {
  it('tells its whole story in order', async () => {
    const life = await aLife()
    const { history, address, status } = await desk().card(life.order)
    expect([address, status]).toEqual(['b…r@mail.example', 'consumed'])
    const said = history.map(({ what, details }) => `${what}: ${details}`).join('\n')
    for (const part of [
      /^ordered: /m,
      /^accepted: terms of version \S+$/m,
      new RegExp(`^paid: charge ${life.charge}$`, 'm'),
      /^mail asked for: confirmation$/m,
      /^at the provider: charge: fee \d+\.\d\d, net \d+\.\d\d EUR, converted from 65\.00 USD at \S+$/m,
      /^at the provider: refund: /m,
      new RegExp(`^on its way to the bank: the charge, in the provider’s payout ${life.toBank}$`, 'm'),
      /^went back: refunded 7\.00, lost to disputes 0\.00$/m,
      /^booked: sale: /m,
      /^booked: reversal: /m,
      /^booked: movement: /m,
      /^booked: recipient: cards -50\.00, ngo:cerf 20\.00, ngo:msf 30\.00$/m,
      /^used: msf 30\.00 USD, cerf 20\.00 USD$/m,
      new RegExp(`^payout made: to msf, payout ${life.payout}$`, 'm'),
    ])
      expect(said).toMatch(part)
    expect(history.map(({ at }) => at)).toEqual(history.map(({ at }) => at).toSorted((a, b) => a - b))
    expect(history.flatMap(({ ids }) => ids ?? [])).toEqual(
      expect.arrayContaining([life.charge, life.refund, life.toBank, life.payout]),
    )
  })

  it('says that nothing went back where a dispute is decided for us', async () => {
    const { sessionId } = await fixture.buy({}, CARD.disputed)
    await fixture.deliver()
    await fixture.payments.settle(sessionId)
    fixture.clock.advance(DELAYS.disputeMs)
    await fixture.deliver()
    const { order } = await newest()
    const disputed = async () => (await desk().card(order)).history.find(({ what }) => what === 'disputed')!
    const { details, amount, ids } = await disputed()
    // The double's bank waits for seven days.
    const until = dayInMadrid(fixture.clock() + 7 * 24 * 3_600_000)
    expect(details).toBe(`answer in the payment account until ${until}`)
    expect([amount, ids]).toEqual([{ amount: 6_500, currency: 'EUR' }, [expect.stringMatching(/^du_/)]])
    await fixture.decideDispute('won')
    await fixture.deliver()
    const { history, status } = await desk().card(order)
    expect(status).toBe('active')
    expect((await disputed()).details).toBe('the bank decided for you')
    const ways = history.map(({ what }) => what)
    expect(ways).toContain('nothing went back')
    expect(ways).not.toContain('went back')
  })

  it('and what is found hold no key, digest, session, name or address', async () => {
    const life = await aLife()
    const { keys } = fixture.deps
    const answers = [
      readCardFile.response.parse(await desk().card(life.card)),
      findGifts.response.parse(await desk().find('buyer@mail.example')),
      findGifts.response.parse(await desk().find(life.sessionId)),
      await desk().card(life.card),
    ]
    const row = await fixture.test.db.read(reader =>
      reader.selectFrom('cards').selectAll().executeTakeFirstOrThrow(),
    )
    const secrets = [
      life.privateKey,
      keys.publicKey(row.id, row.key_version),
      row.private_digest,
      row.public_digest,
      row.seal!,
      life.sessionId,
      keys.keyedDigest(life.sessionId),
      'buyer@mail.example',
      'Aina',
    ]
    for (const secret of secrets) expect(JSON.stringify(answers)).not.toContain(secret)
  })

  it('is of a card, or there is none', async () => {
    for (const word of ['0'.repeat(26), 'no id', '\0'])
      await expect(desk().card(word)).rejects.toMatchObject({ code: 'card-not-found' })
  })
})

it('is found in the terminal as well, which says what it lacks', async () => {
  const life = await aLife()
  const tools = {
    database: async () => fixture.test.db,
    place: { dataDir: fixture.test.location.dataDir, databaseUrl: fixture.test.location.databaseUrl },
    environment: {},
    clock: fixture.clock,
    progress() {},
  }
  const tell = async (...args: string[]) => (await findCommand.run(tools, args)).lines.join('\n')
  expect(await tell('buyer@mail.example')).toMatch(new RegExp(`card +${life.card} +consumed +50.00 +USD`))
  expect(await tell('nobody')).toBe('Nothing is found by these words.')
  await expect(tell('65', 'EUR')).rejects.toThrow('Say the day as well')
  await expect(tell(life.privateKey)).rejects.toThrow('opens the gift')
  await expect(tell(life.intent)).rejects.toThrow('Payment intents')
  await expect(tell(life.sessionId)).rejects.toThrow('CARD_KEY_SECRET')
  await expect(tell()).rejects.toThrow('find <e-mail')
})

// PostgreSQL chooses by what it has counted, and of the few rows of a test it reads them all.
describe.runIf(process.env.TEST_ENGINE !== 'postgres')('among any number of cards', () => {
  let plans: QueryPlans
  beforeAll(() => {
    plans = watchQueryPlans()
  })
  afterAll(() => plans.stop())

  /** Tables with a row for each month, not for each gift, and lists of values. */
  const SMALL = /^SCAN (?:payouts\b|\d+ CONSTANT ROW|CONSTANT ROW|json_each)/

  it('each question is answered by an index', async () => {
    const life = await aLife()
    const path = join(fixture.test.location.dataDir, SQLITE_FILE)
    plans.take(path)
    const day = new Date(fixture.clock()).toISOString().slice(0, 10)
    for (const words of [
      life.card,
      life.sessionId,
      life.charge,
      life.intent,
      life.refund,
      life.toBank,
      life.payout,
      'buyer@mail.example',
      `65 USD ${day}`,
      'P2026-000017-7QK3',
      'S2026-000017-7QK3',
      '2026-000017',
      'medicos',
    ])
      await desk().find(words)
    await desk().card(life.card)
    const taken = plans.take(path)
    expect(taken.length).toBeGreaterThan(20)
    expect(taken.filter(plan => /^SCAN /.test(plan) && !SMALL.test(plan))).toEqual([])
    for (const index of [
      'provider_movements_of_source',
      'audit_log_of',
      'cards_by_address',
      'sendings_of_address',
      'orders_by_age',
    ])
      expect(taken.join('\n')).toMatch(new RegExp(`\\b${index}\\b`))
  })
})
