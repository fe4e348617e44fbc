import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createPayments, type PaymentsWithJobs } from '#server/modules/payments/payments.ts'
import { createStripeClients } from '#server/modules/payments/stripe-client.ts'
import { REQUEST_TIMEOUT_MS } from '#wire/client.ts'
import {
  aStart,
  type Delivered,
  openPaymentsFixture,
  type PaymentsFixture,
} from '../../../support/payments-fixture.ts'

/** How long the provider waits for the answer to an event. */
const PROVIDER_WAITS_MS = 10_000
const STEP_MS = 100

let fixture: PaymentsFixture
let sessionId: string
let event: Delivered
let asked = 0
let payments: PaymentsWithJobs
beforeEach(async () => {
  fixture = await openPaymentsFixture()
  sessionId = (await fixture.buy()).sessionId
  const events = await fixture.collectEvents()
  event = events.find(({ body }) => body.includes('"checkout.session.completed"'))!
  asked = 0
  /** A provider that takes every request and never answers. */
  const hangs: typeof fetch = (_, init) => {
    asked++
    return new Promise((_, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))
    })
  }
  payments = createPayments({
    ...fixture.deps,
    ...createStripeClients({ secretKey: 'sk_test', fetch: hangs }),
  })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await fixture.close()
})

/** Lets time pass from the first question on, until the work has failed. @returns with what, and after how many ms */
async function failureOf(work: Promise<unknown>) {
  let failure: unknown
  work.catch(error => {
    failure = error
  })
  const turn = () => new Promise(resolve => setImmediate(resolve))
  // What the database and a signature need takes no part in this.
  while (asked === 0 && failure === undefined) await turn()
  for (let ms = 0; ; ms += STEP_MS) {
    if (failure !== undefined) return { failure, ms }
    if (ms > 60_000) throw new Error('It waits for ever')
    await vi.advanceTimersByTimeAsync(STEP_MS)
    await turn()
  }
}

it.each([
  ['opens a payment', () => payments.startDonation(aStart)],
  ['comes back from paying', () => payments.settle(sessionId)],
])('tells a visitor who %s that the provider hangs before their browser gives up', async (_, work) => {
  const { failure, ms } = await failureOf(work())
  expect(failure).toMatchObject({ code: 'provider-unavailable' })
  expect(asked).toBe(3)
  expect(ms).toBeLessThan(REQUEST_TIMEOUT_MS)
})

it('refuses an event while the provider hangs, soon enough for it to be sent again', async () => {
  const { failure, ms } = await failureOf(payments.receiveEvent(event.body, event.signature))
  expect(failure).toMatchObject({ code: 'provider-unavailable' })
  expect(asked).toBe(2)
  expect(ms).toBeLessThan(PROVIDER_WAITS_MS)
  vi.useRealTimers()
  await fixture.payments.receiveEvent(event.body, event.signature)
  expect(await fixture.counts()).toEqual({ paid: 1, cards: 1, sales: 1, mails: 1 })
})
