import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isKeyShaped } from '#domain/card/keys.ts'
import { createCardKeys } from '#server/modules/gifts/cards/keys.ts'

const keys = createCardKeys('0123456789abcdef0123456789abcdef')

it('derives the keys that another implementation of the formula derives', () => {
  expect(keys.privateKey('card-1', 1)).toBe('4ik27aorhlmrv3ns5qhrk3zqcyyplypi')
  expect(keys.publicKey('card-1', 1)).toBe('mlrveo2qqnnggp2y4qalke44cmiytt4u')
})

it('keeps SHA-256 of a key', () => {
  expect(keys.digest('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

it('gives every card, kind, version and secret a key of its own, in the shape of a key', () => {
  const other = createCardKeys('another secret of thirty-two letters')
  const all = ['1', '11', 'a', 'b|private|1'].flatMap(cardId =>
    [1, 11].flatMap(version =>
      [keys, other].flatMap(each => [each.privateKey(cardId, version), each.publicKey(cardId, version)]),
    ),
  )
  expect(new Set(all).size).toBe(all.length)
  expect(all.every(isKeyShaped)).toBe(true)
})

it('derives the same key again, whatever the card id', () => {
  fc.assert(
    fc.property(fc.string(), cardId => {
      expect(keys.privateKey(cardId, 1)).toBe(keys.privateKey(cardId, 1))
      expect(isKeyShaped(keys.publicKey(cardId, 1))).toBe(true)
    }),
  )
})

it('refuses a secret that is too short to keep anything', () => {
  expect(() => createCardKeys('a'.repeat(31))).toThrow('at least 32')
})

it('keeps of a text that could be guessed what no guess confirms without the secret', () => {
  const other = createCardKeys('another secret of thirty-two letters')
  const kept = keys.keyedDigest('ana@example.org')
  expect(kept).toMatch(/^hmac:[0-9a-f]{64}$/)
  expect(keys.keyedDigest('ana@example.org')).toBe(kept)
  for (const guess of [keys.digest('ana@example.org'), keys.pseudonym('ana@example.org')])
    expect(kept).not.toContain(guess)
  expect(other.keyedDigest('ana@example.org')).not.toBe(kept)
  // What was kept before can be carried over without the text.
  expect(keys.keyedDigestOf(keys.digest('ana@example.org'))).toBe(kept)
})

it('seals a text for what it is about, under its secret, once like never again', () => {
  const other = createCardKeys('another secret of thirty-two letters')
  const sealed = keys.seal('cs_test_1234567890', 'order-1')
  // So many letters as chance does not bring together in a seal.
  expect(sealed).not.toContain('cs_test')
  expect(keys.seal('cs_test_1234567890', 'order-1')).not.toBe(sealed)
  expect(keys.unseal(sealed, 'order-1')).toBe('cs_test_1234567890')
  const bytes = Buffer.from(sealed, 'base64url')
  const changed = [0, 12, bytes.length - 1].map(at => {
    const copy = Buffer.from(bytes)
    copy[at]! ^= 1
    return copy.toString('base64url')
  })
  for (const wrong of ['', 'x', 'cs_test_1234567890', sealed.slice(0, -2), ...changed])
    expect(keys.unseal(wrong, 'order-1'), wrong).toBeUndefined()
  expect(keys.unseal(sealed, 'order-2')).toBeUndefined()
  expect(other.unseal(sealed, 'order-1')).toBeUndefined()
})
