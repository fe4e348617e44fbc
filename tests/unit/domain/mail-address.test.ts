import { describe, expect, it } from 'vitest'
import { isMailAddress } from '#domain/mail/address.ts'

describe('a mail address', () => {
  it.each(['buyer@example.org', 'a.b+tag@mail.example.co.uk', "o'neil@exämple.org", 'josé@example.org'])(
    'is one: %s',
    text => expect(isMailAddress(text)).toBe(true),
  )

  it.each([
    '',
    'buyer',
    '@example.org',
    'buyer@',
    'buyer@localhost',
    'buyer@example..org',
    'buyer@-example.org',
    'bu yer@example.org',
    'buyer@exam ple.org',
    'a@example.org, b@example.org',
    'a@b@example.org',
    'Zoë <buyer@example.org>',
    'buyer@example.org\r\nBcc: other@example.org',
    '"quoted"@example.org',
    '.buyer@example.org',
    `${'a'.repeat(65)}@example.org`,
    `a@${'b'.repeat(64)}.org`,
    `a@${'b.'.repeat(130)}org`,
  ])('is none: %j', text => expect(isMailAddress(text)).toBe(false))
})
