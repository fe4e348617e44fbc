import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createMac } from '#server/platform/mac.ts'

const SECRET = 'a secret that only this test knows of'
const key = createHmac('sha256', SECRET).update('the key of the seals').digest()
const plain = (text: string) => createHmac('sha256', key).update(text).digest('base64url').slice(0, 22)

it('is HMAC-SHA-256 of any text, short, long or in any script', () => {
  const mac = createMac(SECRET)
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ minLength: 1_000, maxLength: 6_000, unit: 'grapheme' }),
  )
  fc.assert(
    fc.property(texts, text => {
      expect(mac(text)).toBe(plain(text.toWellFormed()))
    }),
  )
  for (const length of [0, 1, 63, 64, 1_343, 1_344, 1_345, 4_032, 4_033])
    expect(mac('ñ'.repeat(length))).toBe(plain('ñ'.repeat(length)))
})

it('is another one under another secret', () => {
  expect(createMac(`${SECRET}.`)('text')).not.toBe(createMac(SECRET)('text'))
})
