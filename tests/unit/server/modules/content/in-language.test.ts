import { describe, expect, it } from 'vitest'
import { inLanguage } from '#server/modules/content/snapshot.ts'
import { inLanguages } from '#tests/builders/domain.ts'

describe('a localised text', () => {
  it('is given in the language asked for', () => {
    expect(inLanguage(inLanguages({ es: 'hola', en: 'hello', fr: 'bonjour' }), 'fr')).toBe('bonjour')
  })

  it.each(['', '  ', '\n'])('is given in Spanish where the language has %j', blank => {
    expect(inLanguage(inLanguages({ es: 'hola', en: 'hello', fr: blank }), 'fr')).toBe('hola')
  })
})
