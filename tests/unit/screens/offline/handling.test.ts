import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '#domain/languages.ts'
import { localizedPath, PUBLISHED_PAGES, renewalPath, volunteeringCardPath, withdrawalPath } from '#paths'
import { handlingOf, keptPages } from '#screens/offline/handling.ts'

const handled = (path: string, search = '') => handlingOf(path, search, keptPages())
const key = fc.stringMatching(/^[a-z2-7]{32}$/)

describe('a page that is opened', () => {
  it('is kept where anybody may keep it, in each language', () => {
    for (const language of LANGUAGES)
      for (const { path, noStore } of PUBLISHED_PAGES)
        expect(handled(localizedPath(language, path)), path).toBe(noStore ? 'cover' : 'keep')
  })

  it('is not kept with anything behind its address, nor without its language', () => {
    for (const search of ['?session_id=cs_1', '?privateKey=a', '?token=a', '?lang=fr', '?shareRef=x'])
      expect(handled('/es/intro', search)).toBe('cover')
    expect(handled('/intro')).toBe('cover')
    expect(handled('/')).toBe('cover')
  })

  it('is never kept with a key in it, wherever that stands and however it is written', () => {
    fc.assert(
      fc.property(key, fc.constantFrom(...LANGUAGES), (secret, language) => {
        for (const written of [secret, secret.toUpperCase(), secret.replace(/(.{4})(?=.)/g, '$1-')])
          for (const path of [
            `/gift-card/${written}`,
            `/gift-card/${written}/introduction-1/final`,
            volunteeringCardPath(written),
            renewalPath('card', written),
            withdrawalPath('order', written),
            '/g/ukraine/es',
            `/g/${written}`,
            `/${written}`,
            `/${language}/${written}`,
            `/${language}/intro/${written}`,
            `/${language}/gift-card/${written}`,
          ])
            expect(handled(path)).toBe('cover')
      }),
      { numRuns: 2_000 },
    )
  })

  it('is left alone where it is a call, a file, the operator’s or the server’s own', () => {
    for (const path of [
      '/api/ajuda/giftcard/x/full',
      '/api/cms/published',
      '/studio',
      '/studio/structure',
      '/studio-login',
      '/internal/mail',
      '/images/x-320.avif',
      '/_local/mail',
      '/_astro/page.js',
      '/robots.txt',
      '/gift-card-volunteering/x/photo-book.pdf',
    ])
      expect(handled(path), path).toBe('leave')
  })
})
