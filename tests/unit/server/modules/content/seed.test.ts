import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { shownSize } from '#domain/images/picture.ts'
import { DEFAULT_LANGUAGE, LANGUAGES, SOURCE_LANGUAGE } from '#domain/languages.ts'
import { OFFERED_THEMES, THEMES } from '#domain/themes.ts'
import { firstOffer } from '#server/modules/content/first-offer.ts'
import { validateSnapshot } from '#server/modules/content/validate.ts'
import { readDocuments } from '#stand-ins/local-lake/documents.ts'
import { documentOf, drawPicture } from '../../../../../studio/seed/make-memorial-pictures.ts'
import { PHOTOS } from '../../../../../studio/seed/memorial/photos.ts'
import { contentBench, SEED } from './content-fixture.ts'

async function seedSnapshot() {
  const { content } = await contentBench()
  await content.load()
  return content.snapshot()
}

/** Where a text lacks a language: `ngo-msf.title lacks de`. What some languages alone have, such as an article, is none. */
function lacking(value: unknown, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return []
  const entries = Object.entries(value)
  const isText = SOURCE_LANGUAGE in value && DEFAULT_LANGUAGE in value
  const missing = isText ? LANGUAGES.filter(language => !(language in value)) : []
  return [
    ...missing.map(language => `${path} lacks ${language}`),
    ...entries.flatMap(([key, each]) => lacking(each, `${path}.${key}`)),
  ]
}

describe('the seed', () => {
  it('has every text in each language of the product', () => {
    const texts = readDocuments([SEED]).flatMap(document => lacking(document, document._id))
    expect(texts).toEqual([])
  })

  it('passes the validation of the site', async () => {
    await expect(seedSnapshot()).resolves.toMatchObject({ ngoList: { year: 2026 } })
  })

  it('lists the seven organisations in their order', async () => {
    const { ngoList, knownNgos } = await seedSnapshot()
    const ids = ['ngo-msf', 'ngo-cerf', 'ngo-unrwa', 'ngo-unicef', 'ngo-undp', 'ngo-wfp', 'ngo-irc']
    expect(ngoList.ngos.map(ngo => ngo.id)).toEqual(ids)
    expect(knownNgos.map(ngo => ngo.id).sort()).toEqual([...ids].sort())
  })

  it('sells what a site sells whose content says nothing of it', async () => {
    expect((await seedSnapshot()).offer).toEqual(firstOffer())
  })

  it('names the product in each language', async () => {
    const { settings } = await seedSnapshot()
    expect(settings.siteName).toMatchObject({
      es: 'Mantén la cadena',
      en: 'Keep the Chain',
      fr: 'Gardez la chaîne',
    })
    expect(Object.keys(settings.siteName).sort()).toEqual([...LANGUAGES].sort())
  })

  it('tells in each language how long statistics are kept and where to change the choice', async () => {
    const { pages } = await seedSnapshot()
    for (const language of LANGUAGES) {
      expect(pages['cookie-policy'][language]).toContain('38')
      expect(pages['cookie-policy'][language]).toContain(`href="/${language}/intro/cookies-settings"`)
    }
  })

  it('brings the nine adverts and ten free campaigns, two for each audience', async () => {
    const { adCampaigns, freeCampaigns } = await seedSnapshot()
    expect(adCampaigns.map(({ code }) => code).sort()).toEqual([
      'AdGirlEs1',
      'AdGirlEs1Post',
      'AdGirlEs2',
      'AdGirlFr1',
      'AdGirlFr2',
      'AdGirlUsa1Fb',
      'AdGirlUsa2Fb',
      'AdUSAQuora10000Free',
      'AdUSAQuoraMaterial',
    ])
    const audience = ({ source, language }: (typeof freeCampaigns)[number]): string =>
      source === 'reddit' || source === 'quora' ? source : language
    expect(freeCampaigns.map(audience).sort()).toEqual(
      ['en', 'es', 'fr', 'quora', 'reddit'].flatMap(each => [each, each]),
    )
    expect(freeCampaigns.every(({ active, stock }) => active && stock > 0)).toBe(true)
  })

  it('brings the six themes that a site has whose operator made none, as they were', async () => {
    const { themes } = await seedSnapshot()
    const withoutAny = validateSnapshot({ ...(await seedSnapshot()), themes: undefined })
    expect(themes).toEqual(withoutAny.themes)
    expect(themes.map(({ names, isOffered, ...look }) => look)).toEqual(Object.values(THEMES))
    expect(themes.filter(({ isOffered }) => isOffered).map(({ id }) => id)).toEqual(OFFERED_THEMES)
  })

  it('offers two missions, each with an organisation to turn to', async () => {
    const { missions, volunteeringOrganisations } = await seedSnapshot()
    const known = volunteeringOrganisations.map(({ id }) => id)
    expect(missions.map(({ id }) => id)).toEqual(['mission-medical', 'mission-united-nations'])
    expect(missions.map(({ organisationId }) => organisationId)).toEqual(known)
  })

  it('brings forty pictures, each with its own words, in the order of the memorial', async () => {
    const { memorialPhotos } = await seedSnapshot()
    expect(memorialPhotos.map(({ id }) => id)).toEqual(
      Array.from({ length: 40 }, (_, index) => `memorialPhoto-${String(index + 1).padStart(2, '0')}`),
    )
    for (const language of LANGUAGES) {
      expect(new Set(memorialPhotos.map(({ caption }) => caption[language])).size).toBe(40)
      expect(new Set(memorialPhotos.map(({ alt }) => alt[language])).size).toBe(40)
    }
    expect(new Set(memorialPhotos.map(({ image }) => image.asset)).size).toBe(40)
  })

  it('says who drew its pictures, which are fit for a printed page and small', async () => {
    const { memorialPhotos } = await seedSnapshot()
    let bytes = 0
    for (const { author, licence, image, id } of memorialPhotos) {
      expect(`${author} · ${licence}`).toBe('Keep the Chain · CC0 1.0')
      // 230 dots to the inch across an A4 page in landscape.
      expect(shownSize(image)).toEqual({ width: 2400, height: 1600 })
      const { size } = await stat(join(dirname(SEED), 'images', `${id}.jpg`))
      expect(size).toBeLessThanOrEqual(90_000)
      bytes += size
    }
    expect(bytes).toBeLessThan(2_300_000)
  })

  it('draws each motif in two lights, and no more', () => {
    const times = Object.groupBy(PHOTOS, ({ motif }) => motif)
    expect(Object.keys(times)).toHaveLength(20)
    for (const same of Object.values(times)) {
      expect(same).toHaveLength(2)
      expect(new Set(same.map(({ paint }) => paint)).size).toBe(2)
    }
  })

  it('draws the same pictures and writes the same documents on every run', () => {
    const documents = readDocuments([SEED]).filter(({ _type }) => _type === 'memorialPhoto')
    expect(documents).toEqual(PHOTOS.map(documentOf))
    expect(drawPicture(PHOTOS[3]!, 3)).toBe(drawPicture(PHOTOS[3]!, 3))
    expect(drawPicture(PHOTOS[3]!, 4)).not.toBe(drawPicture(PHOTOS[3]!, 3))
  })

  it('holds no draft, no revision and no asset address', () => {
    for (const document of readDocuments([SEED])) {
      expect(document._id).not.toContain('.')
      expect(document).not.toHaveProperty('_rev')
      expect(JSON.stringify(document)).not.toMatch(/"asset"|cdn\.sanity/)
    }
  })
})
