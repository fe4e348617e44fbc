import { expect, it } from 'vitest'
import { nameInLetter } from '#domain/mail/name-in-letter.ts'

it.each([
  'example.com',
  'Ana http://example.com/x',
  'https://x',
  'WWW.prize',
  'You win at prize.example today',
  'ana@example.org',
  'ｅｘａｍｐｌｅ．ｃｏｍ',
  'example。com',
  'пример.рф',
  'M.Smith',
])('leaves out %s, which a mail program would make a link', name => {
  expect(nameInLetter(name)).toBeNull()
})

it.each(['Ana', 'J.R.R. Tolkien', 'Sra. López', 'Ana & Co.', 'Year 2.0', 'Zoë / Łukasz', 'O’Neill: 3 kids…'])(
  'keeps %s',
  name => {
    expect(nameInLetter(name)).toBe(name)
  },
)

it('keeps an anonymous giver anonymous', () => {
  expect(nameInLetter(null)).toBeNull()
})
