import { describe, expect, it } from 'vitest'
import type { DonationChoice } from '#domain/payment/purchase.ts'
import { createPayment, type PaymentCalls } from '#screens/shared/payment/payment.store.ts'
import type { PaymentAnswer, Refusal, Result } from '#wire/client.ts'

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

/** What a tab keeps. */
function aTab<T = string>() {
  let value: T | undefined
  return {
    get: () => value,
    set(next: T | undefined) {
      value = next
    },
  }
}

/** A payment whose calls are answered one by one, and the keys they came with. */
function aPayment(answers: Result<PaymentAnswer>[], parts: Partial<PaymentCalls<DonationChoice>> = {}) {
  const keys: string[] = []
  let made = 0
  const payment = createPayment<DonationChoice>({
    start: async (_choice, key) => {
      keys.push(key)
      return answers.shift()!
    },
    newAttemptKey: () => `key-${++made}`,
    sleep: async () => {},
    last: aTab(),
    ...parts,
  })
  return { payment, keys }
}

describe('the payment button', () => {
  it('gives the payment page and stays loading until the browser is there', async () => {
    const { payment } = aPayment([opened])
    expect(await payment.press(choice)).toBe('https://pay.example/1')
    expect(payment.$state.get().kind).toBe('loading')
  })

  it('counts failures and keeps their reason', async () => {
    const { payment } = aPayment([refusal('network'), refusal('provider-unavailable')])
    await payment.press(choice)
    await payment.press(choice)
    expect(payment.$state.get()).toMatchObject({
      kind: 'failed',
      retries: 2,
      refusal: { code: 'provider-unavailable' },
    })
  })

  it('retries the same choice as the same attempt, so that nobody pays twice', async () => {
    const { payment, keys } = aPayment([refusal('network'), opened])
    await payment.press(choice)
    await payment.press({ ...choice })
    expect(keys).toEqual(['key-1', 'key-1'])
  })

  it('takes another choice for another attempt', async () => {
    const { payment, keys } = aPayment([refusal('network'), opened])
    await payment.press(choice)
    await payment.press({ ...choice, supportAmount: 1_000 })
    expect(keys).toEqual(['key-1', 'key-2'])
  })

  it('takes the same choice after coming back from the payment page for the same attempt', async () => {
    const { payment, keys } = aPayment([opened, opened])
    await payment.press(choice)
    payment.reset()
    expect(payment.$state.get()).toEqual({ kind: 'ready' })
    await payment.press(choice)
    expect(keys).toEqual(['key-1', 'key-1'])
  })

  it('takes it so on a page that was loaded anew, in another language as well', async () => {
    const last = aTab<{ key: string; gift: string }>()
    const first = aPayment([opened], { last })
    await first.payment.press(choice)
    const back = aPayment([opened], { last })
    await back.payment.press({ ...choice, language: 'fr', termsVersion: '9876543210abcdef9876' })
    expect(back.keys).toEqual(first.keys)
  })

  it('takes it so without the words and the organisation, which the tab forgets once it is bought', async () => {
    const last = aTab<{ key: string; gift: string }>()
    const first = aPayment([opened], { last })
    await first.payment.press({ ...choice, message: 'Feliz cumple', fallbackNgoId: 'ngo-msf' })
    expect(last.get()?.gift).not.toContain('Feliz')
    const back = aPayment([opened], { last })
    await back.payment.press({ ...choice, message: '', fallbackNgoId: null })
    expect(back.keys).toEqual(first.keys)
  })

  it('says once that it is paid already, and takes the next press for another purchase', async () => {
    const spent = { ...refusal('invalid-fields'), fields: [{ path: 'Idempotency-Key', rule: 'spent' }] }
    const { payment, keys } = aPayment([opened, spent, opened])
    await payment.press(choice)
    payment.reset()
    expect(await payment.press(choice)).toBeUndefined()
    expect(payment.$state.get()).toMatchObject({ kind: 'failed', retries: 0 })
    expect(await payment.press(choice)).toBe('https://pay.example/1')
    expect(keys).toEqual(['key-1', 'key-1', 'key-2'])
  })

  it('lets a payment go that nobody knows any more', async () => {
    const { payment, keys } = aPayment([opened, refusal('payment-not-found'), opened])
    await payment.press(choice)
    payment.reset()
    expect(await payment.press(choice)).toBeUndefined()
    expect(await payment.press(choice)).toBe('https://pay.example/1')
    expect(keys).toEqual(['key-1', 'key-1', 'key-2'])
  })

  it('leaves nothing in the tab of who gives, whose press is the same attempt all the same', async () => {
    const last = aTab<{ key: string; gift: string }>()
    const donor = { name: 'Aina Puig', document: '12345678Z' }
    const first = aPayment([opened], { last })
    await first.payment.press({ ...choice, donor })
    expect(JSON.stringify(last.get())).not.toMatch(/Aina|12345678/)
    const back = aPayment([opened], { last })
    await back.payment.press({ ...choice, donor })
    expect(back.keys).toEqual(first.keys)
  })

  it('ignores a second press while the first is under way', async () => {
    const { payment, keys } = aPayment([opened])
    const first = payment.press(choice)
    expect(await payment.press(choice)).toBeUndefined()
    await first
    expect(keys).toHaveLength(1)
  })
})

describe('the payment button in the line', () => {
  const inLine = (ahead: number, over = false): Result<PaymentAnswer> => ({
    ok: true,
    value: { waiting: { ahead, wait_ms: 9_000, ask_again_ms: 4_500, place_was_over: over } },
  })

  const KEY = '0123456789abcdef0123456789abcdef'

  it('goes on by itself with the same key, and tells each place', async () => {
    const states: unknown[] = []
    const slept: number[] = []
    const { payment, keys } = aPayment([inLine(40), inLine(12), opened], {
      sleep: async ms => void slept.push(ms),
    })
    payment.$state.listen(state => states.push(state.kind === 'waiting' ? state.place.ahead : state.kind))
    expect(await payment.press(choice)).toBe('https://pay.example/1')
    expect(states).toEqual(['loading', 40, 12])
    expect(slept).toEqual([4_500, 4_500])
    expect(new Set(keys)).toEqual(new Set(['key-1']))
  })

  it('ignores a press while it waits', async () => {
    let goOn = () => {}
    const { payment, keys } = aPayment([inLine(1), opened], {
      sleep: () =>
        new Promise<void>(done => {
          goOn = done
        }),
    })
    const first = payment.press(choice)
    await expect.poll(() => payment.$state.get().kind).toBe('waiting')
    expect(await payment.press(choice)).toBeUndefined()
    goOn()
    await first
    expect(keys).toHaveLength(2)
  })

  it('waits through lost answers, and tells of them only when there are many in a row', async () => {
    const few = aPayment([inLine(9), refusal('network'), refusal('network'), opened])
    expect(await few.payment.press(choice)).toBe('https://pay.example/1')
    const many = aPayment([inLine(9), ...Array.from({ length: 20 }, () => refusal('network'))])
    expect(await many.payment.press(choice)).toBeUndefined()
    expect(many.payment.$state.get()).toMatchObject({ kind: 'failed', refusal: { code: 'network' } })
  })

  it('keeps its place in the tab until there is an answer, with nothing of who gives', async () => {
    const kept = aTab()
    const seen: unknown[] = []
    const { payment } = aPayment([inLine(9), opened], { kept, sleep: async () => void seen.push(kept.get()) })
    await payment.press({ ...choice, donor: { name: 'Aina Puig', document: '12345678Z' } })
    expect(seen).toEqual([expect.stringMatching(/^key-1.*their water/)])
    expect(JSON.stringify(seen)).not.toContain('Aina')
    expect(kept.get()).toBeUndefined()
  })

  it('is found again by a page that was loaded anew, for the same choice', () => {
    const kept = aTab()
    kept.set(KEY + JSON.stringify(choice))
    const { payment } = aPayment([], { kept })
    expect(payment.waiting(() => choice)).toBe(choice)
    expect(payment.waiting(() => ({ ...choice, supportAmount: 1 }))).toBeUndefined()
    expect(payment.waiting(() => undefined)).toBeUndefined()
  })

  it('keeps its place when something else is chosen meanwhile', async () => {
    const kept = aTab()
    kept.set(KEY + JSON.stringify(choice))
    const { payment, keys } = aPayment([opened], { kept })
    await payment.press({ ...choice, supportAmount: 1_000 })
    expect(keys).toEqual([KEY])
  })

  it('lets a key go that was used for something else, and presses with another', async () => {
    const used = {
      ...refusal('invalid-fields'),
      fields: [{ path: 'Idempotency-Key', rule: 'used-otherwise' }],
    }
    const { payment, keys } = aPayment([used, opened])
    expect(await payment.press(choice)).toBe('https://pay.example/1')
    expect(keys).toEqual(['key-1', 'key-2'])
    const twice = aPayment([used, used, opened])
    expect(await twice.payment.press(choice)).toBeUndefined()
    expect(await twice.payment.press(choice)).toBe('https://pay.example/1')
    expect(twice.keys).toEqual(['key-1', 'key-2', 'key-3'])
  })
})
