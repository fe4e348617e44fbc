import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  CHECK_WORD_LENGTH,
  checkWordFrom,
  printedCheckWord,
  readCheckWord,
  standingOf,
} from '#domain/card/check-word.ts'
import { CARD_STATUSES } from '#domain/card/states.ts'

const hashOf = (text: string) => createHash('sha256').update(text).digest()
const words = Array.from({ length: 2_000 }, (_, n) => checkWordFrom(hashOf(String(n))))

describe('a check word', () => {
  it('is twelve letters that nobody takes for another or for a digit, with 51 bits of chance', () => {
    for (const word of words) expect(word).toMatch(/^[bcdfghjkmnpqrstvwxyz]{12}$/)
    expect(new Set(words).size).toBe(words.length)
    expect(CHECK_WORD_LENGTH * Math.log2(20)).toBeGreaterThan(51)
  })

  it('has every letter about as often at every place', () => {
    for (let place = 0; place < CHECK_WORD_LENGTH; place++) {
      const counts = new Map<string, number>()
      for (const word of words) counts.set(word[place]!, (counts.get(word[place]!) ?? 0) + 1)
      expect(counts.size).toBe(20)
      for (const count of counts.values()) expect(Math.abs(count - 100)).toBeLessThan(50)
    }
  })

  it('is another one when a single bit of the hash is another', () => {
    const hash = hashOf('a key')
    for (let bit = 0; bit < 64; bit++) {
      const other = Uint8Array.from(hash)
      const at = other.length - 1 - Math.floor(bit / 8)
      other[at]! ^= 1 << (bit % 8)
      expect(checkWordFrom(other)).not.toBe(checkWordFrom(hash))
    }
  })

  it('is printed in groups of capitals', () => {
    expect(printedCheckWord('bcdfghjkmnpq')).toBe('BCDF-GHJK-MNPQ')
  })

  it('is read from whatever a person makes of it', () => {
    for (const written of [
      'bcdfghjkmnpq',
      'BCDF-GHJK-MNPQ',
      ' bcdf ghjk mnpq ',
      'Bcdf–Ghjk–Mnpq.',
      '«BCDF\u2011GHJK\u00a0MNPQ»',
    ])
      expect(readCheckWord(written), written).toBe('bcdfghjkmnpq')
    for (const word of words.slice(0, 50)) expect(readCheckWord(printedCheckWord(word))).toBe(word)
  })

  it('is not read into what is none', () => {
    for (const written of [
      '',
      'bcdfghjkmnp',
      'bcdfghjkmnpqr',
      'acdfghjkmnpq',
      'bcdfghjkmnp1',
      'bcdf.ghjk.mnpq',
      `${'-'.repeat(200)}bcdfghjkmnpq`,
    ])
      expect(readCheckWord(written), written).toBeUndefined()
  })
})

it('a gift stands to be used, is used, or is held for whatever reason', () => {
  expect(CARD_STATUSES.map(status => [status, standingOf(status)])).toEqual([
    ['active', 'there'],
    ['left', 'used'],
    ['consumed', 'used'],
    ['frozen', 'held'],
    ['cancelling', 'held'],
    ['revoked', 'held'],
  ])
})
