import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { money } from '#domain/money/money.ts'
import { inLanguages } from '#tests/builders/domain.ts'
import {
  newAttemptKey,
  readDonationSuccess,
  readFreeGiftCard,
  redeemGiftCard,
  sendConfirmation,
  startDonationPayment,
} from '#wire/client.ts'
import { sendConfirmation as sendContract, settleDonation, startDonation } from '#wire/donation-payment.ts'
import { redeemCard } from '#wire/gift-card.ts'

const fetch = vi.fn<typeof globalThis.fetch>()
beforeEach(() => vi.stubGlobal('fetch', fetch))
afterEach(() => {
  vi.unstubAllGlobals()
  fetch.mockReset()
})

const choice = {
  packageId: 'their water',
  ngoAmount: 5_000,
  supportAmount: 0,
  currency: 'EUR',
  themeId: 'palestine',
  sender: { kind: 'own', name: 'Aina' },
  fallbackNgoId: 'ngo-msf',
  language: 'fr',
  termsVersion: '0123456789abcdef0123',
  fulfilmentConsent: true,
  message: 'Para ti',
  donor: { name: 'Aina Ferrer', document: '12345678Z' },
  keepsChain: true,
} as const

const settled = {
  cardId: 'c',
  checkWord: 'BCDF-GHJK-MNPQ',
  sendingKey: 'a-sending-key',
  privateKey: 'p',
  publicKey: 'q',
  autoDonateAt: 1,
  email: 'a@b.example',
  senderName: null,
  isConfirmationEmailSent: false,
  packageId: 'their water',
  packageTitle: inLanguages({ es: 'Su agua', en: 'Their water', fr: 'Leur eau' }),
  price: money(5_000, 'EUR'),
} as const

function answers(body: unknown, init: ResponseInit = {}): void {
  fetch.mockResolvedValueOnce(new Response(typeof body === 'string' ? body : JSON.stringify(body), init))
}

function sent(): { path: unknown; headers: Headers; body: unknown; init: RequestInit } {
  const [path, init] = fetch.mock.lastCall!
  return { path, headers: new Headers(init?.headers), body: JSON.parse(init!.body as string), init: init! }
}

describe('the browser side', () => {
  it('starts a payment with what the contract reads, in the language of the page', async () => {
    answers({ url: 'https://pay.example/x' })
    expect(await startDonationPayment(choice)).toEqual({ ok: true, value: { url: 'https://pay.example/x' } })
    const { path, headers, body, init } = sent()
    expect(path).toBe('/api/ajuda/pagaments-donatius/gateway?lang=fr')
    expect(init).toMatchObject({ method: 'POST', credentials: 'same-origin' })
    expect(headers.get('Content-Type')).toBe('application/json')
    const { language, ...rest } = choice
    expect(startDonation.request.parse(body)).toEqual(rest)
  })

  it('makes a key for each press and keeps the one it is given', async () => {
    answers({ url: '' })
    await startDonationPayment(choice)
    const first = sent().headers.get('Idempotency-Key')
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    answers({ url: '' })
    await startDonationPayment(choice)
    expect(sent().headers.get('Idempotency-Key')).not.toBe(first)
    answers({ url: '' })
    await startDonationPayment({ ...choice, sender: { kind: 'anonymous' } }, first!)
    expect(sent().headers.get('Idempotency-Key')).toBe(first)
    expect(sent().body).toMatchObject({ sender_name: 'FROM_ANONYMOUS' })
    expect(newAttemptKey()).not.toBe(newAttemptKey())
  })

  it('reads the success of a payment', async () => {
    answers(settleDonation.response.parse(settled))
    const read = await readDonationSuccess({ checkoutSessionId: 'cs_test_1', language: 'es' })
    expect(read).toEqual({ ok: true, value: settled })
    expect(settleDonation.request.parse(sent().body)).toEqual({ checkoutSessionId: 'cs_test_1' })
  })

  it('asks for the mail with the keys of the card', async () => {
    answers(sendContract.response.parse({ status: 'failing' }))
    expect(await sendConfirmation({ ...settled, language: 'es' })).toEqual({
      ok: true,
      value: { status: 'failing' },
    })
    const { cardId, privateKey, publicKey, email } = settled
    expect(sendContract.request.parse(sent().body)).toEqual({ cardId, privateKey, publicKey, email })
  })

  it('gives a card away and reads the allocations', async () => {
    const allocations = [{ ngoId: 'cerf', points: 20, amount: money(2_000, 'EUR') }]
    answers(redeemCard.response.parse({ allocations, receiptKey: 'receipt' }))
    expect(await redeemGiftCard('key', [{ ngoId: 'cerf', points: 20 }], 'attempt')).toEqual({
      ok: true,
      value: { allocations, receiptKey: 'receipt' },
    })
    expect(sent().path).toBe('/api/ajuda/giftcard/key')
    expect(redeemCard.request.parse(sent().body)).toEqual([{ ngoId: 'cerf', points: 20 }])
  })

  it('gives a refusal as a value, with its fields and the time to wait', async () => {
    const fields = [{ path: 'amount', rule: 'too_small' }]
    answers({ code: 'invalid-fields', fields }, { status: 422 })
    expect(await startDonationPayment(choice)).toEqual({
      ok: false,
      code: 'invalid-fields',
      fields,
      retryAfterSeconds: undefined,
    })
    answers({ code: 'too-many-requests' }, { status: 429, headers: { 'Retry-After': '12' } })
    expect(await startDonationPayment(choice)).toMatchObject({
      code: 'too-many-requests',
      retryAfterSeconds: 12,
    })
  })

  it('gives the masked address of links that are shown no more', async () => {
    const refusal = { code: 'links-by-mail', maskedAddress: 'b…r@example.org' }
    answers(refusal, { status: 410 })
    const read = await readDonationSuccess({ checkoutSessionId: 'cs_test_1', language: 'es' })
    expect(read).toMatchObject({ ok: false, ...refusal })
    answers({ code: 'links-by-mail', maskedAddress: 7 }, { status: 410 })
    expect(await readFreeGiftCard('key')).not.toHaveProperty('maskedAddress')
  })

  it('tells statistics what was answered to a call that failed, cut short, and nothing of one that said yes', async () => {
    const told: unknown[] = []
    vi.stubGlobal('dispatchEvent', (event: CustomEvent) => told.push(event.detail))
    answers({ code: 'invalid-fields', fields: [{ path: 'amount', rule: 'too_small' }] }, { status: 422 })
    await startDonationPayment(choice)
    answers('x'.repeat(5_000), { status: 502 })
    await startDonationPayment(choice)
    answers({ code: 'links-by-mail', maskedAddress: 'a…b@example.org' }, { status: 410 })
    await startDonationPayment(choice)
    answers('private-key-in-an-answer-cut-off', { status: 200 })
    await startDonationPayment(choice)
    expect(told).toMatchObject([
      {
        message: 'invalid-fields',
        status: 422,
        response: '{"code":"invalid-fields","fields":[{"path":"amount","rule":"too_small"}]}',
      },
      { status: 502, response: 'x'.repeat(300) },
      { status: 410, response: '{"code":"links-by-mail","fields":[]}' },
      { status: 200, response: '' },
    ])
  })

  it('reads an answer that is no problem as one', async () => {
    for (const [body, status] of [
      ['<h1>Bad gateway</h1>', 502],
      ['', 500],
      ['', 200],
      ['null', 400],
      ['"x"', 400],
    ] as const) {
      answers(body, { status })
      expect(await startDonationPayment(choice)).toMatchObject({
        ok: false,
        code: 'something-went-wrong',
        fields: [],
      })
    }
  })

  it('says network when no answer comes, or only half of one', async () => {
    fetch.mockRejectedValueOnce(new TypeError('Failed to fetch'))
    expect(await startDonationPayment(choice)).toMatchObject({ ok: false, code: 'network' })
    const torn = new ReadableStream({ start: controller => controller.error(new TypeError('cut')) })
    fetch.mockResolvedValueOnce(new Response(torn))
    expect(await startDonationPayment(choice)).toMatchObject({ ok: false, code: 'network' })
  })

  it('gives up after its timeout', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    answers({ url: '' })
    await startDonationPayment(choice)
    expect(timeout).toHaveBeenCalledWith(20_000)
    expect(sent().init.signal).toBe(timeout.mock.results[0]!.value)
  })
})
