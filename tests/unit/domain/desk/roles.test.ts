import fc from 'fast-check'
import { expect, it } from 'vitest'
import { invitationCode, mayDo, ROLES, readInvitationCode, readPersonName } from '#domain/desk/roles.ts'

it('lets a treasurer do everything, and an editor only what an editor does', () => {
  expect(ROLES.map(role => ROLES.map(needed => mayDo(role, needed)))).toEqual([
    [true, false],
    [true, true],
  ])
})

it('reads an invitation’s code back, however it was typed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), bytes => {
      const code = invitationCode(bytes)
      expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){4}[0-9A-HJKMNP-TV-Z]{4}$/)
      const letters = code.replaceAll('-', '')
      for (const typed of [code, letters, code.toLowerCase(), ` ${code.replaceAll('-', ' ')} `])
        expect(readInvitationCode(typed)).toBe(letters)
      expect(readInvitationCode(letters.replaceAll('0', 'O').replaceAll('1', 'l'))).toBe(letters)
    }),
  )
  for (const none of ['', '-', 'A'.repeat(19), 'A'.repeat(21), 'U'.repeat(20), 'A'.repeat(20).padEnd(99)])
    expect(readInvitationCode(none)).toBeUndefined()
})

it('takes a name of one line, and nothing that hides in it', () => {
  expect(readPersonName('  Ana  María ')).toBe('Ana María')
  for (const none of ['', '  ', 'x'.repeat(61), 'a\u200bb', 'a\u0000b'])
    expect(readPersonName(none)).toBeUndefined()
})
