import { afterEach, beforeEach, expect, it } from 'vitest'
import { HOUR_MS } from '#domain/durations.ts'
import { Problem } from '#domain/problems.ts'
import { createPayments, type PaymentsWithJobs } from '#server/modules/payments/payments.ts'
import { createStripeClients } from '#server/modules/payments/stripe-client.ts'
import { LONGEST_PATIENCE_MS } from '#server/platform/pace/pace.ts'
import { aStart, openPaymentsFixture, type PaymentsFixture } from '../../../support/payments-fixture.ts'

let fixture: PaymentsFixture
let payments: PaymentsWithJobs
/** The patience of each request that asked for a turn, and what the provider was asked. */
let patience: number[]
let requests: string[]
let failNext: number
/** Who is less patient than this is refused. */
let shutBelow: number
beforeEach(async () => {
  fixture = await openPaymentsFixture()
  patience = []
  requests = []
  failNext = 0
  shutBelow = 0
  payments = createPayments({
    ...fixture.deps,
    ...createStripeClients({
      secretKey: 'sk_test_local',
      async fetch(input, init) {
        const request = new Request(input, init)
        requests.push(`${request.method} ${new URL(request.url).pathname}`)
        if (failNext-- > 0) return Response.json({ error: { message: 'no' } }, { status: 500 })
        return fixture.double.fetch(request)
      },
      async turn(patienceMs) {
        patience.push(patienceMs)
        if (patienceMs < shutBelow) throw new Problem('temporarily-unavailable', { retryAfterSeconds: 2 })
      },
    }),
  })
})
afterEach(() => fixture.close())

it('each request to the provider has a turn of its own, a repeated one too', async () => {
  failNext = 1
  await payments.startDonation(aStart)
  expect(requests).toEqual(['POST /v1/checkout/sessions', 'POST /v1/checkout/sessions'])
  expect(patience).toHaveLength(2)
})

it('whoever opens a payment gives way to whoever comes back from paying and to events', async () => {
  const { sessionId } = await fixture.buy()
  shutBelow = 3_000
  await expect(payments.startDonation(aStart)).rejects.toMatchObject({
    code: 'temporarily-unavailable',
    details: { retryAfterSeconds: 2 },
  })
  expect(requests).toEqual([])
  expect(fixture.alarms).toEqual([])
  expect(await payments.settle(sessionId)).toMatchObject({ privateKey: expect.any(String) })
  expect(requests).toEqual([`GET /v1/checkout/sessions/${sessionId}`])
})

it('whoever names a session gives way to events, which make the same card', async () => {
  const { sessionId } = await fixture.buy()
  const events = await fixture.collectEvents()
  shutBelow = LONGEST_PATIENCE_MS
  await expect(payments.settlePurchase(sessionId)).rejects.toMatchObject({ code: 'temporarily-unavailable' })
  expect(requests).toEqual([])
  for (const { body, signature } of events) await payments.receiveEvent(body, signature)
  expect(await fixture.counts()).toEqual({ paid: 1, cards: 1, sales: 1, mails: 1 })
  expect(await payments.settlePurchase(sessionId)).toMatchObject({ privateKey: expect.any(String) })
})

it('the job that asks after open orders is refused no sooner than an event', async () => {
  await fixture.buy()
  fixture.clock.advance(HOUR_MS)
  shutBelow = LONGEST_PATIENCE_MS
  await payments.reconcile()
  expect(await fixture.counts()).toMatchObject({ paid: 1, cards: 1 })
})
