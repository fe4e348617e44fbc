import { describe, expect, it } from 'vitest'
import { inLanguages } from '#tests/builders/domain.ts'
import { sendConfirmation, settleDonation, startDonation } from '#wire/donation-payment.ts'

const TITLE = inLanguages({ es: 'Su agua', en: 'Their water', fr: 'Leur eau' })

const gateway = {
  giftcard_theme: 'ukraine',
  nom_producte: 'their water',
  sender_name: 'Aina',
  amount: 5_000,
  support_amount_cents: 1_500,
  currency: 'GBP',
  terms_version: '0123456789abcdef0123',
  fulfilment_consent: true,
  sessionId: 'analytics',
  date: '2026-03-10',
}

function pathsOf(body: unknown): string[] {
  const result = startDonation.request.safeParse(body)
  return result.success ? [] : result.error.issues.map(issue => issue.path.join('.'))
}

describe('the gateway call', () => {
  it('reads the wire into the words of the product and drops the session and the date', () => {
    expect(startDonation.request.parse(gateway)).toEqual({
      packageId: 'their water',
      ngoAmount: 5_000,
      supportAmount: 1_500,
      currency: 'GBP',
      themeId: 'ukraine',
      sender: { kind: 'own', name: 'Aina' },
      fallbackNgoId: null,
      termsVersion: '0123456789abcdef0123',
      fulfilmentConsent: true,
      donor: null,
      message: null,
      keepsChain: false,
    })
  })

  it('reads the marker as an anonymous sender', () => {
    const read = startDonation.request.parse({ ...gateway, sender_name: 'FROM_ANONYMOUS' })
    expect(read.sender).toEqual({ kind: 'anonymous' })
  })

  it('takes a message that is plain words, cleaned, and no other', () => {
    const message = (text: unknown) => startDonation.request.safeParse({ ...gateway, message: text })
    expect(message(' Para ti,\n con cariño').data?.message).toBe('Para ti, con cariño')
    expect(message(null).data?.message).toBeNull()
    for (const text of ['see example.org', 'me@example.org', '600 000 000', 'a'.repeat(301), 7])
      expect(message(text).success).toBe(false)
  })

  it('cleans an own name into one line', () => {
    const read = startDonation.request.parse({ ...gateway, sender_name: ' Aina\u202e \n& Pau ' })
    expect(read.sender).toEqual({ kind: 'own', name: 'Aina & Pau' })
  })

  it('does without the session and the date, and drops what it does not know', () => {
    const { sessionId, date, ...rest } = gateway
    expect(startDonation.request.parse({ ...rest, price: 1 })).not.toHaveProperty('price')
  })

  it.each<[string, unknown]>([
    ['giftcard_theme', 'no word'],
    ['giftcard_theme', '__proto__'],
    ['nom_producte', ''],
    ['nom_producte', 'x'.repeat(61)],
    ['sender_name', '   '],
    ['sender_name', '\u200b'],
    ['sender_name', 'FROM_YOUR_NAME'],
    ['sender_name', ' FROM_YOUR_NAME\n'],
    ['sender_name', ' FROM_ANONYMOUS'],
    ['sender_name', 'x'.repeat(401)],
    ['sender_name', 'x'.repeat(81)],
    ['sender_name', '🎁'.repeat(81)],
    ['sender_name', null],
    ['amount', 50.5],
    ['amount', -1],
    ['amount', '5000'],
    ['amount', 100_000_001],
    ['support_amount_cents', undefined],
    ['support_amount_cents', -100],
    ['currency', 'JPY'],
    ['terms_version', undefined],
    ['terms_version', ''],
    ['terms_version', '0123456789ABCDEF0123'],
    ['fulfilment_consent', 'yes'],
    ['fallback_ngo', ''],
    ['fallback_ngo', 7],
    ['donor', { name: 'Aina', document: '' }],
    ['donor', { name: ' ', document: '12345678Z' }],
    ['currency', 'eur'],
  ])('refuses %s = %j by its path', (field, value) => {
    expect(pathsOf({ ...gateway, [field]: value })).toEqual([field])
  })
})

describe('the success call', () => {
  it('answers in the words of the wire', () => {
    const settled = {
      cardId: 'c',
      checkWord: null,
      sendingKey: null,
      privateKey: 'p',
      publicKey: 'q',
      email: 'a@b.example',
      senderName: null,
      isConfirmationEmailSent: true,
      packageId: 'their water',
      packageTitle: TITLE,
      price: { amount: 5_000, currency: 'EUR' },
      autoDonateAt: 1,
    }
    expect(settleDonation.request.parse({ stripe_session_id: 'cs_test_1', lang: 'es' })).toEqual({
      checkoutSessionId: 'cs_test_1',
    })
    expect(settleDonation.response.parse({ ...settled, more: 1 })).toEqual({
      key: 'p',
      publicKey: 'q',
      email: 'a@b.example',
      id: 'c',
      check_word: null,
      sending_key: null,
      sender_name: 'FROM_ANONYMOUS',
      isConfirmationEmailSent: true,
      nom_producte: 'their water',
      package_title: TITLE,
      amount: 5_000,
      currency: 'EUR',
      usable_until: 1,
    })
    expect(settleDonation.response.parse({ ...settled, senderName: 'Pau' })).toMatchObject({
      sender_name: 'Pau',
    })
  })

  it('refuses a missing and an endless session id', () => {
    for (const stripe_session_id of ['', 'x'.repeat(401), undefined, 5])
      expect(settleDonation.request.safeParse({ stripe_session_id }).success).toBe(false)
  })
})

describe('the send-email call', () => {
  it('reads the card, its keys and the address', () => {
    const read = sendConfirmation.request.parse({
      giftcard_public_key: 'q',
      giftcard_private_key: 'p',
      giftcard_id: 'c',
      email: 'a@b.example',
      sender_name: 'Pau',
      lang: 'fr',
    })
    expect(read).toEqual({ cardId: 'c', privateKey: 'p', publicKey: 'q', email: 'a@b.example' })
  })
})
