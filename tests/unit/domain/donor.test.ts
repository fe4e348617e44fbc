import { describe, expect, it } from 'vitest'
import { asksForDonor, donorFaults, readDonor } from '#domain/donor/identity.ts'
import { money } from '#domain/money/money.ts'

describe('who gives', () => {
  it.each([
    [' Aina  Ferrer ', '12345678-z', { name: 'Aina Ferrer', document: '12345678Z' }],
    ['María', 'x.1234567 l', { name: 'María', document: 'X1234567L' }],
    ['Zoé', 'PAA 123/456', { name: 'Zoé', document: 'PAA123456' }],
  ])('is %j with %j', (name, document, donor) => expect(readDonor(name, document)).toEqual(donor))

  it.each([
    ['', '12345678Z', 'name'],
    ['\u200b ', '12345678Z', 'name'],
    ['Aina', '', 'document'],
    ['Aina', 'none', 'document'],
    ['Aina', '123', 'document'],
    ['Aina', '1'.repeat(21), 'document'],
    ['Aina', '12345678Z; drop', 'document'],
    [' ', '123', 'name document'],
  ])('is nobody for %j with %j, for want of the %s', (name, document, missing) => {
    expect(readDonor(name, document)).toBeUndefined()
    expect(donorFaults(name, document)).toEqual(missing.split(' '))
  })

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
