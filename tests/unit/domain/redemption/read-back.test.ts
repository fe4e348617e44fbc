import { describe, expect, it } from 'vitest'
import { LANGUAGES, type Language } from '#domain/languages.ts'
import { money } from '#domain/money/money.ts'
import { calledInSentences, listedNames, readBack, shortNameOf } from '#domain/redemption/read-back.ts'
import { splitCredit } from '#domain/redemption/split.ts'
import { getT } from '#i18n/index.ts'

describe('a short name', () => {
  it.each([
    ['Doctors Without Borders (MSF)', 'MSF'],
    ['Médicos Sin Fronteras', 'Médicos Sin Fronteras'],
    ['Programme alimentaire mondial (PAM) ', 'PAM'],
    ['UNRWA', 'UNRWA'],
    ['Fund (of funds) for all', 'Fund (of funds) for all'],
    ['Fund (one) (TWO)', 'TWO'],
    ['(MSF)', '(MSF)'],
    ['Fund ()', 'Fund ()'],
    ['Fund ( )', 'Fund ( )'],
  ])('of %j is %j', (title, short) => {
    expect(shortNameOf(title)).toBe(short)
  })
})

describe('what organisations are called in a sentence', () => {
  it('is the short name with its article, which French elides', () => {
    expect(
      calledInSentences([
        { title: 'Médicos Sin Fronteras' },
        { title: 'Fondo Central (CERF)', article: 'el' },
        { title: 'UNRWA', article: 'l’' },
        { title: 'UNICEF', article: "l'" },
        { title: 'Somebody (S)', article: null },
        { title: 'Nobody (N)', article: '' },
      ]),
    ).toEqual(['Médicos Sin Fronteras', 'el CERF', 'l’UNRWA', "l'UNICEF", 'S', 'N'])
  })

  it('is the whole title where two have one short name', () => {
    const titles = [
      'International Rescue Committee (IRC)',
      'Doctors Without Borders (MSF)',
      'Another Committee (IRC)',
    ]
    expect(calledInSentences(titles.map(title => ({ title, article: 'the' })))).toEqual([
      'the International Rescue Committee (IRC)',
      'the MSF',
      'the Another Committee (IRC)',
    ])
  })
})

describe('how organisations stand in a list', () => {
  it('is by initials, with the whole name beneath', () => {
    expect(listedNames(['Doctors Without Borders (MSF)', 'Programme alimentaire mondial (PAM) '])).toEqual([
      { name: 'MSF', whole: 'Doctors Without Borders' },
      { name: 'PAM', whole: 'Programme alimentaire mondial' },
    ])
  })

  it.each([
    ['without a short name', ['Médicos Sin Fronteras', 'UNRWA']],
    ['whose brackets hold words', ['Red Cross (branch of Valencia)', 'Fund ()']],
    ['of one short name', ['International Rescue Committee (IRC)', 'Another Committee (IRC)']],
  ])('is by the titles of those %s', (_, titles) => {
    expect(listedNames(titles)).toEqual(titles.map(name => ({ name, whole: undefined })))
  })
})

describe('a split read back', () => {
  const CALLED: Readonly<Record<string, string>> = { msf: 'MSF', cerf: 'CERF', irc: 'IRC' }
  const spoken = (points: Readonly<Record<string, number>>, language: Language, units = 50) => {
    const selection = Object.entries(points).map(([ngoId, given]) => ({ ngoId, points: given }))
    const allocations = splitCredit(money(units * 100, 'EUR'), selection)
    return readBack(
      allocations,
      language,
      id => CALLED[id] ?? id,
      values => getT(language)('select-ngo-confirm-part', values),
    ).replace(/[\u00a0\u202f]/g, ' ')
  }

  it('is a sentence of each language', () => {
    const points = { msf: 20, cerf: 20, irc: 10 }
    const said: Readonly<Partial<Record<Language, string>>> = {
      es: '20 € para MSF, 20 € para CERF y 10 € para IRC.',
      en: '€20 for MSF, €20 for CERF, and €10 for IRC.',
      fr: '20 € pour MSF, 20 € pour CERF et 10 € pour IRC.',
    }
    for (const language of LANGUAGES) {
      // Of a language without a line above, its own words are not known here.
      const sentence = said[language] ?? expect.stringMatching(/20.*MSF.*20.*CERF.*10.*IRC/)
      expect(spoken(points, language)).toEqual(sentence)
    }
    expect(spoken({ msf: 20 }, 'en')).toBe('€50 for MSF.')
    expect(spoken({ msf: 1, cerf: 1 }, 'fr')).toBe('25 € pour MSF et 25 € pour CERF.')
  })

  it('says what each gets in the end, with cents only where there are some', () => {
    expect(spoken({ msf: 2, irc: 1 }, 'en')).toBe('€33.33 for MSF and €16.67 for IRC.')
  })
})
