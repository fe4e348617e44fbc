import { describe, expect, it } from 'vitest'
import {
  authorityOf,
  isKeyShaped,
  KEY_LENGTH,
  readKey,
  TRY_CARD_CREDIT,
  TRY_CARD_ID,
} from '#domain/card/keys.ts'

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

  it('is read from whatever a person makes of it', () => {
    const key = 'abcdefghijklmnopqrstuvwxyz234567'
    const inGroups = (between: string) => key.match(/.{4}/g)!.join(between)
    const written = [
      key,
      key.toUpperCase(),
      `A${key.slice(1)}`,
      inGroups(' '),
      inGroups('-').toUpperCase(),
      inGroups('\u2011'),
      inGroups(' – '),
      inGroups('\u00a0'),
      inGroups('\u200b'),
      ...['.', ',', ')', '"', '»', '>', '!', '…', '.”', '\n', ' '].map(end => key + end),
      ...['«', '(', '“', ' ', '\ufeff', '<'].map(start => start + key),
    ]
    for (const each of written) expect(readKey(each), JSON.stringify(each)).toBe(key)
  })

  it('is not read into what is none, nor into the try card', () => {
    const key = 'abcdefghijklmnopqrstuvwxyz234567'
    const none = [
      '',
      key.slice(1),
      `${key}a`,
      `${key.slice(1)}1`,
      `${key.slice(1)}é`,
      `${key.slice(0, 16)}.${key.slice(16)}`,
      `${key.slice(0, 16)}/${key.slice(16)}`,
      `${'.'.repeat(200)}${key}`,
      TRY_CARD_ID,
      '\u0000',
    ]
    for (const each of none) expect(readKey(each), JSON.stringify(each)).toBeUndefined()
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
