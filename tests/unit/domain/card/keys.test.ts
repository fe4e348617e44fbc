import { describe, expect, it } from 'vitest'
import { authorityOf, isKeyShaped, KEY_LENGTH, TRY_CARD_CREDIT, TRY_CARD_ID } from '#domain/card/keys.ts'

describe('a card’s key', () => {
  it('holds at least 128 bits', () => {
    expect(KEY_LENGTH * 5).toBeGreaterThanOrEqual(128)
  })

  it('is exact in length and alphabet', () => {
    const key = 'abcdefghijklmnopqrstuvwxyz234567'
    expect(isKeyShaped(key)).toBe(true)
    const wrong = [
      '',
      key.slice(1),
      `${key}a`,
      key.toUpperCase(),
      `${key.slice(1)}1`,
      `${key.slice(1)}-`,
      `${key}\n`,
    ]
    expect(wrong.some(isKeyShaped)).toBe(false)
  })

  it('has the authority, whatever the path says', () => {
    expect(authorityOf('private', 'full')).toBe('full')
    expect(authorityOf('private', 'preview')).toBe('preview')
    expect(authorityOf('public', 'full')).toBe('preview')
    expect(authorityOf('public', 'preview')).toBe('preview')
  })

  it('is never the try card’s id, which holds a credit of 50', () => {
    expect(isKeyShaped(TRY_CARD_ID)).toBe(false)
    expect([TRY_CARD_ID, TRY_CARD_CREDIT]).toEqual(['giftcard-try', 5000])
  })
})
