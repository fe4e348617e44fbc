import { describe, expect, it, vi } from 'vitest'
import { money } from '#domain/money/money.ts'
import { Problem } from '#domain/problems.ts'
import { THEMES } from '#domain/themes.ts'
import type { App } from '#server/http/app.ts'
import type { CardView } from '#server/modules/gifts/interface.ts'
import * as unknown from '../../../src/pages/api/[...unknown].ts'
import * as freeGet from '../../../src/pages/api/ajuda/free-giftcard-donatius/get.ts'
import * as freeRetrieve from '../../../src/pages/api/ajuda/free-giftcard-donatius/retrieve.ts'
import * as card from '../../../src/pages/api/ajuda/giftcard/[giftCardId]/[flag].ts'
import * as redeem from '../../../src/pages/api/ajuda/giftcard/[giftCardId]/index.ts'
import * as gateway from '../../../src/pages/api/ajuda/pagaments-donatius/gateway.ts'
import * as sendEmail from '../../../src/pages/api/ajuda/pagaments-donatius/success/send-email.ts'
import * as success from '../../../src/pages/api/ajuda/pagaments-donatius/success.ts'
import * as analyticsForget from '../../../src/pages/api/analytics/general/forget.ts'
import * as analyticsEvent from '../../../src/pages/api/analytics/general/new-event/[eventName].ts'
import * as analyticsSession from '../../../src/pages/api/analytics/general/new-session.ts'
import * as webhook from '../../../src/pages/api/stripe/webhook.ts'
import { call, fakeApp } from '../server/http/fake-call.ts'

const view: CardView = {
  authority: 'full',
  createdAt: 0,
  autoDonateAt: 1,
  credit: money(5_000, 'EUR'),
  senderName: null,
  message: null,
  theme: THEMES.ukraine,
  consumed: false,
  free: false,
  use: null,
}

function withPayments(payments: Partial<App['payments']>) {
  return fakeApp({ payments: payments as App['payments'] })
}

function withCards(cards: Partial<App['cards']>) {
  return fakeApp({ cards: cards as App['cards'] })
}

describe('the endpoints', () => {
  it('gateway hands the purchase on with the language and the key of the press', async () => {
    const startDonation = vi.fn(async () => ({ url: 'https://pay.example' }))
    const { app, uses } = withPayments({ startDonation })
    const body = {
      giftcard_theme: 'palestine',
      nom_producte: 'their water',
      sender_name: 'FROM_ANONYMOUS',
      amount: 5_000,
      support_amount_cents: 0,
      currency: 'EUR',
      terms_version: '0123456789abcdef0123',
      fulfilment_consent: true,
    }
    const headers = { 'Idempotency-Key': 'k'.repeat(32) }
    const response = await call(gateway.POST, app, { body, headers, path: '/api/x?lang=fr' })
    expect(await response.json()).toEqual({ url: 'https://pay.example' })
    expect(startDonation).toHaveBeenCalledWith({
      packageId: 'their water',
      ngoAmount: 5_000,
      supportAmount: 0,
      currency: 'EUR',
      themeId: 'palestine',
      sender: { kind: 'anonymous' },
      message: null,
      fallbackNgoId: null,
      termsVersion: '0123456789abcdef0123',
      fulfilmentConsent: true,
      donor: null,
      keepsChain: false,
      language: 'fr',
      attemptKey: 'k'.repeat(32),
    })
    expect(uses.map(([limit]) => limit)).toEqual(['gateway'])
  })

  it('success answers 409 while the payment is not completed and 404 when it is unknown', async () => {
    for (const [code, status] of [
      ['payment-not-completed', 409],
      ['payment-not-found', 404],
    ] as const) {
      const { app, uses } = withPayments({ settlePurchase: () => Promise.reject(new Problem(code)) })
      const response = await call(success.POST, app, { body: { stripe_session_id: 'cs_test_1' } })
      expect(response.status).toBe(status)
      expect(uses.map(([limit]) => limit)).toEqual(['success'])
    }
  })

  it('success says what became of a payment that is not completed', async () => {
    const fields = [{ path: 'payment', rule: 'processing' }]
    const { app } = withPayments({
      settlePurchase: () => Promise.reject(new Problem('payment-not-completed', { fields })),
    })
    const response = await call(success.POST, app, { body: { stripe_session_id: 'cs_test_1' } })
    expect(await response.json()).toMatchObject({ code: 'payment-not-completed', fields })
  })

  it('send-email answers that the mail is queued, and nothing else', async () => {
    const requestConfirmation = vi.fn(async () => ({ status: 'queued', more: 1 }) as const)
    const { app, uses } = withPayments({ requestConfirmation })
    const body = { giftcard_public_key: 'q', giftcard_private_key: 'p', giftcard_id: 'c', email: '' }
    const response = await call(sendEmail.POST, app, { body })
    expect([response.status, await response.json()]).toEqual([200, { status: 'queued' }])
    expect(requestConfirmation).toHaveBeenCalledWith({
      cardId: 'c',
      privateKey: 'p',
      publicKey: 'q',
      email: '',
    })
    expect(uses.map(([limit]) => limit)).toEqual(['send-email'])
  })

  it('hands a claim on with its folded mailbox, and says which rule an address breaks', async () => {
    const claim = vi.fn(async () => ({ key: 'k' }))
    const { app, uses } = fakeApp({ freeCards: { claim } as unknown as App['freeCards'] })
    const body = { fromEmail: ' A.na@Gmail.com ', campaign_id: 'gift-seed', currency: 'GBP', sessionId: 7 }
    const response = await call(freeGet.POST, app, { body, path: '/api/x?lang=fr' })
    expect([response.status, await response.json()]).toEqual([200, { key: 'k' }])
    expect(claim).toHaveBeenCalledWith({
      address: { address: 'A.na@gmail.com', folded: 'ana@gmail.com' },
      campaignCode: 'gift-seed',
      currency: 'GBP',
      themeId: undefined,
      sender: { kind: 'anonymous' },
      language: 'fr',
      attemptKey: undefined,
    })
    for (const [fromEmail, rule] of [
      ['  ', 'required'],
      ['ana@gmail.com\r\nBcc: eva@gmail.com', 'address'],
    ]) {
      const refused = await call(freeGet.POST, app, { body: { ...body, fromEmail } })
      expect(refused.status).toBe(422)
      expect(await refused.json()).toMatchObject({ fields: [{ path: 'fromEmail', rule }] })
    }
    expect(claim).toHaveBeenCalledOnce()
    expect(new Set(uses.map(([limit]) => limit))).toEqual(new Set(['free-claim']))
  })

  it('shows a claimed card by the words of the wire', async () => {
    const retrieve = vi.fn(async () => ({
      cardId: 'c',
      checkWord: 'BCDF-GHJK-MNPQ',
      sendingKey: 'a-sending-key',
      privateKey: 'p',
      publicKey: 'q',
      email: 'ana@example.org',
      senderName: null,
      isConfirmationEmailSent: true,
      packageId: null,
      packageTitle: null,
      price: money(500, 'EUR'),
      autoDonateAt: 1,
    }))
    const { app, uses } = fakeApp({ freeCards: { retrieve } as unknown as App['freeCards'] })
    const response = await call(freeRetrieve.POST, app, { body: { privateKey: 'p' } })
    expect(await response.json()).toEqual({
      key: 'p',
      publicKey: 'q',
      email: 'ana@example.org',
      id: 'c',
      check_word: 'BCDF-GHJK-MNPQ',
      sending_key: 'a-sending-key',
      sender_name: 'FROM_ANONYMOUS',
      isConfirmationEmailSent: true,
      nom_producte: null,
      package_title: null,
      amount: 500,
      currency: 'EUR',
      usable_until: 1,
    })
    retrieve.mockRejectedValue(new Problem('card-not-found'))
    expect((await call(freeRetrieve.POST, app, { body: { privateKey: 'x' } })).status).toBe(404)
    expect(uses.map(([limit]) => limit)).toEqual(['success', 'success', 'card-miss'])
  })

  it('hand statistics on with the caller, and what the browser says of being measured', async () => {
    const newSession = vi.fn(async () => ({ sessionId: 's', userId: '' }))
    const newEvent = vi.fn(async () => {})
    const forget = vi.fn(async () => {})
    const analytics = { newSession, newEvent, forget } as unknown as App['analytics']
    const { app, uses } = fakeApp({ analytics })
    const clocks = { browserDateNow: -8e20, browserPerformanceNow: 0 }
    const headers = { 'Sec-GPC': '1', 'User-Agent': 'Robot' }
    const session = { ...clocks, deviceAttrs: {}, browserTimezoneOffset: 60, isAnonymous: true }
    const opened = await call(analyticsSession.POST, app, { body: session, headers })
    expect(await opened.json()).toEqual({ sessionId: 's', userId: '' })
    const caller = { address: '192.0.2.1', userAgent: 'Robot', language: 'es', refuses: true }
    expect(newSession).toHaveBeenCalledWith(
      { device: {}, timezoneOffset: 60, userId: '', isAnonymous: true },
      caller,
    )
    const event = {
      ...clocks,
      currentUrl: '/es',
      metadata: { deep: [1] },
      isAnonymous: false,
      sessionId: 's',
    }
    const params = { eventName: 'scroll' }
    expect((await call(analyticsEvent.POST, app, { body: event, params })).status).toBe(200)
    expect(newEvent).toHaveBeenCalledWith(
      { name: 'scroll', sessionId: 's', address: '/es', metadata: { deep: [1] }, isAnonymous: false },
      { ...caller, userAgent: '', refuses: false },
    )
    const tooLarge = { ...event, filler: 'x'.repeat(17_000) }
    expect((await call(analyticsEvent.POST, app, { body: tooLarge, params })).status).toBe(413)
    let deep: object = {}
    for (let level = 0; level < 500; level++) deep = { deep }
    const tooDeep = await call(analyticsEvent.POST, app, { body: { ...event, metadata: deep }, params })
    expect(await tooDeep.json()).toMatchObject({
      status: 422,
      fields: [{ path: 'metadata', rule: 'bounds' }],
    })
    expect((await call(analyticsForget.POST, app, { body: { userId: 'u' } })).status).toBe(200)
    expect(forget).toHaveBeenCalledWith({ userId: 'u', sessionId: '' })
    expect([...new Set(uses.map(([limit]) => limit))]).toEqual(['analytics-session', 'analytics-event'])
  })

  it('asks for a preview only when the flag says preview', async () => {
    const open = vi.fn(async () => view)
    const { app } = withCards({ open })
    for (const flag of ['preview', 'final', 'Preview']) {
      const response = await call(card.GET, app, { method: 'GET', params: { giftCardId: 'k', flag } })
      expect(await response.json()).toMatchObject({ giftcard: { credit: '5000', theme: 'ukraine' } })
    }
    expect(open.mock.calls).toEqual([
      ['k', 'preview'],
      ['k', 'full'],
      ['k', 'full'],
    ])
  })

  it('shows the try card without asking the database', async () => {
    const open = vi.fn()
    const { app } = withCards({ open })
    const params = { giftCardId: 'giftcard-try', flag: 'final' }
    const response = await call(card.GET, app, { method: 'GET', params })
    expect(await response.json()).toMatchObject({
      giftcard: { credit: '5000', theme: 'palestine', consumed: false },
    })
    expect(open).not.toHaveBeenCalled()
  })

  it('redeems with the key of the path and the key of the press', async () => {
    const amount = money(5_000, 'EUR')
    const redeemCard = vi.fn(async () => ({
      allocations: [{ ngoId: 'cerf', points: 50, amount }],
      receiptKey: 'r',
    }))
    const { app, uses } = withCards({ redeem: redeemCard })
    const body = { selected_ngos: [{ ngoSelected: 'cerf', creditSelected: 50 }] }
    const headers = { 'Idempotency-Key': 'one-press-of-the-button' }
    const response = await call(redeem.POST, app, { body, headers, params: { giftCardId: 'k' } })
    expect(await response.json()).toMatchObject({
      allocations: [{ ngoSelected: 'cerf', amount: 5_000 }],
      receiptKey: 'r',
    })
    expect(redeemCard).toHaveBeenCalledWith('k', [{ ngoId: 'cerf', points: 50 }], 'one-press-of-the-button')
    expect(uses.map(([limit]) => limit)).toEqual(['redeem'])
  })

  it('names an unlisted organisation by the words of the wire', async () => {
    const refusal = new Problem('ngo-not-listed', { fields: [{ path: 'selection.0.ngoId', rule: 'listed' }] })
    const { app } = withCards({ redeem: () => Promise.reject(refusal) })
    const body = { selected_ngos: [{ ngoSelected: 'x', creditSelected: 1 }] }
    const response = await call(redeem.POST, app, { body, params: { giftCardId: 'k' } })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ fields: [{ path: 'selected_ngos.0.ngoSelected' }] })
  })

  it('takes an event raw, from anywhere and of any type, unless it is too large', async () => {
    const receiveEvent = vi.fn(async () => {})
    const { app, uses } = withPayments({ receiveEvent })
    const headers = {
      'Content-Type': 'text/plain',
      Origin: 'https://other.example',
      'Stripe-Signature': 't=1,v1=x',
    }
    const raw = '{ "id" : "evt_1" }\n'
    expect((await call(webhook.POST, app, { raw, headers })).status).toBe(204)
    expect(receiveEvent).toHaveBeenCalledWith(raw, 't=1,v1=x')
    expect(uses).toEqual([])
    expect((await call(webhook.POST, app, { raw: 'x'.repeat(1_000_000), headers })).status).toBe(413)
    expect(receiveEvent).toHaveBeenCalledOnce()
    expect((await call(webhook.ALL, app, { method: 'GET' })).status).toBe(405)
  })

  it('answers an unknown path with 404, whatever the method', async () => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const response = await call(unknown.ALL, fakeApp().app, { method })
      expect(response.status).toBe(404)
      expect(await response.json()).toMatchObject({ code: 'not-found' })
    }
  })
})
