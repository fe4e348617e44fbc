import { expect, it } from 'vitest'
import {
  sealOfCard,
  sealOfInvitation,
  sealOfOrder,
  sealOfRedemption,
  sealOfReversal,
} from '#server/modules/ledger/seals.ts'
import { createMac } from '#server/platform/mac.ts'

const keys = { mac: createMac('0123456789abcdef0123456789abcdef') }

const order = {
  id: '01order',
  kind: 'donation',
  package_id: 'their food',
  currency: 'EUR',
  ngo_amount: 5000,
  support_amount: 500,
  tax_amount: 105,
  total_amount: 5500,
  checkout_session_digest: 'hmac:session',
  created_at: 1_000,
  settled_at: 2_000,
  term_months: null,
  reminder_days: null,
  fallback_ngo_id: null,
  vat_rate: null,
  vat_amount: null,
  card_count: 1,
  split_sealed: null,
} as const

const card = {
  id: '01card',
  order_id: '01order',
  kind: 'donation',
  status: 'active',
  currency: 'EUR',
  credit: 5000,
  key_version: 1,
  private_digest: 'private',
  public_digest: 'public',
  created_at: 3_000,
  auto_donate_at: 4_000,
  term_months: null,
  reminder_days: null,
  check_digest: null,
  position: 0,
} as const

const invitation = {
  id: '01invitation',
  order_id: '01order',
  status: 'active',
  key_version: 2,
  key_digest: 'digest',
  check_digest: null,
  created_at: 5_000,
} as const

const redemption = {
  card_id: '01card',
  cause: 'recipient',
  request_digest: 'request',
  receipt_digest: null,
  created_at: 6_000,
} as const

const allocations = [
  { ngo_id: 'a', position: 0, points: 30, amount: 3000, currency: 'EUR' },
  { ngo_id: 'b', position: 1, points: 20, amount: 2000, currency: 'EUR' },
] as const

const reversal = { order_id: '01order', refunded: 1, lost: 2, taken: 3, updated_at: 7_000 } as const

/** Rows that were sealed by an earlier version keep their seals: what a seal covers, and in which order, never changes. */
it.each([
  ['an order', () => sealOfOrder(keys, order), 'fuqCZs_1LAVkQc4nuothx8'],
  ['a card', () => sealOfCard(keys, card), 'Uc5csuVOaLgcqzeHU7HtAD'],
  ['an invitation', () => sealOfInvitation(keys, invitation), 'WPirMQBEY6_HeFgUlVGUvd'],
  ['a redemption', () => sealOfRedemption(keys, redemption, allocations), '3-HxVHLYH6Id_kd5CYiO0M'],
  ['a reversal', () => sealOfReversal(keys, reversal), 'mQCrnRmt0RKFvWjC2OCYST'],
])('seals %s as every earlier version did', (_, seal, expected) => {
  expect(seal()).toBe(expected)
})

it('covers each column of a card, an order, an invitation and a reversal', () => {
  const covers = <Row extends object>(row: Row, seal: (row: Row) => string) =>
    Object.keys(row).filter(column => seal({ ...row, [column]: 'other' }) === seal(row))
  expect(covers(order, row => sealOfOrder(keys, row))).toEqual([])
  expect(covers(card, row => sealOfCard(keys, row))).toEqual([])
  expect(covers(invitation, row => sealOfInvitation(keys, row))).toEqual([])
  expect(covers(reversal, row => sealOfReversal(keys, row))).toEqual([])
})

it('covers what came to a card, an order and an invitation later, and leaves older rows as they were sealed', () => {
  const seals = [
    sealOfOrder(keys, order),
    sealOfOrder(keys, { ...order, term_months: 12 }),
    sealOfOrder(keys, { ...order, reminder_days: '[30,7]' }),
    sealOfOrder(keys, { ...order, fallback_ngo_id: 'msf' }),
    sealOfOrder(keys, { ...order, fallback_ngo_id: 'cerf' }),
    sealOfOrder(keys, { ...order, vat_rate: 2_100, vat_amount: 0 }),
    sealOfOrder(keys, { ...order, vat_rate: 2_100, vat_amount: 87 }),
    sealOfOrder(keys, { ...order, term_months: 12, vat_rate: 2_100, vat_amount: 87 }),
    sealOfOrder(keys, { ...order, card_count: 2 }),
    sealOfOrder(keys, { ...order, split_sealed: 'parts' }),
    sealOfOrder(keys, { ...order, card_count: 2, split_sealed: 'parts' }),
    sealOfOrder(keys, { ...order, vat_rate: 2_100, vat_amount: 87, card_count: 2 }),
    sealOfCard(keys, card),
    sealOfCard(keys, { ...card, position: 1 }),
    sealOfCard(keys, { ...card, position: 2 }),
    sealOfCard(keys, { ...card, check_digest: 'word', position: 1 }),
    sealOfCard(keys, { ...card, term_months: 12 }),
    sealOfCard(keys, { ...card, check_digest: 'word' }),
    sealOfCard(keys, { ...card, check_digest: 'another' }),
    sealOfCard(keys, { ...card, term_months: 12, check_digest: 'word' }),
    sealOfInvitation(keys, invitation),
    sealOfInvitation(keys, { ...invitation, check_digest: 'word' }),
    sealOfInvitation(keys, { ...invitation, check_digest: 'another' }),
  ]
  expect(new Set(seals).size).toBe(seals.length)
})
