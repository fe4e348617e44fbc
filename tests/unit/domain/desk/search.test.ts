import { describe, expect, it } from 'vitest'
import { isNamed, LONGEST_SEARCH, LOOK_UPS, readSearch, type Search } from '#domain/desk/search.ts'

const ROW = '01kb0mz4e8aqt5v9wd3c7n2xhp'
const KEY = 'abcdefghijklmnopqrstuvwxyz234567'
const DAY = { from: Date.parse('2026-11-20T22:00:00Z'), to: Date.parse('2026-11-22T00:00:00Z') }
const paid = { kind: 'payment', amount: 6_500, currency: 'EUR', ...DAY } as const

describe('what an operator types', () => {
  it.each<readonly [string, Search]>([
    [ROW, { kind: 'row', id: ROW }],
    [`  "${ROW.toUpperCase()}", `, { kind: 'row', id: ROW }],
    ['cs_test_a1B2c3D4e5', { kind: 'session', id: 'cs_test_a1B2c3D4e5' }],
    ['pi_3Q0', { kind: 'intent', id: 'pi_3Q0' }],
    ['ch_3Q0', { kind: 'charge', id: 'ch_3Q0' }],
    ['py_3Q0', { kind: 'charge', id: 'py_3Q0' }],
    ['re_3Q0', { kind: 'refund', id: 're_3Q0' }],
    ['pyr_1Q0', { kind: 'refund', id: 'pyr_1Q0' }],
    ['dp_1Q0', { kind: 'dispute', id: 'dp_1Q0' }],
    ['du_1Q0', { kind: 'dispute', id: 'du_1Q0' }],
    ['po_1Q0', { kind: 'provider-payout', id: 'po_1Q0' }],
    ['Ana@Example.org', { kind: 'address', address: 'Ana@Example.org' }],
    ['<ana@example.org>,', { kind: 'address', address: 'ana@example.org' }],
    ['mailto:ana@example.org', { kind: 'address', address: 'ana@example.org' }],
    ['P2026-000017-7QK3', { kind: 'document', mark: 'P', year: 2026, number: 17, letters: '7QK3' }],
    ['p2026-000017', { kind: 'document', mark: 'P', year: 2026, number: 17, letters: '' }],
    ['S2026-000017-7QK3', { kind: 'document', mark: 'S', year: 2026, number: 17, letters: '7QK3' }],
    ['2026-000017', { kind: 'document', mark: '', year: 2026, number: 17, letters: '' }],
    ['65 EUR 2026-11-21', paid],
    ['€65.00 21/11/2026', paid],
    ['21.11.2026 65,00 €', paid],
    ['65,0 eur, 2026-11-21', paid],
    ['C$ 1,234.50 2026-11-21', { ...paid, amount: 123_450, currency: 'CAD' }],
    ['$1.234,5 2026-11-21', { ...paid, amount: 123_450, currency: 'USD' }],
    ['65', { kind: 'part-of-payment', lacks: ['currency', 'day'] }],
    ['65 GBP', { kind: 'part-of-payment', lacks: ['day'] }],
    ['65 2026-11-21', { kind: 'part-of-payment', lacks: ['currency'] }],
    ['65 EUR 2026-02-30', { kind: 'part-of-payment', lacks: ['day'] }],
    ['Médicos sin Fronteras', { kind: 'name', words: 'Médicos sin Fronteras' }],
    ['€', { kind: 'nothing' }],
    ['   ', { kind: 'nothing' }],
    ['a'.repeat(LONGEST_SEARCH + 1), { kind: 'nothing' }],
  ])('is recognised: %s', (typed, search) => {
    expect(readSearch(typed)).toEqual(search)
  })

  it.each([KEY, KEY.toUpperCase(), `https://cards.example/gift-card/${KEY}/`, `see ?id=${KEY}&x=1`])(
    'is never looked for when it opens a gift: %s',
    typed => {
      expect(readSearch(typed)).toEqual({ kind: 'key' })
      expect(LOOK_UPS.key).toEqual([])
    },
  )

  it('finds an organisation by some words of its name, without their accents', () => {
    expect(isNamed('Médicos Sin Fronteras', 'fronteras medicos')).toBe(true)
    expect(isNamed('Médicos Sin Fronteras', 'medicos mundo')).toBe(false)
  })
})
