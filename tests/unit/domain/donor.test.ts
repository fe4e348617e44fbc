import { describe, expect, it } from 'vitest'
import { asksForDonor, readDonor } from '#domain/donor/identity.ts'
import { money } from '#domain/money/money.ts'

describe('who gives', () => {
  it.each([
    [' Aina  Ferrer ', '12345678-z', { name: 'Aina Ferrer', document: '12345678Z' }],
    ['María', 'x.1234567 l', { name: 'María', document: 'X1234567L' }],
    ['Zoé', 'PAA 123/456', { name: 'Zoé', document: 'PAA123456' }],
  ])('is %j with %j', (name, document, donor) => expect(readDonor(name, document)).toEqual(donor))

  it.each([
    ['', '12345678Z'],
    ['\u200b ', '12345678Z'],
    ['Aina', ''],
    ['Aina', 'none'],
    ['Aina', '123'],
    ['Aina', '1'.repeat(21)],
    ['Aina', '12345678Z; drop'],
  ])('is nobody for %j with %j', (name, document) => expect(readDonor(name, document)).toBeUndefined())

  const price = (ngo: number, support: number) => ({
    total: money(ngo + support, 'EUR'),
    support: money(support, 'EUR'),
  })

  it('is asked from the amount on, to the cent: all of a gift card, and the support of an invitation', () => {
    expect(asksForDonor(price(7_000, 2_999), 'donation', 100)).toBe(false)
    expect(asksForDonor(price(7_000, 3_000), 'donation', 100)).toBe(true)
    expect(asksForDonor(price(10_000, 9_999), 'volunteering', 100)).toBe(false)
    expect(asksForDonor(price(10_000, 10_000), 'volunteering', 100)).toBe(true)
    expect(asksForDonor(price(90_000, 90_000), 'donation', null)).toBe(false)
  })
})
