import { describe, expect, it } from 'vitest'
import type { DonationChoice } from '#domain/payment/purchase.ts'
import { createPayment } from '#screens/shared/payment/payment.store.ts'
import type { Refusal, Result } from '#wire/client.ts'

const choice: DonationChoice = {
  packageId: 'their water',
  ngoAmount: 5_000,
  supportAmount: 0,
  currency: 'EUR',
  themeId: 'palestine',
  sender: { kind: 'anonymous' },
  language: 'es',
  termsVersion: '0123456789abcdef0123',
  fulfilmentConsent: true,
}
const refusal = (code: Refusal['code']): Refusal => ({
  ok: false,
  code,
  fields: [],
  retryAfterSeconds: undefined,
})
const opened: Result<{ url: string }> = { ok: true, value: { url: 'https://pay.example/1' } }

/** A payment whose calls are answered one by one, and the keys they came with. */
function aPayment(...answers: Result<{ url: string }>[]) {
  const keys: string[] = []
  let made = 0
  const payment = createPayment({
    start: async (_choice, key) => {
      keys.push(key)
      return answers.shift()!
    },
    newAttemptKey: () => `key-${++made}`,
  })
  return { payment, keys }
}

describe('the payment button', () => {
  it('gives the payment page and stays loading until the browser is there', async () => {
    const { payment } = aPayment(opened)
    expect(await payment.press(choice)).toBe('https://pay.example/1')
    expect(payment.$state.get().kind).toBe('loading')
  })

  it('counts failures and keeps their reason', async () => {
    const { payment } = aPayment(refusal('network'), refusal('provider-unavailable'))
    await payment.press(choice)
    await payment.press(choice)
    expect(payment.$state.get()).toMatchObject({
      kind: 'failed',
      retries: 2,
      refusal: { code: 'provider-unavailable' },
    })
  })

  it('retries the same choice as the same attempt, so that nobody pays twice', async () => {
    const { payment, keys } = aPayment(refusal('network'), opened)
    await payment.press(choice)
    await payment.press({ ...choice })
    expect(keys).toEqual(['key-1', 'key-1'])
  })

  it('takes another choice for another attempt', async () => {
    const { payment, keys } = aPayment(refusal('network'), opened)
    await payment.press(choice)
    await payment.press({ ...choice, supportAmount: 1_000 })
    expect(keys).toEqual(['key-1', 'key-2'])
  })

  it('takes a press after coming back from the payment page for another attempt', async () => {
    const { payment, keys } = aPayment(opened, opened)
    await payment.press(choice)
    payment.reset()
    expect(payment.$state.get()).toEqual({ kind: 'ready' })
    await payment.press(choice)
    expect(keys).toEqual(['key-1', 'key-2'])
  })

  it('ignores a second press while the first is under way', async () => {
    const { payment, keys } = aPayment(opened)
    const first = payment.press(choice)
    expect(await payment.press(choice)).toBeUndefined()
    await first
    expect(keys).toHaveLength(1)
  })
})
