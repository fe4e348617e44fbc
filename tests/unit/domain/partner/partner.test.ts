import { describe, expect, it } from 'vitest'
import {
  kindOfPartnerKey,
  PARTNER_ORDER_STATES,
  partnerKeyMark,
  partnerOrderState,
  readPartner,
  readReference,
  readScopes,
} from '#domain/partner/partner.ts'
import { ORDER_STATES, type OrderState } from '#domain/payment/order-states.ts'

const typed = {
  name: '  Aina’s   Shop ',
  contact: ' shop@example.org ',
  scopes: 'orders:read, orders:create',
}

describe('a partner as somebody typed it', () => {
  it('is kept in one line, with its scopes in the order of the table', () => {
    expect(readPartner(typed)).toEqual({
      name: 'Aina’s Shop',
      contact: 'shop@example.org',
      scopes: ['orders:create', 'orders:read'],
    })
  })

  it.each([
    ['name', { name: ' ' }],
    ['name', { name: 'a'.repeat(61) }],
    ['name', { name: 'a\u0000b' }],
    ['not-an-address', { contact: 'shop' }],
    ['scopes', { scopes: '' }],
    ['scopes', { scopes: 'orders:create refunds' }],
    ['scopes', { scopes: 'constructor' }],
  ])('is refused for its %s', (refusal, change) => {
    expect(readPartner({ ...typed, ...change })).toEqual({ refusal })
  })
})

it('scopes are words of the table alone', () => {
  expect(readScopes('orders:read orders:read')).toEqual(['orders:read'])
  expect(readScopes('ORDERS:READ')).toBeUndefined()
})

it('a key is 256 bits behind its mark, and a card’s key is none', () => {
  const bits = 'A-_z'.repeat(11).slice(0, 43)
  expect(kindOfPartnerKey(`partner_${bits}`)).toBe('real-site')
  expect(kindOfPartnerKey(`sandbox_${bits}`)).toBe('sandbox')
  for (const sandbox of [true, false])
    expect(kindOfPartnerKey(partnerKeyMark(sandbox) + bits)).toBe(sandbox ? 'sandbox' : 'real-site')
  for (const text of [
    '',
    'partner_',
    `partner_${'a'.repeat(42)}`,
    `partner_${'a'.repeat(44)}`,
    'a'.repeat(32),
    `sandbox_${'a'.repeat(42)}`,
    `partner_sandbox_${'a'.repeat(43)}`,
  ])
    expect(kindOfPartnerKey(text)).toBeUndefined()
})

it('a reference is one line of at most 64 characters', () => {
  expect(readReference('Order №7')).toBe('Order №7')
  expect(readReference('a'.repeat(64))).toHaveLength(64)
  for (const text of ['', 'a'.repeat(65), 'a\nb', 'a\u202eb']) expect(readReference(text)).toBeUndefined()
})

describe('an order’s state as its partner sees it', () => {
  it.each(Object.keys(ORDER_STATES) as OrderState[])('has a word for %s', status => {
    expect(PARTNER_ORDER_STATES).toContain(partnerOrderState({ status, total: 100 }, 0))
  })

  it('is paid until all of the money went back', () => {
    const states = [0, 1, 99, 100, 101].map(returned =>
      partnerOrderState({ status: 'paid', total: 100 }, returned),
    )
    expect(states).toEqual(['paid', 'paid', 'paid', 'refunded', 'refunded'])
  })

  it('is expired for whatever came to nothing', () => {
    expect(partnerOrderState({ status: 'failed', total: 100 }, 0)).toBe('expired')
    expect(partnerOrderState({ status: 'open', total: 100 }, 0)).toBe('open')
  })
})
