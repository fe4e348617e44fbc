import { describe, expect, it } from 'vitest'
import { commonWord, LONGEST_WISH, readWish, readWritten } from '#domain/wish/wish.ts'

const written = (fields: Readonly<Record<string, string>>) => readWritten(name => fields[name] ?? null)

describe('a wish', () => {
  it('is one clean line of each field, cut to its length', () => {
    expect(written({ name: '  Médecins\ndu \u202eMonde ', hint: 'x'.repeat(200) })).toEqual({
      name: 'Médecins du Monde',
      hint: 'x'.repeat(LONGEST_WISH),
    })
  })

  it('needs a name, and no hint', () => {
    expect(readWish(written({ name: ' \u200b', hint: 'France' }))).toBeUndefined()
    expect(readWish(written({ name: 'Oxfam' }))).toEqual({ name: 'Oxfam', hint: null })
    expect(readWish(written({ name: 'Oxfam', hint: 'oxfam.org' }))).toEqual({
      name: 'Oxfam',
      hint: 'oxfam.org',
    })
  })

  it.each([
    ['Médecins du Monde', 'medecins-du monde.'],
    ['OXFAM', ' oxfam '],
    ['赤十字', '赤十字!'],
  ])('for %s is one with a wish for %s', (one, other) => {
    expect(commonWord(one)).toBe(commonWord(other))
  })

  it('for another organisation is another, also where its name has signs alone', () => {
    expect(commonWord('Oxfam')).not.toBe(commonWord('Oxfam France'))
    expect(commonWord('!!')).toBe('!!')
  })
})
