import { describe, expect, it } from 'vitest'
import { readClaimAddress } from '#domain/campaign/claim-address.ts'

const folded = (text: string) => {
  const read = readClaimAddress(text)
  return typeof read === 'string' ? `refused: ${read}` : read.folded
}

describe('the address of a claim', () => {
  it.each([
    'ana.lopez@gmail.com',
    '  Ana.Lopez@Gmail.com \t',
    'analopez@gmail.com',
    'a.n.a.l.o.p.e.z@gmail.com',
    'ana.lopez+free@gmail.com',
    'analopez+a+b@googlemail.com',
    'ａｎａｌｏｐｅｚ＠ｇｍａｉｌ．ｃｏｍ',
    'ANALOPEZ@GMAIL.COM',
    '\u00a0analopez@gmail.com\u3000',
  ])('is one mailbox, however it is written: %j', text => {
    expect(folded(text)).toBe('analopez@gmail.com')
  })

  it('keeps dots and tags apart where they can be another mailbox', () => {
    expect(folded('a.b+c@example.org')).toBe('a.b+c@example.org')
    expect(folded('A.B+C@Example.ORG')).toBe('a.b+c@example.org')
    expect(folded('ab@example.org')).toBe('ab@example.org')
  })

  it('writes to the address as it was typed, without what surrounds it', () => {
    expect(readClaimAddress(' Ana.Lopez+x@Gmail.com ')).toEqual({
      address: 'Ana.Lopez+x@gmail.com',
      folded: 'analopez@gmail.com',
    })
  })

  it('takes a domain in other letters for what the mail system calls it, never for its look-alike', () => {
    expect(folded('ana@exämple.org')).toBe('ana@xn--exmple-cua.org')
    // The second letter is Cyrillic.
    expect(folded('ana@gmаil.com')).toBe('ana@xn--gmil-63d.com')
  })

  it.each(['', '   ', '\u00a0\u3000', '\r\n'])('is required: %j', text => {
    expect(folded(text)).toBe('refused: required')
  })

  it.each([
    'ana',
    'ana@',
    '@gmail.com',
    'ana@gmail',
    'ana lopez@gmail.com',
    'ana@gmail.com, eva@gmail.com',
    'ana@gmail.com\r\nBcc: all@example.org',
    'ana@gmail.com\nSubject: x',
    'ana%0aBcc:eva@example.org\r\n.',
    'Ana <ana@gmail.com>',
    '"ana"@gmail.com',
    'ana@gmail.com\u0000',
    'аna@gmail.com',
    'an\u200ba@gmail.com',
    'ana@exam\u00adple.org',
    'ana@127.0.0.1',
    'ana@2130706433.0',
    '+tag@gmail.com',
    '.@gmail.com',
    'ana@gmail.com.',
    'ana@[127.0.0.1]',
    `${'a'.repeat(65)}@gmail.com`,
    `ana@${'b.'.repeat(130)}org`,
  ])('is refused: %j', text => {
    expect(folded(text)).toBe('refused: address')
  })
})
