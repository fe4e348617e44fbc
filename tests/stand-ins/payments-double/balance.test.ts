import type Stripe from 'stripe'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { DAY_MS } from '#domain/durations.ts'
import { CARD_PRICES, costOf, rateOn } from '#stand-ins/payments-double/fees.ts'
import { DELAYS } from '#stand-ins/payments-double/index.ts'
import type {
  BalanceTransaction,
  Charge,
  Dispute,
  PaymentIntent,
  Payout,
  Refund,
} from '#stand-ins/payments-double/objects.ts'
import { line, openDouble, START } from './support.ts'

const US = '4242424242424242'
const ES = '4000007240000007'
const GB = '4000008260000000'
const DEBIT = 'AT611904300234573201'

/** The keys that an object names, in the form in which the package declares lists. */
type Named<Type> = {
  [Key in keyof Type as string extends Key ? never : Key]: Type[Key] extends readonly (infer Item)[]
    ? Named<Item>[]
    : Type[Key]
}

/** The keys of the package's type that ours names; one that the package does not have can fit nothing. */
type Of<Theirs, Ours> = {
  [Key in keyof Named<Ours>]: Key extends keyof Theirs ? Theirs[Key] : never
}

it('makes objects of the types that the installed package declares', () => {
  // A key that the double lacks, or has in another type, does not compile.
  expectTypeOf<Named<BalanceTransaction>>().toExtend<Stripe.BalanceTransaction>()
  expectTypeOf<Named<Payout>>().toExtend<Of<Stripe.Payout, Payout>>()
  expectTypeOf<Named<Charge>>().toExtend<Of<Stripe.Charge, Charge>>()
  expectTypeOf<Named<Refund>>().toExtend<Of<Stripe.Refund, Refund>>()
  expectTypeOf<Named<Dispute>>().toExtend<Of<Stripe.Dispute, Dispute>>()
  expectTypeOf<Named<PaymentIntent>>().toExtend<Of<Stripe.PaymentIntent, PaymentIntent>>()
})

/** Pays so many cents with a card; everything of the balance is newest first. */
async function setting(settles?: readonly string[]) {
  const opened = openDouble({}, settles ? { settles } : {})
  return {
    ...opened,
    pay: (card: string, amount: number, currency = 'eur') =>
      opened.paid(card, { line_items: [line(amount, 'Gift', currency)] }),
    balance: async (params: Stripe.BalanceTransactionListParams = {}) =>
      (await opened.stripe.balanceTransactions.list({ limit: 100, ...params })).data,
  }
}

describe('a payment', () => {
  it.each([
    [ES, 'charge', 15_000, 250],
    [GB, 'charge', 15_000, 400],
    [US, 'charge', 15_000, 513],
  ])('with the card %s costs what its region costs', async (card, type, amount, fee) => {
    const { pay, stripe, balance } = await setting()
    const session = await pay(card, amount)
    const [moved] = await balance({ expand: ['data.source'] })
    expect(moved).toMatchObject({
      type,
      reporting_category: 'charge',
      amount,
      fee,
      net: amount - fee,
      currency: 'eur',
      exchange_rate: null,
      source: { object: 'charge', amount, payment_intent: session.payment_intent },
    })
    expect(moved!.fee_details.map(each => each.amount)).toEqual([fee])
    const { id } = moved!.source as Stripe.Charge
    const charge = await stripe.charges.retrieve(id, { expand: ['balance_transaction'] })
    expect(charge.balance_transaction).toMatchObject({ id: moved!.id, fee })
    expect(await stripe.balanceTransactions.retrieve(moved!.id)).toMatchObject({ source: id })
  })

  it('moves nothing until it succeeded', async () => {
    const { pay, balance, advance } = await setting()
    await pay('4000000000000002', 5_000)
    await pay(DEBIT, 5_000)
    expect(await balance()).toEqual([])
    await advance(DELAYS.sepaResultMs)
    expect(await balance()).toMatchObject([{ type: 'payment', reporting_category: 'charge', fee: 35 }])
  })

  it('is converted where its currency has no bank account', async () => {
    const { pay, balance } = await setting(['eur'])
    await pay(ES, 10_000, 'usd')
    const rate = rateOn(START / 1000, 'usd', 'eur')
    const amount = Math.round(10_000 * rate)
    const [moved] = await balance()
    expect(moved).toMatchObject({ currency: 'eur', amount, exchange_rate: rate })
    expect(moved!.fee_details.map(each => each.amount)).toEqual([
      costOf(amount, CARD_PRICES.eea),
      Math.round(amount * 0.02),
    ])
  })
})

describe('money that goes back', () => {
  it('leaves the balance, and keeps the fee of the payment', async () => {
    const { pay, stripe, balance } = await setting()
    const { payment_intent } = await pay(US, 10_000)
    const refund = await stripe.refunds.create({ payment_intent: payment_intent as string, amount: 4_000 })
    const [moved] = await balance({ type: 'refund' })
    expect(moved).toMatchObject({ amount: -4_000, fee: 0, net: -4_000, source: refund.id })
    expect(refund.balance_transaction).toBe(moved!.id)
  })

  it('comes back when the refund fails', async () => {
    const { pay, stripe, balance, advance } = await setting()
    const { payment_intent } = await pay('4000000000005126', 10_000)
    const { id } = await stripe.refunds.create({ payment_intent: payment_intent as string })
    await advance(DELAYS.refundResultMs)
    const [back] = await balance({ source: id, type: 'refund_failure' })
    expect(back).toMatchObject({ amount: 10_000, net: 10_000, reporting_category: 'refund_failure' })
    expect((await stripe.refunds.retrieve(id)).failure_balance_transaction).toBe(back!.id)
  })

  it.each(['won', 'lost'])('goes with a fee when it is disputed, which stays when it is %s', async end => {
    const { pay, stripe, balance, advance } = await setting()
    await pay('4000000000000259', 10_000)
    await advance(DELAYS.disputeMs)
    const [dispute] = (await stripe.disputes.list()).data
    expect(dispute!.balance_transactions).toMatchObject([{ amount: -10_000, fee: 2_000, net: -12_000 }])
    if (end === 'lost') await stripe.disputes.close(dispute!.id)
    else await stripe.disputes.update(dispute!.id, { evidence: { uncategorized_text: 'winning_evidence' } })
    const moved = await balance({ source: dispute!.id })
    expect(moved.map(each => [each.reporting_category, each.net])).toEqual(
      end === 'lost'
        ? [['dispute', -12_000]]
        : [
            ['dispute_reversal', 10_000],
            ['dispute', -12_000],
          ],
    )
  })
})

describe('a payout', () => {
  it('takes, per currency, all that is available, and says what it is made of', async () => {
    const { pay, stripe, balance, advance, types } = await setting()
    const { payment_intent } = await pay(US, 10_000)
    await pay(ES, 5_000)
    await pay(GB, 3_000, 'gbp')
    await stripe.refunds.create({ payment_intent: payment_intent as string, amount: 1_000 })
    await advance(2 * DAY_MS)
    expect((await stripe.payouts.list()).data).toEqual([])
    await advance(DAY_MS)
    // Too late for the first one.
    await pay(ES, 2_000)
    const payouts = (await stripe.payouts.list()).data
    const parts = await Promise.all(payouts.map(({ id }) => balance({ payout: id })))
    for (const [index, payout] of payouts.entries()) {
      expect(parts[index]!.reduce((sum, { net }) => sum + net, 0)).toBe(0)
      const [left, ...others] = parts[index]!
      expect(left).toMatchObject({ id: payout.balance_transaction, type: 'payout', net: -payout.amount })
      for (const each of others)
        expect(each).toMatchObject({ currency: payout.currency, status: 'available' })
    }
    expect(payouts.map(({ currency }, index) => [currency, parts[index]!.length]).sort()).toEqual([
      ['eur', 4],
      ['gbp', 2],
    ])
    await advance(2 * DAY_MS)
    expect(types().filter(type => type === 'payout.paid')).toHaveLength(2)
    expect((await stripe.payouts.retrieve(payouts[0]!.id)).status).toBe('paid')
  })

  it('that the bank sends back is in the next one', async () => {
    const { pay, double, stripe, balance, advance } = await setting()
    await pay(ES, 5_000)
    await advance(3 * DAY_MS)
    const [first] = (await stripe.payouts.list()).data
    double.returnPayout(first!.id)
    expect(await balance({ type: 'payout_failure' })).toMatchObject([
      { net: first!.amount, source: first!.id },
    ])
    await advance(3 * DAY_MS)
    const [second] = (await stripe.payouts.list()).data
    expect(second).toMatchObject({ amount: first!.amount, status: 'in_transit' })
    expect((await stripe.payouts.retrieve(first!.id)).status).toBe('failed')
  })

  it('waits while the balance owes the provider something', async () => {
    const { pay, stripe, advance } = await setting()
    const { payment_intent } = await pay(ES, 5_000)
    await stripe.refunds.create({ payment_intent: payment_intent as string })
    await advance(4 * DAY_MS)
    expect((await stripe.payouts.list()).data).toEqual([])
  })

  it('is no payout that nobody made', async () => {
    const { stripe } = await setting()
    await expect(stripe.balanceTransactions.list({ payout: 'po_none' })).rejects.toMatchObject({
      statusCode: 404,
    })
  })
})
