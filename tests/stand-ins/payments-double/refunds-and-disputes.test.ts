import { describe, expect, it } from 'vitest'
import { DELAYS } from '#stand-ins/payments-double/index.ts'
import { openDouble, refusal } from './support.ts'

/** A paid session's charge and what one asks of it. */
async function charged(card: string) {
  const setting = openDouble()
  const session = await setting.paid(card)
  const payment_intent = session.payment_intent as string
  await setting.double.runDue()
  setting.received.length = 0
  const charge = async () => (await setting.stripe.charges.list({ payment_intent })).data[0]!
  return { ...setting, payment_intent, charge }
}

describe('a refund', () => {
  it('gives a part back, then the rest, and no more', async () => {
    const { stripe, payment_intent, charge, advance, types } = await charged('4242424242424242')
    const part = await stripe.refunds.create({ payment_intent, amount: 850, reason: 'requested_by_customer' })
    expect(part).toMatchObject({ status: 'succeeded', amount: 850, payment_intent })
    expect(await charge()).toMatchObject({ amount_refunded: 850, refunded: false })
    expect(await refusal(stripe.refunds.create({ payment_intent, amount: 5001 }))).toMatchObject({
      param: 'amount',
    })
    expect((await stripe.refunds.create({ payment_intent })).amount).toBe(5000)
    expect(await charge()).toMatchObject({ amount_refunded: 5850, refunded: true })
    expect(await refusal(stripe.refunds.create({ payment_intent }))).toMatchObject({
      code: 'charge_already_refunded',
    })
    await advance(0)
    expect(types()).toEqual(['refund.created', 'charge.refunded', 'refund.created', 'charge.refunded'])
    const { data } = await stripe.refunds.list({ payment_intent })
    expect(data.map(refund => refund.amount)).toEqual([5000, 850])
    const expanded = await stripe.charges.retrieve((await charge()).id, { expand: ['refunds'] })
    expect(expanded.refunds!.data.map(refund => refund.amount)).toEqual([5000, 850])
  })

  it('needs a charge that succeeded, and one that is there', async () => {
    const { stripe, payment_intent } = await charged('4000000000000002')
    expect(await refusal(stripe.refunds.create({ payment_intent }))).toMatchObject({
      param: 'payment_intent',
    })
    expect(await refusal(stripe.refunds.create({ charge: 'ch_none' }))).toMatchObject({ statusCode: 404 })
    expect(await refusal(stripe.refunds.create({}))).toMatchObject({ code: 'parameter_missing' })
    expect(await refusal(stripe.refunds.create({ payment_intent, amount: 0 }))).toMatchObject({
      param: 'amount',
    })
  })

  it('arrives later with 7726', async () => {
    const { stripe, payment_intent, advance, types } = await charged('4000000000007726')
    const { id, status } = await stripe.refunds.create({ payment_intent })
    expect(status).toBe('pending')
    await advance(DELAYS.refundResultMs)
    expect((await stripe.refunds.retrieve(id)).status).toBe('succeeded')
    expect(types()).toContain('refund.updated')
  })

  it('comes back with 5126, and the charge is whole again', async () => {
    const { stripe, payment_intent, charge, advance, types } = await charged('4000000000005126')
    const { id, status } = await stripe.refunds.create({ payment_intent })
    expect(status).toBe('succeeded')
    expect((await charge()).refunded).toBe(true)
    await advance(DELAYS.refundResultMs)
    expect(await stripe.refunds.retrieve(id)).toMatchObject({
      status: 'failed',
      failure_reason: 'expired_or_canceled_card',
    })
    expect(await charge()).toMatchObject({ amount_refunded: 0, refunded: false })
    expect(types()).toContain('refund.failed')
  })
})

describe('a dispute', () => {
  const disputed = async (card = '4000000000000259') => {
    const setting = await charged(card)
    await setting.advance(DELAYS.disputeMs)
    const [dispute] = (await setting.stripe.disputes.list({ payment_intent: setting.payment_intent })).data
    return { ...setting, dispute: dispute! }
  }

  it.each([
    ['4000000000000259', 'fraudulent'],
    ['4000000000002685', 'product_not_received'],
  ])('follows a payment with %s: %s', async (card, reason) => {
    const { dispute, charge, types, payment_intent } = await disputed(card)
    expect(dispute).toMatchObject({ reason, status: 'needs_response', amount: 5850, payment_intent })
    expect((await charge()).disputed).toBe(true)
    expect(types()).toEqual(['charge.dispute.created', 'charge.dispute.funds_withdrawn'])
  })

  it('stands in the way of a refund', async () => {
    const { stripe, payment_intent, charge } = await disputed()
    expect(await refusal(stripe.refunds.create({ payment_intent }))).toMatchObject({
      code: 'charge_disputed',
    })
    expect((await charge()).amount_refunded).toBe(0)
  })

  it('is won with winning evidence, and the funds come back', async () => {
    const { stripe, dispute, advance, types } = await disputed()
    const won = await stripe.disputes.update(dispute.id, {
      evidence: { uncategorized_text: 'winning_evidence' },
    })
    expect(won.status).toBe('won')
    await advance(0)
    expect(types()).toEqual(
      expect.arrayContaining(['charge.dispute.closed', 'charge.dispute.funds_reinstated']),
    )
    expect(await refusal(stripe.disputes.close(dispute.id))).toMatchObject({ statusCode: 400 })
  })

  it('is lost with losing evidence or when we give in', async () => {
    const first = await disputed()
    const lost = { evidence: { uncategorized_text: 'losing_evidence' } }
    expect((await first.stripe.disputes.update(first.dispute.id, lost)).status).toBe('lost')
    const second = await disputed()
    expect((await second.stripe.disputes.close(second.dispute.id)).status).toBe('lost')
    await second.advance(0)
    expect(second.types()).toContain('charge.dispute.closed')
    expect(second.types()).not.toContain('charge.dispute.funds_reinstated')
  })

  it('is under review with other evidence, or waits when it was only saved', async () => {
    const { stripe, dispute } = await disputed()
    const evidence = { uncategorized_text: 'A letter' }
    expect((await stripe.disputes.update(dispute.id, { evidence, submit: false })).status).toBe(
      'needs_response',
    )
    expect((await stripe.disputes.update(dispute.id, { evidence })).status).toBe('under_review')
  })
})
