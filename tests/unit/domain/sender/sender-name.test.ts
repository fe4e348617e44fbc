import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cleanSenderName,
  isSenderNameTooLong,
  readSender,
  SENDER_NAME_LENGTH,
} from '#domain/sender/sender-name.ts'
import { count } from '#tests/support/counts.ts'

describe('a sender’s name', () => {
  it.each([
    ['Íñigo', 'Íñigo'],
    ['  Ana   y\tLuis ', 'Ana y Luis'],
    ['Ana\r\nBcc: all@example.org', 'Ana Bcc: all@example.org'],
    ['Ana\u2028Luis\u0085Eva', 'Ana Luis Eva'],
    ['A\u0000n\u001ba', 'Ana'],
    ['Ana \u0000 Luis', 'Ana Luis'],
    ['\u202eanA\u202c', 'anA'],
    ['\u2066Ana\u2069\u200f', 'Ana'],
    ['A\ud800na\udc00', 'Ana'],
    ['I\u0301n\u0303igo', '\u00cd\u00f1igo'],
    ['<b>Ana</b> & "Luis"', '<b>Ana</b> & "Luis"'],
    ['👩‍👩‍👧 Família', '👩‍👩‍👧 Família'],
    ['می‌خواهم', 'می‌خواهم'],
    ['', ''],
    [' \n ', ''],
    ['\u200b\u2060\ufeff', ''],
    ['\u200d\u200c', ''],
    ['\u3164\u115f', ''],
    ['\u0301', ''],
  ])('typed as %j becomes %j', (typed, name) => {
    expect(cleanSenderName(typed)).toBe(name)
  })

  it('has 80 characters at most', () => {
    expect(cleanSenderName('x'.repeat(80))).toHaveLength(80)
    expect(cleanSenderName('x'.repeat(81))).toHaveLength(80)
    expect([...cleanSenderName('🎁'.repeat(100))]).toHaveLength(80)
  })

  it.each([
    ['x'.repeat(80), false],
    ['x'.repeat(81), true],
    [` ${'x'.repeat(40)}  \n ${'x'.repeat(39)} `, false],
    ['🎁'.repeat(80), false],
    ['🎁'.repeat(81), true],
    ['x'.repeat(100_000), true],
    ['', false],
  ])('is too long where more than 80 characters of it would stand on a card: %#', (typed, isTooLong) => {
    expect(isSenderNameTooLong(typed)).toBe(isTooLong)
  })

  it('is never cut within a character', () => {
    const family = '👩‍👩‍👧'
    expect(cleanSenderName(`${'x'.repeat(78)}${family}`)).toBe('x'.repeat(78))
    expect(cleanSenderName(`${'x'.repeat(75)}${family}`)).toBe(`${'x'.repeat(75)}${family}`)
  })

  it('does not end in the space at which it was cut', () => {
    expect(cleanSenderName(`${'x'.repeat(79)} yz`)).toBe('x'.repeat(79))
  })

  it('is one clean line, whatever was typed, and cleaning it again changes nothing', () => {
    const nasty = fc.constantFrom(
      '\n',
      '\u202e',
      '\u2067',
      '\u0000',
      '\u200b',
      ' ',
      '\u0301',
      'e',
      '\ud83d',
      '👍🏽',
      'ß',
    )
    const typed = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.array(nasty, { maxLength: 200 }).map(parts => parts.join('')),
    )
    fc.assert(
      fc.property(typed, text => {
        const name = cleanSenderName(text)
        expect([...name].length).toBeLessThanOrEqual(SENDER_NAME_LENGTH)
        expect(name).not.toMatch(/[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u)
        expect(name).toBe(name.trim())
        expect(name).not.toMatch(/\s\s/u)
        expect(cleanSenderName(name)).toBe(name)
      }),
      { numRuns: count({ usual: 1_000, long: 100_000 }) },
    )
  })
})

describe('the sender that a choice makes', () => {
  it('is anonymous, whatever was typed', () => {
    expect(readSender('anonymous', 'Ana')).toEqual({ kind: 'anonymous' })
    expect(readSender('anonymous', null)).toEqual({ kind: 'anonymous' })
  })

  it('is a cleaned own name', () => {
    expect(readSender('own', ' Ana\n')).toEqual({ kind: 'own', name: 'Ana' })
  })

  it.each([
    ['own', ''],
    ['own', ' \u200b '],
    ['own', null],
    [undefined, 'Ana'],
  ] as const)('is not complete for %s with %j', (kind, name) => {
    expect(readSender(kind, name)).toBeUndefined()
  })
})
