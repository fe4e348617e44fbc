import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isKeyShaped } from '#domain/card/keys.ts'
import { createCardKeys } from '#server/cards/keys.ts'

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
