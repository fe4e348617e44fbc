import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  chooseLanguage,
  DEFAULT_LANGUAGE,
  isLanguage,
  LANGUAGES,
  type Language,
  languageFromTag,
} from '#domain/languages.ts'
import { NOT_OURS, UNKNOWN } from '#tests/support/languages.ts'

/**
 * Two more languages: one of which nothing is known, and German as long as it is answered in English. They are in the
 * table before anything else is read that is made of it.
 */
const ADDED = [...new Set([UNKNOWN[0], NOT_OURS[0]])] as readonly Language[]
const table = LANGUAGES as unknown as Language[]

let paths: typeof import('#paths')
beforeAll(async () => {
  table.push(...ADDED)
  paths = await import('#paths')
})

describe.each(ADDED)('a language that is added to the table (%s)', added => {
  it('is known by its tag, its region’s and the browser’s wish', () => {
    expect(isLanguage(added)).toBe(true)
    for (const tag of [added, `${added}-CH`, added.toUpperCase()]) expect(languageFromTag(tag)).toBe(added)
    expect(chooseLanguage({ acceptLanguage: `${added}-AT,fr;q=0.5` })).toBe(added)
    expect(chooseLanguage({ query: added, cookie: 'fr' })).toBe(added)
    expect(chooseLanguage({ path: `/${added}/intro`, cookie: 'fr' })).toBe(added)
  })

  it('is a prefix of every published page, for the front and for statistics', async () => {
    const { routeOf } = await import('#server/http/router/routes.ts')
    const analytics = await import('#domain/analytics/route.ts')
    const pages = new Map(paths.PUBLISHED_PAGES.map(page => [page.path, page]))
    for (const page of paths.PUBLISHED_PAGES) {
      const path = paths.localizedPath(added, page.path)
      expect(paths.parsePath(path)).toEqual({ language: added, rest: page.path })
      expect(routeOf(path, pages)).toEqual({ kind: 'published', page, language: added })
    }
    expect(analytics.routeOf(`/${added}/intro/ngo-list?x=1`)).toEqual({
      route: '/intro/ngo-list',
      language: added,
    })
    expect(paths.parsePath(`/${added}x`)).toEqual({ rest: `/${added}x` })
  })

  it('is remembered, listed for crawlers and no word that a campaign may have', async () => {
    const { rememberLanguage, visitorLanguage } = await import('#server/http/router/visitor-language.ts')
    const { reservedWords } = await import('#domain/campaign/reserved-words.ts')
    const { sitemapXml } = await import('#server/http/page-cache/crawlers.ts')
    expect(rememberLanguage(added, true)).toContain(`lang=${added};`)
    const visit = { query: `?lang=${added}`, path: undefined, cookieHeader: undefined, acceptLanguage: 'fr' }
    expect(visitorLanguage(visit)).toMatchObject({ language: added, asked: true })
    expect(reservedWords([]).has(added)).toBe(true)
    const map = sitemapXml('https://gift.example', paths.PUBLISHED_PAGES)
    expect(map).toContain(`https://gift.example/${added}/intro`)
  })

  it('is asked of the content, and kept with a mission', async () => {
    const { inEveryLanguage, text } = await import('#server/modules/content/fields.ts')
    const { readVolunteeringCard } = await import('#wire/volunteering.ts')
    const { readKeptMission } = await import('#server/modules/gifts/invitations/mission-snapshot.ts')
    const named = Object.fromEntries(table.map(language => [language, `in ${language}`]))
    expect(inEveryLanguage(text).parse(named)).toEqual(named)
    const { [added]: _, ...without } = named
    expect(inEveryLanguage(text).safeParse(without).error?.issues[0]?.path).toEqual([added])
    // A card that was sold before has the name in the languages of its day.
    const kept = readKeptMission(JSON.stringify({ kind: 'listed', id: 'm', title: without }))
    expect(kept).toMatchObject({ title: { ...without, [added]: 'in es' } })
    const card = {
      senderName: null,
      theme: { id: 'palestine', background: [255, 255, 255], text: [0, 0, 0] },
      mission: { kind: 'listed', id: 'm', title: named },
    }
    const { giftcard } = readVolunteeringCard.response.parse(card) as { giftcard: { missionTitle: unknown } }
    expect(giftcard.missionTitle).toEqual(named)
  })

  it('has texts in the source language until it has its own, and the test payment page in the default one', async () => {
    const { getT } = await import('#i18n/index.ts')
    const { pageLanguage, textsIn } = await import('#stand-ins/payments-double/hosted/texts.ts')
    expect(getT(added)('intro-title')).toBe(getT('es')('intro-title'))
    expect(pageLanguage(added, null)).toBe(DEFAULT_LANGUAGE)
    expect(pageLanguage('auto', `${added};q=1, fr;q=0.5`)).toBe(DEFAULT_LANGUAGE)
    expect(textsIn(added)).toBe(textsIn(DEFAULT_LANGUAGE))
  })

  it('is one of those that the integration is told', () => {
    const config = readFileSync('astro-i18next.config.cjs', 'utf8')
    const module = { exports: {} as { locales?: unknown } }
    const require = createRequire(import.meta.url)
    const asked = (name: string) =>
      name.endsWith('/domain/languages.ts') ? { LANGUAGES: table, SOURCE_LANGUAGE: 'es' } : require(name)
    new Function('module', 'require', config)(module, asked)
    expect(module.exports.locales).toEqual(table)
  })
})

describe('German, while it is none of the product’s', () => {
  it('is answered in English', () => {
    const index = table.indexOf('de' as Language)
    table.splice(index, 1)
    try {
      expect(languageFromTag('de-AT')).toBe('en')
    } finally {
      table.splice(index, 0, 'de' as Language)
    }
  })
})
