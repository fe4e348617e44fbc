import { describe, expect, it } from 'vitest'
import { isHandleShaped, readGiftLink } from '#domain/card/gift-links.ts'
import { groupedKey, isKeyShaped, readKey } from '#domain/card/keys.ts'
import { giftLinkPath } from '#paths'

const KEY = 'abcdefghijklmnopqrstuvwxyz234567'
const HANDLE = `0${KEY.slice(1)}`
const gift = { themeId: 'ukraine', language: 'fr' } as const

describe('the link of a gift', () => {
  it('names theme, language and kind before its key, which stands behind #', () => {
    expect(giftLinkPath(gift, KEY)).toBe(`/g/ukraine/fr#${KEY}`)
    expect(giftLinkPath({ ...gift, kind: 'volunteering' }, KEY)).toBe(`/g/ukraine/fr/invitation#${KEY}`)
    expect(giftLinkPath(gift, KEY, 'passport')).toBe(`/g/ukraine/fr#${KEY}/passport`)
  })

  it.each([
    `https://gifts.example${giftLinkPath(gift, KEY)}`,
    `/g#${KEY}`,
    `#${KEY}`,
    KEY,
    KEY.toUpperCase(),
    groupedKey(KEY),
    `#${encodeURIComponent(groupedKey(KEY).replaceAll('-', ' '))}`,
    `gifts.example/g#${KEY}.`,
    `Somebody thought of you. https://gifts.example/g/palestine/en#${KEY} Kisses`,
    `«https://gifts.example/g/palestine/en#${KEY}»`,
    `https://gifts.example/gift-card/${KEY}/introduction/final`,
    `https://gifts.example/gift-card-volunteering/${KEY}/introduction`,
    `https://gifts.example/es/intro/no-refresh/free-gift-card-campaign-checkout?privateKey=${KEY}&x=1`,
    `https://gifts.example/g#%zz/${KEY}`,
  ])('is read out of %s', written => {
    expect(readGiftLink(written)).toEqual({ key: KEY })
  })

  it('may lead to a place behind the beginning', () => {
    const link = `https://gifts.example${giftLinkPath(gift, KEY, 'passport')}`
    expect(readGiftLink(link)).toEqual({ key: KEY, place: 'passport' })
    expect(readGiftLink(`${link}.`)).toEqual({ key: KEY, place: 'passport' })
    expect(readGiftLink(`#${KEY}/elsewhere`)).toEqual({ key: KEY })
  })

  it.each(['', '#', 'https://gifts.example/g', `${KEY}x`, HANDLE, `/gift-card/${HANDLE}/introduction/final`])(
    'is not read out of %s',
    written => {
      expect(readGiftLink(written)).toBeUndefined()
    },
  )

  it('is not looked for in a text that no link is as long as', () => {
    expect(readGiftLink(`${'a '.repeat(600)}#${KEY}`)).toBeUndefined()
  })
})

describe('a handle', () => {
  it('is as long as a key, and never one', () => {
    expect(isHandleShaped(HANDLE)).toBe(true)
    expect(HANDLE).toHaveLength(KEY.length)
    expect(isKeyShaped(HANDLE)).toBe(false)
    expect(readKey(HANDLE)).toBeUndefined()
    for (const other of [KEY, `${HANDLE}a`, HANDLE.slice(1), `1${HANDLE.slice(1)}`, ''])
      expect(isHandleShaped(other), other).toBe(false)
  })
})
