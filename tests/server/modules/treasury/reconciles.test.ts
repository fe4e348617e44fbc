import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '#domain/durations.ts'
import { CURRENCIES, type Currency } from '#domain/money/currency.ts'
import { checkLedger } from '#server/modules/integrity/check.ts'
import { createPayout, markPaid } from '#server/modules/payouts/payouts.ts'
import { readMovements } from '#server/modules/treasury/read.ts'
import { DELAYS } from '#stand-ins/payments-double/index.ts'
import { count } from '#tests/support/counts.ts'
import { fakeChance } from '#tests/support/fake-chance.ts'
import { CARD, NGOS, openPaymentsFixture, type PaymentsFixture } from '../../../support/payments-fixture.ts'

/** Payments of a random year, on each engine; each of them may be refunded, disputed and paid out. */
const PAYMENTS = count({ usual: 40, long: 10_000 })

let fixture: PaymentsFixture
beforeEach(async () => {
  // Canadian dollars and pounds have no bank account of their own: they are converted to euros.
  fixture = await openPaymentsFixture({ settles: ['eur', 'usd'] })
  undecided = []
})
afterEach(() => fixture.close())

const read = () => readMovements(fixture.deps)
const findings = () => checkLedger(fixture.test.db, { keys: fixture.deps.keys, now: fixture.clock() })

type Chance = () => number
const pick = <T>(chance: Chance, things: readonly T[]): T => things[Math.floor(chance() * things.length)]!

/** What happens to a payment that was made just now. */
const FATES = [
  'nothing',
  'part',
  'whole',
  'parts',
  'won',
  'lost',
  'lost part',
  'open',
  'fails',
  'used',
] as const

/** Banks decide within weeks: of so many payments no more disputes than this are open at a time. */
const OPEN_DISPUTES = 20
let undecided: string[]

/** Many parts take long. */
const OFTEN = FATES.filter(fate => fate !== 'parts')

async function pay(chance: Chance, n: number): Promise<void> {
  // Each fate comes up, however few there are.
  const fate = n < FATES.length ? FATES[n]! : n % 500 === 3 ? 'parts' : pick(chance, OFTEN)
  const currency = pick(chance, CURRENCIES)
  const card = {
    won: CARD.disputed,
    lost: CARD.notReceived,
    open: CARD.disputed,
    fails: CARD.failingRefund,
  }[fate as 'won']
  const { sessionId } = await fixture.buy(
    { currency },
    card ?? pick(chance, [CARD.good, CARD.spanish, CARD.british]),
  )
  await fixture.deliver()
  fixture.clock.advance(Math.floor(chance() * 3 * HOUR_MS))
  const disputed = async () => {
    fixture.clock.advance(DELAYS.disputeMs)
    await fixture.deliver()
    if (chance() < 0.3) await later()
  }
  switch (fate) {
    case 'part':
      await fixture.refund(1 + Math.floor(chance() * 6_000))
      break
    case 'whole':
    case 'fails':
      await fixture.refund()
      if (chance() < 0.5) await later()
      fixture.clock.advance(DELAYS.refundResultMs)
      break
    case 'parts':
      // More than a page of the provider's list.
      for (let part = 0; part < 105; part++) await fixture.refund(1 + Math.floor(chance() * 50))
      // Of so many events the last one says it all.
      for (const { body, signature } of (await fixture.collectEvents()).slice(-1))
        await fixture.payments.receiveEvent(body, signature)
      break
    case 'won':
    case 'lost':
      await disputed()
      await fixture.decideDispute(fate)
      break
    case 'open':
      undecided.push((await fixture.stripe.charges.list({ limit: 1 })).data[0]!.id)
      await disputed()
      if (undecided.length > OPEN_DISPUTES)
        await fixture.decideDispute(pick(chance, ['won', 'lost']), undecided.shift())
      break
    case 'lost part':
      await fixture.disputePart(1 + Math.floor(chance() * 6_000))
      await disputed()
      await fixture.decideDispute('lost')
      break
    case 'used': {
      const { privateKey } = await fixture.payments.settle(sessionId)
      await fixture.cards.redeem(privateKey, [{ ngoId: pick(chance, NGOS), points: 50 }])
    }
  }
  await fixture.deliver()
}

/**
 * Lets go of what a long run would keep. Everything here runs without a turn of the event loop, and without one nothing
 * that a WeakRef has pointed to is freed: two signals of each request to the provider.
 */
async function letGo(): Promise<void> {
  fixture.asked.length = 0
  fixture.logged.length = 0
  await setImmediate()
}

/** Some time passes, the job comes by, and the books are asked. */
async function later(): Promise<void> {
  fixture.clock.advance(20 * 60_000)
  await fixture.deliver()
  await read()
}

async function payOut(chance: Chance): Promise<void> {
  const owed = await fixture.test.db.read(reader =>
    reader.selectFrom('allocations').select(['ngo_id', 'currency']).distinct().execute(),
  )
  if (owed.length === 0) return
  const { ngo_id: ngoId, currency } = pick(chance, owed)
  const made = await createPayout(fixture.test.db, { ngoId, currency }, fixture.clock()).catch(
    () => undefined,
  )
  if (made) await markPaid(fixture.test.db, { id: made.id, reference: 'SEPA 1' }, fixture.clock())
}

/** What the provider itself says, by its own lists. */
async function provider() {
  const moved = await Array.fromAsync(fixture.stripe.balanceTransactions.list({ limit: 100 }))
  const payouts = await Array.fromAsync(fixture.stripe.payouts.list({ limit: 100 }))
  const by = (currency: Currency) => {
    const here = moved.filter(each => each.currency === currency.toLowerCase())
    const arrived = payouts.filter(
      each => each.currency === currency.toLowerCase() && each.status !== 'failed',
    )
    return {
      balance: here.reduce((sum, { net }) => sum + net, 0),
      fees: here.reduce((sum, { fee }) => sum + fee, 0),
      paidOut: arrived.reduce((sum, { amount }) => sum + amount, 0),
    }
  }
  return { moved, payouts, by }
}

async function books(currency: Currency) {
  const rows = await fixture.test.db.read(reader =>
    reader
      .selectFrom('ledger_entries')
      .select(['account', 'amount', 'cause', 'order_id'])
      .where('currency', '=', currency)
      .execute(),
  )
  const of = (account: string, cause?: string) =>
    rows
      .filter(row => row.account === account && (cause === undefined || row.cause === cause))
      .reduce((sum, { amount }) => sum + amount, 0)
  return { of, all: rows.reduce((sum, { amount }) => sum + amount, 0) }
}

describe('books that reach the bank', () => {
  it(
    `say what the provider says, to the cent, after ${PAYMENTS} payments in four currencies`,
    async () => {
      const chance = fakeChance(Number(process.env.SEED ?? 7))
      for (let n = 0; n < PAYMENTS; n++) {
        await pay(chance, n)
        await letGo()
        if (chance() < 0.2) await later()
        if (chance() < 0.1) fixture.clock.advance(Math.floor(chance() * 5 * DAY_MS))
        if (chance() < 0.1) await payOut(chance)
        if (n % 200 === 7) expect(await findings()).toEqual([])
      }
      const [first] = (await fixture.stripe.payouts.list({ limit: 1 })).data
      if (first) fixture.double.returnPayout(first.id)
      for (let day = 0; day < 12; day++) {
        fixture.clock.advance(DAY_MS)
        await fixture.deliver()
      }
      await later()
      expect(await findings()).toEqual([])

      const { moved, payouts, by } = await provider()
      const rows = await fixture.test.db.read(reader =>
        reader.selectFrom('provider_movements').select(['id', 'exchange_rate', 'kind']).execute(),
      )
      // The last minutes are read by the next run.
      const last = fixture.clock() - 10 * 60_000
      expect(new Set(rows.map(({ id }) => id))).toEqual(
        new Set(moved.filter(({ created }) => created * 1000 < last).map(({ id }) => id)),
      )
      expect(rows.some(({ exchange_rate: rate }) => rate !== null)).toBe(true)
      expect(new Set(rows.map(({ kind }) => kind)).size).toBe(7)
      expect(payouts.length).toBeGreaterThan(2)

      for (const currency of CURRENCIES) {
        const { of, all } = await books(currency)
        const said = by(currency)
        expect(all).toBe(0)
        // Fees, the bank and what is left come out of what buyers paid and did not get back. Open disputes hold the rest.
        const held = await heldByDisputes(currency)
        expect(0 - of('bank'), `${currency} at the bank`).toBe(said.paidOut)
        expect(0 - of('payments') - of('refunds'), `${currency} at the provider`).toBe(said.balance + held)
        expect(0 - of('fees') - of('operator'), `${currency} fees`).toBe(said.fees)
        expect(of('fees')).toBeLessThanOrEqual(0)
      }
    },
    count({ usual: 120_000, long: 7_200_000 }),
  )
})

/** What open disputes hold of payments in a currency, minor units; the provider has it, in whichever currency. */
async function heldByDisputes(currency: Currency): Promise<number> {
  const open = (await Array.fromAsync(fixture.stripe.disputes.list({ limit: 100 }))).filter(
    ({ status, currency: of }) => status === 'needs_response' && of === currency.toLowerCase(),
  )
  return open.reduce((sum, { amount }) => sum + amount, 0)
}
