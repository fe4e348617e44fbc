import { describe, expect, it } from 'vitest'
import { contentBench } from './content-fixture.ts'
import { changed, type SeedDocument } from './seed-documents.ts'

const list = (change: (document: SeedDocument) => void) => changed('ngoList-2026', change)
const msf = (change: (document: SeedDocument) => void) => changed('ngo-msf', change)
const settings = (change: (document: SeedDocument) => void) => changed('settings', change)
const policy = (change: (document: SeedDocument) => void) => changed('page-cookie-policy', change)

const ad = (change: (document: SeedDocument) => void) => changed('adCampaign-adgirles1', change)
const free = (change: (document: SeedDocument) => void) => changed('freeCampaign-gift-seed', change)

const sea = (change: (document: SeedDocument) => void) => changed('theme-ukraine', change)
const gift = (change: (document: SeedDocument) => void) => changed('giftPackage-their-food', change)
const invitation = (change: (document: SeedDocument) => void) => changed('invitationPackage', change)
const euros = (amount: unknown, support: unknown = 0) =>
  gift(it => Object.assign(it.spain, { EUR: { amount, support } }))

/** Each way to break the content, and the field that the operator must be told of. */
const BREAKAGES: readonly (readonly [string, SeedDocument, RegExp])[] = [
  ['a price with cents', euros(20.5), /offer\.gifts\.1\.prices\.tiktok-sp\.EUR\.amount.*whole number/],
  ['a price with a part of a cent', euros(20.005), /tiktok-sp\.EUR\.amount.*whole number/],
  ['a package for nothing', euros(0), /EUR\.amount.*whole number/],
  ['a package below nothing', euros(-20), /EUR\.amount.*whole number/],
  ['a price that nobody pays', euros(100_001), /EUR\.amount.*whole number/],
  ['a price that is a word', euros('20'), /EUR\.amount/],
  ['a support above the price', euros(20, 21), /EUR\.support.*whole number/],
  ['a support below nothing', euros(20, -1), /EUR\.support.*whole number/],
  ['a support with cents', euros(20, 0.5), /EUR\.support.*whole number/],
  ['a currency without a price', gift(it => delete it.english.GBP), /prices\.tiktok-usa\.GBP/],
  ['a price list without a package', gift(it => delete it.france), /offer\.gifts\.1\.prices\.tiktok-fr/],
  ['a slider without an end', gift(it => Object.assign(it, { reach: 41 })), /offer\.gifts\.1\.reach/],
  ['a slider that does not move', gift(it => Object.assign(it, { reach: 0 })), /offer\.gifts\.1\.reach/],
  [
    'a payment that no provider takes',
    invitation(it => Object.assign(it.prices, { EUR: { amount: 90_000, support: 0 } })),
    /offer\.invitation\.prices.*999,999/,
  ],
  [
    'a package called by nothing that can be sent',
    gift(it => Object.assign(it, { code: 'Their Food' })),
    /offer\.gifts\.1\.id/,
  ],
  ['two packages of one name', gift(it => Object.assign(it, { code: 'their water' })), /two packages/],
  [
    'a package called like the invitation',
    gift(it => Object.assign(it, { code: 'inauguration package' })),
    /two packages/,
  ],
  ['a package without a French name', gift(it => delete it.title.fr), /offer\.gifts\.1\.title\.fr/],
  ['a source without its page', gift(it => delete it.citation.place), /gifts\.1\.citation\.place/],
  ['a source that nobody can read', gift(it => delete it.citation.links.es), /citation\.links\.es/],
  [
    'a source without a name',
    gift(it => Object.assign(it.citation.title, { en: ' ' })),
    /citation\.title\.en/,
  ],
  [
    'an invitation that holds nothing',
    invitation(it => Object.assign(it, { benefits: [] })),
    /offer\.invitation\.benefits/,
  ],
  [
    'a mission without a name',
    changed('mission-medical', mission => delete mission.title.fr),
    /missions\.0\.title\.fr/,
  ],
  [
    'a photo without a picture',
    changed('memorialPhoto-02', photo => delete photo.image),
    /memorialPhotos\.1\.image\.asset/,
  ],
  [
    'a photo nobody can picture',
    changed('memorialPhoto-02', photo => delete photo.alt.en),
    /memorialPhotos\.1\.alt\.en/,
  ],
  [
    'a photo by nobody',
    changed('memorialPhoto-01', photo => Object.assign(photo, { author: ' ' })),
    /memorialPhotos\.0\.author/,
  ],
  [
    'a photo cropped to nothing',
    changed('memorialPhoto-01', photo =>
      Object.assign(photo.image, { crop: { top: 0.5, bottom: 0.5, left: 0, right: 0 } }),
    ),
    /memorialPhotos\.0\.image\.crop/,
  ],
  [
    'a volunteers’ page without https',
    changed('volunteeringOrganisation-unv', each => Object.assign(each.links, { es: 'http://www.unv.org/' })),
    /volunteeringOrganisations\.1\.links\.es/,
  ],
  ['a theme without a name in French', sea(it => delete it.names.fr), /themes\.1\.names\.fr/],
  [
    'a theme whose name takes two lines',
    sea(it => Object.assign(it.names, { en: 'x'.repeat(31) })),
    /names\.en/,
  ],
  [
    'a theme that cannot be read',
    sea(it => Object.assign(it, { ink: '#7a8fb5' })),
    /“ukraine”.* only, not 4\.5 : 1/,
  ],
  [
    'a theme whose small print cannot be read',
    sea(it => Object.assign(it, { ink: '#2a55a5' })),
    /“ukraine”: its text stands out .* by 3\.\d : 1 only/,
  ],
  [
    'a theme that phones cannot read',
    sea(it => Object.assign(it, { paper: '#10316b', ink: '#fff7d1' })),
    /lighter/,
  ],
  [
    'a theme whose paper makes the warnings unreadable',
    sea(it => Object.assign(it, { paper: '#b9b9b9', ink: '#000000' })),
    /“ukraine”/,
  ],
  ['a theme in a colour that is none', sea(it => Object.assign(it, { paper: 'yellow' })), /not a colour/],
  [
    'a theme with a pattern that nobody drew',
    sea(it => Object.assign(it, { motif: 'stars' })),
    /pattern must be one of/,
  ],
  ['a theme whose word is markup', sea(it => Object.assign(it, { word: 'a]{}' })), /its word is/],
  ['two themes of one word', sea(it => Object.assign(it, { word: 'christmas' })), /two themes of one word/],
  ['two themes in one place', sea(it => Object.assign(it, { place: 10 })), /two themes in one place/],
  ['a name missing in one language', msf(ngo => delete ngo.title.fr), /ngoList\.ngos\.0\.title\.fr/],
  ['a blank name', msf(ngo => Object.assign(ngo.title, { en: '  ' })), /ngos\.0\.title\.en/],
  ['a missing description', msf(ngo => delete ngo.description), /ngos\.0\.description/],
  [
    'a link without encryption',
    msf(ngo => Object.assign(ngo.links, { es: 'http://www.msf.es/' })),
    /links\.es/,
  ],
  ['a link that runs code', msf(ngo => Object.assign(ngo.links, { en: 'javascript:alert(1)' })), /links\.en/],
  ['a link without a host', msf(ngo => Object.assign(ngo.links, { fr: 'https://' })), /links\.fr/],
  ['an advert without a code', ad(it => delete it.code), /adCampaigns\.\d+\.code/],
  ['an advert whose code is a path', ad(it => Object.assign(it, { code: 'ad/1' })), /letters, digits/],
  ['a campaign called like a page', ad(it => Object.assign(it, { code: 'Who-We-Are' })), /the site uses/],
  ['a campaign called like a poll', free(it => Object.assign(it, { tag: 'sondage' })), /the site uses/],
  ['two campaigns of one name', free(it => Object.assign(it, { tag: 'ADGIRLES1' })), /two campaigns/],
  ['a stock that is not counted', free(it => Object.assign(it, { stock: -1 })), /stock/],
  ['a source nobody knows', free(it => Object.assign(it, { source: 'radio' })), /source/],
  ['an empty list', list(it => Object.assign(it, { ngos: [] })), /ngoList\.ngos/],
  [
    'an organisation listed twice',
    list(it => it.ngos.push({ ...it.ngos[0], _key: 'again' })),
    /listed twice/,
  ],
  [
    'a weak reference that leads nowhere',
    list(it => Object.assign(it.ngos[2], { _ref: 'ngo-gone', _weak: true })),
    /ngos\.2/,
  ],
  ['a list without a review date', list(it => delete it.reviewedAt), /ngoList\.reviewedAt/],
  ['a year that is no number', list(it => Object.assign(it, { year: '2027' })), /ngoList\.year/],
  ['a mailbox that is none', settings(it => Object.assign(it, { contactEmail: 'hello' })), /contactEmail/],
  ['a missing site name', settings(it => delete it.siteName.es), /siteName\.es/],
  [
    'a tip link without encryption',
    settings(it => Object.assign(it, { tipLink: 'http://a.org' })),
    /tipLink/,
  ],
  ['a missing share text', settings(it => delete it.shareTexts.facebookPost.en), /facebookPost\.en/],
  ['a page missing in one language', policy(page => delete page.body.en), /cookie-policy\.en/],
  ['an empty page', policy(page => Object.assign(page.body, { fr: [] })), /cookie-policy\.fr/],
  [
    'a picture in a page',
    policy(page => page.body.es.push({ _key: 'p', _type: 'image' })),
    /cookie-policy\.es/,
  ],
  [
    'a page link that runs code',
    policy(page => {
      page.body.es[0].markDefs = [{ _key: 'x', _type: 'link', href: 'javascript:alert(1)' }]
    }),
    /cookie-policy\.es\.0\.markDefs\.0\.href/,
  ],
  [
    'a mark without its definition',
    policy(page => {
      page.body.es[0].children[0].marks = ['nowhere']
    }),
    /without its definition/,
  ],
  [
    'a page under another address',
    policy(page => Object.assign(page.slug, { current: 'x' })),
    /cookie-policy/,
  ],
]

describe('broken content', () => {
  it.each(BREAKAGES)('with %s is refused, and the old content stays', async (_, document, told) => {
    const bench = await contentBench()
    await bench.content.load()
    const before = bench.content.snapshot()

    await bench.publish(document)
    await expect(bench.content.refresh()).resolves.toBe(false)

    expect(bench.content.snapshot()).toBe(before)
    expect(bench.errors).toHaveLength(1)
    expect(bench.errors[0]?.event).toBe('content-broken')
    expect(bench.errors[0]?.message).toMatch(told)
  })

  it('is refused at start too, and the last good content is served', async () => {
    const bench = await contentBench()
    await bench.content.load()
    await bench.publish(list(it => Object.assign(it, { ngos: [] })))

    const restarted = bench.restart()
    await restarted.load()
    expect(restarted.snapshot()).toEqual(bench.content.snapshot())
  })

  it('goes live again once it is mended', async () => {
    const bench = await contentBench()
    await bench.content.load()
    await bench.publish(msf(ngo => delete ngo.title.fr))
    await bench.content.refresh()
    await bench.publish(msf(ngo => Object.assign(ngo.title, { fr: 'MSF' })))

    await expect(bench.content.refresh()).resolves.toBe(true)
    expect(bench.content.snapshot().ngoList.ngos[0]?.title.fr).toBe('MSF')
  })
})
