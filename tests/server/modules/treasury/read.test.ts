import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '#domain/durations.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { countNow, rowsMissing, writeCheckpoint } from '#server/modules/integrity/checkpoints.ts'
import { readSummary } from '#server/modules/reports/summary.ts'
import { readMovements } from '#server/modules/treasury/read.ts'
import { DELAYS } from '#stand-ins/payments-double/index.ts'
import { count } from '#tests/support/counts.ts'
import { diesAt, Killed } from '#tests/support/crash-points.ts'
import { mailsOf, oneEach } from '#tests/support/told-once.ts'
import { CARD, openPaymentsFixture, type PaymentsFixture } from '../../../support/payments-fixture.ts'

/** Of the steps at which the job is killed, each third one, or each. */
const STRIDE = count({ usual: 3, long: 1 })

let fixture: PaymentsFixture
beforeEach(async () => {
  fixture = await openPaymentsFixture()
})
afterEach(() => fixture.close())

const read = (deps = fixture.deps) => readMovements(deps)
const findings = () => checkLedger(fixture.test.db, { keys: fixture.deps.keys, now: fixture.clock() })
const rules = async () => [...new Set((await findings()).map(({ rule }) => rule))].sort()
const movements = () =>
  fixture.test.db.read(reader =>
    reader.selectFrom('provider_movements').selectAll().orderBy('created_at').orderBy('id').execute(),
  )
async function buy(card: string = CARD.spanish, changes: Parameters<PaymentsFixture['buy']>[0] = {}) {
  await fixture.buy(changes, card)
  await fixture.deliver()
}
async function pass(ms: number) {
  fixture.clock.advance(ms)
  await fixture.deliver()
}
/** What the books say, account by account, of what moved at the provider. */
async function booked() {
  const rows = await fixture.test.db.read(reader =>
    reader
      .selectFrom('ledger_entries')
      .select(['account', 'currency', 'amount'])
      .where('cause', '=', 'movement')
      .execute(),
  )
  const sums: Record<string, number> = {}
  for (const { account, currency, amount } of rows)
    sums[`${account} ${currency}`] = (sums[`${account} ${currency}`] ?? 0) + amount
  return sums
}

describe('the job that reads the provider', () => {
  it('has nothing to do before the first sale, and asks nobody', async () => {
    expect(await read()).toEqual({ movements: 0, payouts: 0 })
    expect(fixture.asked).toEqual([])
  })

  it('books a fee once, however often and by however many it is read', async () => {
    await buy()
    await pass(HOUR_MS)
    expect(await read()).toEqual({ movements: 1, payouts: 0 })
    const other = { ...fixture.deps, db: await fixture.test.another() }
    expect(await read(other)).toEqual({ movements: 0, payouts: 0 })
    // 6,500 cents: 1.5 % and 25 cents.
    expect(await booked()).toEqual({ 'payments EUR': 123, 'fees EUR': -123 })
    await buy(CARD.good)
    await pass(HOUR_MS)
    const both = await Promise.all([read(), read(other)])
    expect(both.reduce((sum, each) => sum + each.movements, 0)).toBe(1)
    expect(await movements()).toHaveLength(2)
    expect(await findings()).toEqual([])
  })

  it('changes no figure of what was sold, given and owed', async () => {
    await buy()
    const before = await fixture.test.db.read(reader => readSummary(reader, 0))
    await pass(5 * DAY_MS)
    await read()
    expect((await fixture.test.db.read(reader => readSummary(reader, 0))).money).toEqual(before.money)
  })

  it('lets the operator bear what the support does not, and organisations nothing', async () => {
    await buy(CARD.good, { supportAmount: 0 })
    await pass(HOUR_MS)
    await read()
    // 5,000 cents: 3.25 % and 25 cents.
    expect(await booked()).toEqual({ 'payments EUR': 188, 'operator EUR': -188 })
    expect(await findings()).toEqual([])
  })

  it('follows a refund whose event was lost, before it books what it moved', async () => {
    await buy()
    await fixture.refund()
    await fixture.collectEvents()
    fixture.clock.advance(HOUR_MS)
    await read()
    expect((await movements()).map(({ kind }) => kind).sort()).toEqual(['charge', 'refund'])
    await pass(3 * HOUR_MS)
    await read()
    expect(await findings()).toEqual([])
    // Nothing is left of the support that could bear the fee.
    expect(await booked()).toEqual({ 'payments EUR': 123, 'fees EUR': 0, 'operator EUR': -123 })
  })

  it('says what each payout is made of', async () => {
    await buy()
    await buy(CARD.british, { currency: 'GBP' })
    await buy(CARD.good)
    await fixture.refund(100)
    await pass(4 * DAY_MS)
    await pass(HOUR_MS)
    expect(await read()).toMatchObject({ payouts: 2 })
    const parts = await fixture.test.db.read(reader =>
      reader.selectFrom('provider_payout_parts').selectAll().execute(),
    )
    expect(Map.groupBy(parts, part => part.payout_movement_id).size).toBe(2)
    expect(parts).toHaveLength(4)
    expect(await read()).toMatchObject({ payouts: 0 })
    expect(await findings()).toEqual([])
  })

  it('takes money of another sale through the same account for the operator’s own', async () => {
    await buy()
    // Renamed, the payment is of an order that we do not know.
    fixture.between(async (request, next) => {
      const response = await next(request)
      if (!request.url.includes('/balance_transactions')) return response
      return new Response((await response.text()).replaceAll('"order_id":"', '"order_id":"not-'), response)
    })
    await pass(HOUR_MS)
    await read()
    expect(await movements()).toMatchObject([{ order_id: null, borne: 0 }])
    expect(await booked()).toEqual({ 'payments EUR': -6_377, 'operator EUR': 6_377 })
    await pass(3 * HOUR_MS)
    await read()
    // Our own order has no movement then: that is told.
    expect(await rules()).toEqual(['movement-missing'])
  })

  it.each([
    ['as nothing else names it', /"charge":"ch_(\w+)"/g, '"charge":"ch_x$1"', null],
    ['though its order is known', /"ch_(\w+)"/g, '"ch_x$1"', expect.any(String)],
  ])(
    'is not stopped by a refund whose payment the provider knows no more, %s',
    async (_, told, instead, order) => {
      await buy()
      await fixture.refund(700)
      await fixture.deliver()
      fixture.between(async (request, next) => {
        if (/\/charges\/\w+$/.test(new URL(request.url).pathname)) {
          const error = { type: 'invalid_request_error', code: 'resource_missing', message: 'No such charge' }
          return Response.json({ error }, { status: 404 })
        }
        const response = await next(request)
        if (!request.url.includes('/balance_transactions')) return response
        return new Response((await response.text()).replaceAll(told, instead), response)
      })
      await pass(HOUR_MS)
      expect((await read()).movements).toBe(2)
      const refunds = (await movements()).filter(({ kind }) => kind === 'refund')
      expect(refunds).toMatchObject([{ order_id: order }])
    },
  )

  /** Changes what the provider says, where its address has this in it. */
  function tells(part: string, change: (body: { data: Record<string, unknown>[] } & object) => void) {
    let times = 0
    fixture.between(async (request, next) => {
      const response = await next(request)
      if (!request.url.includes(part)) return response
      times++
      const body = (await response.json()) as { data: Record<string, unknown>[] }
      change(body)
      return Response.json(body)
    })
    return () => times
  }
  async function payOutAndCheck() {
    await buy()
    await pass(4 * DAY_MS)
    await pass(HOUR_MS)
    expect(await read()).toMatchObject({ payouts: 0 })
    await pass(2 * DAY_MS)
    await read()
    expect((await movements()).map(({ kind }) => kind)).toEqual(['charge', 'payout'])
    expect(await findings()).toEqual([])
  }

  it('asks once what is in a payout that a person made by hand, and finds nothing amiss', async () => {
    const times = tells('/payouts/', body => Object.assign(body, { automatic: false }))
    await payOutAndCheck()
    expect(times()).toBe(1)
  })

  it('finds nothing amiss with a payout of what came in before the first sale', async () => {
    const times = tells('payout=', ({ data }) => data.push({ ...data[0], id: 'txn_before', created: 1_000 }))
    await payOutAndCheck()
    expect(times()).toBe(1)
  })

  it('names a movement in a currency that the books do not keep, and books the others', async () => {
    // In the list, and where it is asked for alone.
    tells('/balance_transactions', body => {
      const oldest = ('data' in body ? body.data : [body]).at(-1) as { currency: string } | undefined
      if (oldest) oldest.currency = 'chf'
    })
    await buy()
    fixture.clock.advance(1_000)
    await buy(CARD.good)
    await pass(HOUR_MS)
    const told: unknown[] = []
    const log = {
      ...fixture.deps.log,
      error: (event: string, _: unknown, facts?: object) => void told.push({ event, ...facts }),
    }
    expect(await read({ ...fixture.deps, log })).toMatchObject({ movements: 1 })
    expect(told).toEqual([
      { event: 'provider-currency-unknown', currency: 'CHF', movement: expect.stringMatching(/^txn_/) },
    ])
    await pass(3 * HOUR_MS)
    await read({ ...fixture.deps, log })
    expect(await rules()).toEqual(['movement-missing'])
  })

  it('books a movement of a kind that nobody knows as other, and tells its type and its id', async () => {
    await buy()
    await payOtherSale()
    tells('/balance_transactions', ({ data }) => {
      for (const each of data) if (each.net === 942) Object.assign(each, UNKNOWN)
    })
    await pass(HOUR_MS)
    const told: unknown[] = []
    const log = {
      ...fixture.deps.log,
      error: (event: string, _: unknown, facts?: object) => void told.push({ event, ...facts }),
    }
    await read({ ...fixture.deps, log })
    await read({ ...fixture.deps, log })
    const { id } = (await movements()).find(({ kind }) => kind === 'other')!
    expect(told).toEqual([
      {
        event: 'provider-movement-unknown',
        movement: id,
        type: 'moon_dust',
        category: 'constructor',
        amount: 942,
        currency: 'EUR',
      },
    ])
    expect(await booked()).toMatchObject({ 'operator EUR': 942 })
    await pass(3 * HOUR_MS)
    await read()
    expect(await findings()).toEqual([])
  })

  it('reads in the provider’s payout what came into its list too late', async () => {
    await buy()
    await pass(HOUR_MS)
    await read()
    await payOtherSale()
    // The list by time never tells of it, the payout’s own does.
    const isLate = (each: Record<string, unknown>) => each.net === 942
    tells('created', body => Object.assign(body, { data: body.data.filter(each => !isLate(each)) }))
    await pass(4 * DAY_MS)
    await pass(HOUR_MS)
    expect(await read()).toMatchObject({ payouts: 1 })
    expect((await movements()).map(({ net }) => net)).toContain(942)
    expect(await findings()).toEqual([])
  })

  it('names no payout as amiss whose parts could not be asked for yet', async () => {
    await buy()
    await pass(HOUR_MS)
    await read()
    // The site is off meanwhile, and begins again while the provider does not say what its payouts are made of.
    await pass(4 * DAY_MS)
    await pass(2 * DAY_MS)
    let isAway = true
    fixture.between(async (request, next) => {
      if (isAway && request.url.includes('/payouts/')) throw new TypeError('fetch failed')
      return next(request)
    })
    await expect(read()).rejects.toMatchObject({ code: 'provider-unavailable' })
    expect((await movements()).map(({ kind }) => kind)).toContain('payout')
    expect(await findings()).toEqual([])
    isAway = false
    expect(await read()).toMatchObject({ payouts: 1 })
    expect(await findings()).toEqual([])
  })

  it('asks after a dispute until it is decided, since its last event may be lost', async () => {
    await buy(CARD.disputed)
    await pass(DELAYS.disputeMs)
    await pass(HOUR_MS)
    await read()
    const stand = () =>
      fixture.test.db.read(reader =>
        reader
          .selectFrom('disputes')
          .innerJoin('cards', 'cards.order_id', 'disputes.order_id')
          .select(['disputes.state', 'cards.status'])
          .executeTakeFirstOrThrow(),
      )
    expect(await stand()).toEqual({ state: 'to-answer', status: 'frozen' })
    await fixture.decideDispute('lost')
    // Nobody hears of it, and nothing more moves: the bank has had its money since the dispute was opened.
    await fixture.collectEvents()
    fixture.clock.advance(HOUR_MS)
    await read()
    expect(await stand()).toEqual({ state: 'lost', status: 'revoked' })
    expect(await findings()).toEqual([])
    const asked = fixture.asked.length
    fixture.clock.advance(HOUR_MS)
    await read()
    expect(fixture.asked.slice(asked).filter(each => each.includes('/disputes'))).toEqual([])
  })

  it('reads what a clock that was ahead has passed over, once it is right', async () => {
    await buy()
    await pass(HOUR_MS)
    const ahead = { ...fixture.deps, clock: () => fixture.clock() + 10 * HOUR_MS }
    await readMovements(ahead)
    await buy(CARD.good)
    await pass(2 * HOUR_MS)
    await read()
    expect((await movements()).map(({ kind }) => kind)).toEqual(['charge', 'charge'])
    // Or nobody looks before the time comes that was noted.
    await readMovements(ahead)
    await buy(CARD.british, { currency: 'GBP' })
    await pass(2 * DAY_MS)
    await read()
    expect((await movements()).filter(({ kind }) => kind === 'charge')).toHaveLength(3)
    expect(await findings()).toEqual([])
  })

  it('says of a sale only what it has read, after a clock that was ahead', async () => {
    await buy()
    await pass(HOUR_MS)
    await readMovements({ ...fixture.deps, clock: () => fixture.clock() + 30 * DAY_MS })
    await read()
    await pass(HOUR_MS)
    await buy(CARD.good)
    expect(await findings()).toEqual([])
    await pass(3 * HOUR_MS)
    await read()
    expect(await movements()).toHaveLength(2)
    expect(await findings()).toEqual([])
  })

  it.each([
    ['a refund', CARD.spanish, () => fixture.refund()],
    ['a refund of a part', CARD.spanish, () => fixture.refund(700)],
    ['a dispute', CARD.disputed, () => pass(DELAYS.disputeMs)],
  ])('books %s to the order of a payment that its list never told of', async (_, card, goesBack) => {
    await buy(CARD.good)
    await pass(HOUR_MS)
    await read()
    await buy(card)
    const first = fixture.asked.length
    await goesBack()
    await pass(HOUR_MS)
    // The list by time says what went back alone.
    const isPayment = (each: Record<string, unknown>) => each.type === 'charge'
    tells('created', body => Object.assign(body, { data: body.data.filter(each => !isPayment(each)) }))
    await read()
    const [back] = (await movements()).filter(({ kind }) => kind !== 'charge')
    expect(back?.order_id).toEqual(expect.any(String))
    expect(fixture.asked.slice(first)).not.toEqual([])
    await pass(3 * HOUR_MS)
    await read()
    expect((await movements()).filter(each => each.order_id === back?.order_id)).toHaveLength(2)
    expect(await findings()).toEqual([])
  })

  it('books a refund that it hears of before the sale to the order of its payment', async () => {
    await buy(CARD.good)
    await pass(HOUR_MS)
    await read()
    // Nobody here has heard of the payment.
    await fixture.buy({}, CARD.spanish)
    await fixture.collectEvents()
    await fixture.refund()
    await fixture.collectEvents()
    fixture.clock.advance(HOUR_MS)
    const isPayment = (each: Record<string, unknown>) => each.type === 'charge'
    tells('created', body => Object.assign(body, { data: body.data.filter(each => !isPayment(each)) }))
    await read()
    const [back] = (await movements()).filter(({ kind }) => kind === 'refund')
    expect(back?.order_id).toEqual(expect.any(String))
  })

  it('asks for the payment of an order that went back whole, of which nothing was read', async () => {
    await buy(CARD.good)
    await pass(HOUR_MS)
    await read()
    await buy()
    await fixture.refund()
    await pass(HOUR_MS)
    const isPast = (each: Record<string, unknown>) => each.currency === 'eur'
    tells('created', body => Object.assign(body, { data: body.data.filter(each => !isPast(each)) }))
    await pass(3 * HOUR_MS)
    await read()
    expect((await movements()).map(({ kind }) => kind).sort()).toEqual(['charge', 'charge', 'refund'])
    expect(await findings()).toEqual([])
  })

  it('tells once of a movement of a kind that nobody knows, whatever process dies behind a commit', async () => {
    await buy()
    tells('/balance_transactions', ({ data }) => {
      for (const each of data) if (each.net === 942) Object.assign(each, UNKNOWN)
    })
    const told = await mailsOf('provider-movement-unknown', async () => {
      await payOtherSale()
      await pass(HOUR_MS)
      const { clock, test } = fixture
      return { db: test.db, clock, act: by => readMovements({ ...fixture.deps, ...by }) }
    })
    expect(told.length).toBeGreaterThan(1)
    expect(told).toEqual(oneEach(told))
  })

  it('goes on where it was, wherever it is killed, and books everything once', async () => {
    let round = 0
    for (let step = 1; ; step += STRIDE) {
      round++
      await buy()
      await buy(CARD.failingRefund)
      await fixture.refund()
      await pass(DAY_MS)
      const mortal = diesAt(step)
      const dying = { ...fixture.deps, db: mortal.over(fixture.test.db) }
      const end = await readMovements(dying, async () => mortal.step()).catch((error: unknown) => error)
      if (!mortal.survived()) expect(end).toBeInstanceOf(Killed)
      expect(await rules()).toEqual([])
      await read()
      const told = await Array.fromAsync(fixture.stripe.balanceTransactions.list({ limit: 100 }))
      const last = fixture.clock() - 10 * 60_000
      expect(await movements()).toHaveLength(told.filter(({ created }) => created * 1000 < last).length)
      await pass(2 * HOUR_MS)
      await read()
      expect(await findings()).toEqual([])
      if (mortal.survived()) break
    }
    expect(round).toBeGreaterThan(3)
  }, 600_000)
})

/** A category that is no word of the provider's, and a name that every object has. */
const UNKNOWN = { type: 'moon_dust', reporting_category: 'constructor' }

/** Ten euros of something else that is sold through the same account: 942 cents after 3.25 % and 25 cents. */
async function payOtherSale() {
  const { id } = await fixture.stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: 'https://cards.example/done',
    cancel_url: 'https://cards.example/back',
    line_items: [
      {
        quantity: 1,
        price_data: { currency: 'eur', unit_amount: 1_000, product_data: { name: 'A book' } },
      },
    ],
  })
  await fixture.pay(id)
  await fixture.deliver()
}

describe('a movement that the provider has not made yet', () => {
  interface Told {
    object?: string
    status?: string
    reporting_category?: string
    balance_transaction?: unknown
    failure_balance_transaction?: unknown
    balance_transactions?: Told[]
    data?: Told[]
  }

  /**
   * The provider has this kind of movement on its way: nothing names it, and no list tells of it, until it is let go. It
   * pays nothing out.
   */
  function onItsWay(category: string) {
    let isHeld = true
    const isIt = ({ reporting_category: of }: Told) => of === 'payout' || (isHeld && of === category)
    const without = (told: Told): Told => ({
      ...told,
      ...(told.data && { data: told.data.filter(each => !isIt(each)).map(without) }),
      ...(told.object === 'refund' &&
        isHeld &&
        category === 'refund' && { balance_transaction: null, status: 'pending' }),
      ...(told.object === 'refund' &&
        isHeld &&
        category === 'refund_failure' && { failure_balance_transaction: undefined }),
      ...(told.object === 'charge' && isHeld && category === 'charge' && { balance_transaction: null }),
      ...(told.balance_transactions && {
        balance_transactions: told.balance_transactions.filter(each => !isIt(each)),
      }),
    })
    fixture.between(async (request, next) => {
      const response = await next(request)
      return Response.json(without((await response.json()) as Told), { status: response.status })
    })
    return () => {
      isHeld = false
    }
  }
  /** The site's half hours, without the provider's payouts. */
  async function wait(ms: number) {
    fixture.clock.advance(ms)
    await read()
  }
  const awaited = async () =>
    (
      await fixture.test.db.read(reader =>
        reader.selectFrom('sightings').select('name').where('name', 'like', 'movement-awaited:%').execute(),
      )
    ).length

  const COURSES: readonly (readonly [string, string, () => Promise<void>])[] = [
    [
      'a refund that waits for a balance',
      'refund',
      async () => {
        await buy()
        await fixture.refund(700)
        await fixture.deliver()
      },
    ],
    [
      'a refund that failed, and is not back',
      'refund_failure',
      async () => {
        await buy(CARD.failingRefund)
        await fixture.refund()
        await pass(DELAYS.refundResultMs)
      },
    ],
    [
      'a dispute that was won, and is not back',
      'dispute_reversal',
      async () => {
        await buy(CARD.disputed)
        await pass(DELAYS.disputeMs)
        await fixture.decideDispute('won')
        await fixture.deliver()
      },
    ],
    [
      'a dispute that was lost, and is not taken yet',
      'dispute',
      async () => {
        await buy(CARD.disputed)
        await pass(DELAYS.disputeMs)
        await fixture.decideDispute('lost')
        await fixture.deliver()
      },
    ],
    ['a payment that has not settled', 'charge', () => buy()],
  ]

  it.each(COURSES)(
    'is no finding for a fortnight, then is one, and is read once it is made: %s',
    async (_, category, happens) => {
      const letGo = onItsWay(category)
      await happens()
      await wait(HOUR_MS)
      expect(await findings()).toEqual([])
      await wait(3 * HOUR_MS)
      expect(await findings()).toEqual([])
      expect(await awaited()).toBe(1)
      await wait(13 * DAY_MS)
      expect(await findings()).toEqual([])
      await wait(2 * DAY_MS)
      expect(await rules()).toEqual(['movement-late'])
      const before = (await movements()).length
      letGo()
      // It stands in the list at a time that was read long ago.
      await wait(HOUR_MS)
      expect(await movements()).toHaveLength(before + 1)
      await wait(3 * HOUR_MS)
      expect(await findings()).toEqual([])
      expect(await awaited()).toBe(0)
    },
  )

  it('excuses nothing else that is wrong with its order', async () => {
    onItsWay('refund')
    await buy()
    await fixture.refund(700)
    await fixture.deliver()
    await wait(HOUR_MS)
    await wait(3 * HOUR_MS)
    expect(await findings()).toEqual([])
    expect(await awaited()).toBe(1)
    const [charge] = await movements()
    const columns = Object.keys(charge!)
    const values = columns.map(column => (column === 'id' ? `'txn_copy'` : column))
    await fixture.test.plant(
      `insert into provider_movements (${columns.join()}) select ${values.join()} from provider_movements where id = '${charge!.id}'`,
    )
    expect(await findings()).toContainEqual(
      expect.objectContaining({ rule: 'movement-differs', subject: charge!.order_id }),
    )
  })

  it('is not what another hand wrote: the next reading asks the provider', async () => {
    await buy()
    await fixture.refund(700)
    await fixture.deliver()
    await wait(3 * HOUR_MS)
    const [{ order_id: order } = { order_id: '' }] = await movements()
    await fixture.test.plant(
      `insert into sightings (name, at) values ('movement-awaited:${order}:re_1:payment:-100', ${fixture.clock()})`,
    )
    await wait(HOUR_MS)
    expect(await awaited()).toBe(0)
  })
})

describe('the check of the books', () => {
  beforeEach(async () => {
    await buy()
    await buy(CARD.good)
    await fixture.refund(700)
    await pass(4 * DAY_MS)
    await pass(HOUR_MS)
    await read()
    await pass(2 * HOUR_MS)
    await read()
    expect(await findings()).toEqual([])
  })

  /** Somebody with the database's own rights: the triggers are gone. */
  async function plant(...statements: string[]) {
    const triggers = ['provider_movements', 'provider_payout_parts', 'ledger_entries'].flatMap(table =>
      fixture.test.engine === 'sqlite'
        ? [`drop trigger if exists ${table}_no_update`, `drop trigger if exists ${table}_no_delete`]
        : [`drop trigger if exists ${table}_no_change on ${table}`],
    )
    await fixture.test.plant(...triggers, ...statements)
  }
  const one = async (kind: string) => (await movements()).find(each => each.kind === kind)!

  it('names a movement that was altered', async () => {
    const { id } = await one('charge')
    await plant(`update provider_movements set fee = fee + 1, net = net - 1 where id = '${id}'`)
    const found = await findings()
    expect(found).toContainEqual({ rule: 'movement-seal-broken', subject: id })
    expect(found.map(({ rule }) => rule)).toContain('movement-books-differ')
    expect(found.map(({ rule }) => rule)).toContain('totals-differ')
  })

  it('names a movement that was altered together with its books', async () => {
    const { id } = await one('charge')
    await plant(
      `update provider_movements set fee = fee + 1, net = net - 1, borne = borne + 1 where id = '${id}'`,
      `update ledger_entries set amount = amount + 1 where id = 'movement:${id}:EUR/payments'`,
      `update ledger_entries set amount = amount - 1 where id = 'movement:${id}:EUR/fees'`,
    )
    expect(await findings()).toContainEqual({ rule: 'movement-seal-broken', subject: id })
    expect(await rules()).toContain('provider-payout-differs')
  })

  it('names a booking that was altered', async () => {
    const { id } = await one('payout')
    await plant(
      `update ledger_entries set amount = amount + 1 where id = 'movement:${id}:EUR/payments'`,
      `update ledger_entries set amount = amount - 1 where id = 'movement:${id}:EUR/bank'`,
    )
    expect(await findings()).toContainEqual({
      rule: 'movement-books-differ',
      subject: id,
      expected: 2,
      found: 2,
    })
    expect(await rules()).toContain('totals-differ')
  })

  it('names a fee that an organisation was made to bear', async () => {
    const { id } = await one('charge')
    await plant(
      `update ledger_entries set account = 'ngo:msf', id = 'movement:${id}:EUR/ngo:msf' where id = 'movement:${id}:EUR/fees'`,
    )
    expect(await findings()).toContainEqual({
      rule: 'entry-unknown',
      subject: `movement:${id}:EUR/ngo:msf`,
    })
  })

  it('names the order of a refund that is missing, with everything that tells of it', async () => {
    const { id, order_id: order } = await one('refund')
    await writeCheckpoint(
      fixture.test.db,
      fixture.deps.keys,
      await fixture.test.db.read(reader => countNow(reader, fixture.clock())),
    )
    await plant(
      `delete from provider_payout_parts where movement_id = '${id}'`,
      `delete from ledger_entries where set_id like 'movement:${id}:%'`,
      `delete from provider_movements where id = '${id}'`,
    )
    expect(await findings()).toContainEqual({
      rule: 'movement-differs',
      subject: order,
      expected: 5_800,
      found: 6_500,
      currency: 'EUR',
    })
    expect(await rules()).toContain('provider-payout-differs')
    const gone = await fixture.test.db.read(reader => rowsMissing(reader, fixture.deps.keys, fixture.clock()))
    expect(gone.map(({ subject }) => subject)).toContain('provider_movements')
  })

  it('names the order whose payment is missing', async () => {
    const { id, order_id: order } = (await movements()).find(({ kind }) => kind === 'charge')!
    const refund = await one('refund')
    const sameOrder = refund.order_id === order ? refund.id : id
    for (const each of new Set([id, sameOrder]))
      await plant(
        `delete from provider_payout_parts where movement_id = '${each}'`,
        `delete from ledger_entries where set_id like 'movement:${each}:%'`,
        `delete from provider_movements where id = '${each}'`,
      )
    expect((await findings()).find(({ subject }) => subject === order)?.rule).toBe('movement-missing')
  })

  it('names the order of a payment that went back whole, where all of it is missing', async () => {
    await buy()
    await fixture.refund()
    await pass(HOUR_MS)
    await read()
    await pass(3 * HOUR_MS)
    await read()
    expect(await findings()).toEqual([])
    const order = (await movements()).at(-1)!.order_id!
    for (const { id } of (await movements()).filter(each => each.order_id === order))
      await plant(
        `delete from provider_payout_parts where movement_id = '${id}'`,
        `delete from ledger_entries where set_id like 'movement:${id}:%'`,
        `delete from provider_movements where id = '${id}'`,
      )
    expect((await findings()).find(({ subject }) => subject === order)?.rule).toBe('movement-missing')
  })

  it('names the order of a movement that is there twice', async () => {
    const { id, order_id: order } = await one('refund')
    const columns = Object.keys((await movements())[0]!)
    const values = columns.map(column => (column === 'id' ? `'txn_copy'` : column))
    await plant(
      `insert into provider_movements (${columns.join()}) select ${values.join()} from provider_movements where id = '${id}'`,
    )
    const found = await findings()
    expect(found).toContainEqual({ rule: 'movement-seal-broken', subject: 'txn_copy' })
    expect(found).toContainEqual(expect.objectContaining({ rule: 'movement-differs', subject: order }))
  })

  it('names what was booked of no movement', async () => {
    const { id } = await one('charge')
    await plant(
      `insert into ledger_entries select 'movement:txn_x:EUR/' || account, 'movement:txn_x:EUR', account, currency, amount, card_id, order_id, cause, created_at from ledger_entries where set_id = 'movement:${id}:EUR'`,
    )
    expect(await findings()).toContainEqual({
      rule: 'movement-books-differ',
      subject: 'movement:txn_x:EUR',
      expected: 0,
    })
  })

  it('names an order whose support bears more than it should', async () => {
    const { order_id: order } = await one('charge')
    await plant(
      `update provider_movements set borne = borne + 1 where order_id = '${order}' and kind = 'charge'`,
    )
    expect(await findings()).toContainEqual(
      expect.objectContaining({ rule: 'fee-borne-differs', subject: order }),
    )
  })

  it('lets nobody change or remove a movement', async () => {
    for (const statement of ['update provider_movements set fee = 0', 'delete from provider_payout_parts'])
      await expect(fixture.test.db.transaction(trx => sql.raw(statement).execute(trx))).rejects.toThrow(
        'append-only',
      )
  })
})
