import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chooseLanguage, isLanguage, LANGUAGES, languageFromTag, perLanguage } from '#domain/languages.ts'
import { FOR_GERMAN, NOT_OURS, UNKNOWN } from '#tests/support/languages.ts'

describe('a language from a tag', () => {
  it.each([
    ['es', 'es'],
    ['es-MX', 'es'],
    ['ES_mx', 'es'],
    ['fr-CA', 'fr'],
    ['en-Latn-GB', 'en'],
    ['de', FOR_GERMAN],
    ['de-AT', FOR_GERMAN],
    [`${UNKNOWN[0]}-BR`, undefined],
    [UNKNOWN[1]!, undefined],
    ['english', undefined],
    ['est', undefined],
    ['*', undefined],
    ['', undefined],
    ['es mx', undefined],
    ['constructor', undefined],
  ])('reads %j as %s', (tag, language) => {
    expect(languageFromTag(tag)).toBe(language)
  })

  it('knows its languages and nothing else', () => {
    expect(LANGUAGES.every(isLanguage)).toBe(true)
    expect([...NOT_OURS, 'ES', '', null, undefined, 0, 'toString'].some(isLanguage)).toBe(false)
  })
})

describe('the visitor’s language', () => {
  const everything = { query: 'fr', path: '/es/intro', cookie: 'en', acceptLanguage: 'es' }

  it('comes from the query before all else', () => {
    expect(chooseLanguage(everything)).toBe('fr')
  })

  it('comes from the path’s prefix when the query says nothing', () => {
    expect(chooseLanguage({ ...everything, query: null })).toBe('es')
    expect(chooseLanguage({ ...everything, query: 'xx' })).toBe('es')
    expect(chooseLanguage({ path: 'fr' })).toBe('fr')
  })

  it('comes from the remembered choice when the path has no prefix', () => {
    expect(chooseLanguage({ path: '/intro/ngo-list', cookie: 'fr', acceptLanguage: 'es' })).toBe('fr')
    expect(chooseLanguage({ path: '/', cookie: 'fr', acceptLanguage: 'es' })).toBe('fr')
  })

  it('takes no prefix that is not a page’s', () => {
    expect(chooseLanguage({ path: `/${NOT_OURS[0]}/intro`, acceptLanguage: 'fr' })).toBe('fr')
    expect(chooseLanguage({ path: '/fr-CA', acceptLanguage: 'es' })).toBe('es')
  })

  it('maps German to English wherever it is said, until it is a language of its own', () => {
    expect(chooseLanguage({ query: 'de', cookie: 'fr' })).toBe(FOR_GERMAN)
    expect(chooseLanguage({ acceptLanguage: 'de-DE,de;q=0.9,fr;q=0.8' })).toBe(FOR_GERMAN)
  })

  it('is English for a visitor of whom nothing is known', () => {
    expect(chooseLanguage({})).toBe('en')
    expect(chooseLanguage({ acceptLanguage: 'zh-CN,ja;q=0.5' })).toBe('en')
  })

  it.each([
    ['es-MX,es;q=0.9,en;q=0.8', 'es'],
    ['en;q=0.1, fr;q=0.9', 'fr'],
    [`${UNKNOWN[0]}, fr;q=0.2, es;q=0.3`, 'es'],
    ['fr;q=0.5, es;q=0.5', 'fr'],
    ['FR-ca ; Q=0.8 , es;q=0.7', 'fr'],
    ['es;q=0, fr;q=0.001', 'fr'],
    ['es;q=0', 'en'],
    ['*', 'en'],
    ['en;q=0, *', 'es'],
    ['en;q=0, es;q=0, *;q=0.1', 'fr'],
    ['es;q=1.5, fr;q=0.1', 'fr'],
    ['es;q=high, fr', 'fr'],
    ['es;level=1, fr;q=0.1', 'fr'],
    [',,;,;q=1, fr', 'fr'],
    ['*;q=0.1, fr;q=0.05', 'en'],
  ])('reads the header %j as %s', (acceptLanguage, language) => {
    expect(chooseLanguage({ acceptLanguage })).toBe(language)
  })

  it('is the best-weighted supported language of any header (against an oracle that scans)', () => {
    const range = fc.constantFrom('es', 'en', 'fr', 'de', UNKNOWN[0]!, 'es-AR', 'en-GB', 'fr-BE', 'ja')
    const answered: Readonly<Record<string, string>> = { ...perLanguage(each => each), de: FOR_GERMAN }
    const weighted = fc.record({ range, thousandths: fc.integer({ min: 0, max: 1000 }) })
    fc.assert(
      fc.property(fc.array(weighted, { maxLength: 8 }), list => {
        const header = list.map(({ range, thousandths }) => `${range};q=${thousandths / 1000}`).join(', ')
        let best: { language: string; thousandths: number } | undefined
        for (const { range, thousandths } of list) {
          const language = answered[range.slice(0, 2)]
          if (language && thousandths > (best?.thousandths ?? 0)) best = { language, thousandths }
        }
        expect(chooseLanguage({ acceptLanguage: header })).toBe(best?.language ?? 'en')
      }),
    )
  })

  it('never fails, whatever the sources hold', () => {
    const text = fc.option(fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(text, text, text, text, (query, path, cookie, acceptLanguage) => {
        expect(LANGUAGES).toContain(chooseLanguage({ query, path, cookie, acceptLanguage }))
      }),
    )
  })
})
