import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '#domain/languages.ts'
import { fillText } from '#domain/text/fill-text.ts'

/** What a French reader expects after "Un cadeau". */
const FRENCH = [
  ['Aurélie', 'd’Aurélie'],
  ['Élodie', 'd’Élodie'],
  ['E\u0301lodie', 'd’E\u0301lodie'],
  ['Íñigo', 'd’Íñigo'],
  ['Ömer', 'd’Ömer'],
  ['Ugo', 'd’Ugo'],
  ['ousmane', 'd’ousmane'],
  ['OLIVIER', 'd’OLIVIER'],
  ['Œnone', 'd’Œnone'],
  ['A. Martin', 'd’A. Martin'],
  ['une amie', 'd’une amie'],
  ['Yves', 'd’Yves'],
  ['Yvonne et Paul', 'd’Yvonne et Paul'],
  ['Yann', 'de Yann'],
  ['Yasmine', 'de Yasmine'],
  ['Youssef', 'de Youssef'],
  ['Hélène', 'd’Hélène'],
  ['HÉLOÏSE', 'd’HÉLOÏSE'],
  ['Henri-Pierre', 'd’Henri-Pierre'],
  ['Hugo', 'd’Hugo'],
  ['Hubert & Anne', 'd’Hubert & Anne'],
  ['Hassan', 'de Hassan'],
  ['Harry', 'de Harry'],
  ['Hans', 'de Hans'],
  ['Marie', 'de Marie'],
  ['Çelik', 'de Çelik'],
  ['Ñusta', 'de Ñusta'],
  ['Zoé', 'de Zoé'],
  ['Onze copains', 'de Onze copains'],
  ['les collègues', 'des collègues'],
  ['Le bureau', 'du bureau'],
  ['Le Corbusier', 'de Le Corbusier'],
  ['L’équipe', 'de L’équipe'],
  ['李明', 'de 李明'],
  ['Али', 'de Али'],
  ['🎁 Ana', 'de 🎁 Ana'],
  ['8 amis', 'de 8 amis'],
] as const

describe('a name in a sentence', () => {
  it.each(FRENCH)('makes French say of %s: Un cadeau %s', (name, said) => {
    expect(fillText('Un cadeau de {{name}}', { name }, 'fr')).toBe(`Un cadeau ${said}`)
    expect(fillText('De {{name}}, merci.', { name }, 'fr')).toBe(
      `${said[0]!.toUpperCase()}${said.slice(1)}, merci.`,
    )
  })

  it('shortens the other French words that are shortened, and no word that only ends alike', () => {
    expect(fillText('plus que {{name}}', { name: 'Inès' }, 'fr')).toBe('plus qu’Inès')
    expect(fillText('jusque {{name}}', { name: 'Arles' }, 'fr')).toBe('jusqu’Arles')
    for (const before of ['pour', 'mode', 'chèque', 'avec', 'et', 'à', 'par'])
      expect(fillText(`${before} {{name}}`, { name: 'Aurélie' }, 'fr')).toBe(`${before} Aurélie`)
    expect(fillText('à {{name}}', { name: 'les amis' }, 'fr')).toBe('aux amis')
    expect(fillText('{{name}} de Nantes', { name: 'Aurélie' }, 'fr')).toBe('Aurélie de Nantes')
  })

  it('contracts the Spanish article, and leaves names and every other language alone', () => {
    const of = (name: string, language: 'es' | 'en') => fillText('Un regalo de {{name}}', { name }, language)
    expect(of('el equipo', 'es')).toBe('Un regalo del equipo')
    expect(of('El equipo de Ana', 'es')).toBe('Un regalo del equipo de Ana')
    expect(of('El Salvador', 'es')).toBe('Un regalo de El Salvador')
    expect(of('el CERF', 'es')).toBe('Un regalo del CERF')
    expect(fillText('Fueron a {{name}}.', { name: 'el CERF' }, 'es')).toBe('Fueron al CERF.')
    expect(fillText('Allés à {{name}}.', { name: 'le PAM' }, 'fr')).toBe('Allés au PAM.')
    expect(of('Elena', 'es')).toBe('Un regalo de Elena')
    expect(of('Aurélie', 'es')).toBe('Un regalo de Aurélie')
    expect(fillText('Saluda a {{name}}', { name: 'el grupo' }, 'es')).toBe('Saluda al grupo')
    expect(of('el equipo', 'en')).toBe('Un regalo de el equipo')
  })

  it('fills every placeholder once, with nothing where there is no value, and reads no name as a text', () => {
    for (const language of LANGUAGES) {
      expect(fillText('{{a}} {{b}} {{a}}{{c}}', { a: 1, b: 'x' }, language)).toBe('1 x 1')
      expect(fillText('de {{name}}', { name: '{{name}} $& $1' }, language)).toBe('de {{name}} $& $1')
    }
  })
})
