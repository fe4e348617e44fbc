import { describe, expect, it } from 'vitest'
import { inLanguages } from '#tests/builders/domain.ts'
import { codeVerdict, stockVerdict, uniqueCodeVerdict } from '../../../studio/src/rules/campaigns.ts'
import { dayOf, yearBefore } from '../../../studio/src/rules/days.ts'
import {
  certificateWordsVerdict,
  identityFromVerdict,
  lastDayWordsVerdict,
  monthsVerdict,
  reminderDaysVerdict,
  taxShareVerdict,
  vatRateVerdict,
} from '../../../studio/src/rules/markets.ts'
import {
  consentVerdict,
  emptyRows,
  repeatedRows,
  unreviewedVerdict,
} from '../../../studio/src/rules/ngo-list.ts'
import {
  amountVerdict,
  lastPackageReason,
  packageIdVerdict,
  reachVerdict,
  supportVerdict,
  totalVerdict,
  uniquePackageIdVerdict,
} from '../../../studio/src/rules/packages.ts'
import { widthVerdict } from '../../../studio/src/rules/pictures.ts'
import { reviewLimit, reviewState } from '../../../studio/src/rules/review.ts'
import {
  bodyVerdict,
  linkVerdict,
  missing,
  targetVerdict,
  textVerdict,
} from '../../../studio/src/rules/texts.ts'
import {
  colourVerdict,
  contrastVerdict,
  keptWordVerdict,
  motifVerdict,
  offeredVerdict,
  placeVerdict,
  uniqueWordVerdict,
  wordVerdict,
} from '../../../studio/src/rules/themes.ts'

const paragraph = (text: string) => [{ _type: 'block', children: [{ _type: 'span', text }] }]

describe('a text in a language', () => {
  it('says which language is missing', () => {
    expect(textVerdict('  ', 'fr')).toMatch(/French/)
    expect(textVerdict(undefined, 'es')).toMatch(/Spanish/)
    expect(missing('link', 'en')).toMatch(/link for readers in English/)
  })

  it('is accepted with a word in it', () => expect(textVerdict('Bonjour', 'fr')).toBe(true))

  it('of empty paragraphs counts as missing', () => {
    expect(bodyVerdict(paragraph(' '), 'en')).toMatch(/English/)
    expect(bodyVerdict(undefined, 'en')).toMatch(/English/)
    expect(bodyVerdict(paragraph('Hello'), 'en')).toBe(true)
  })
})

describe('a picture', () => {
  const ofWidth = (width: number) => ({ asset: { _ref: `image-${'a'.repeat(40)}-${width}x1000-jpg` } })
  const half = { top: 0, bottom: 0, left: 0.5, right: 0 }

  it('is 1600 pixels wide at least', () => {
    expect(widthVerdict(ofWidth(1600))).toBe(true)
    expect(widthVerdict(ofWidth(1599))).toMatch(
      /^It is 1599 pixels wide\..* 1600: choose a larger picture\.$/,
    )
  })

  it('is so after its crop too', () => {
    expect(widthVerdict({ ...ofWidth(3200), crop: half })).toBe(true)
    expect(widthVerdict({ ...ofWidth(3000), crop: half })).toMatch(/crop leaves of it is 1500.* crop less/)
  })

  it('that is not there is not too narrow', () => expect(widthVerdict({})).toBe(true))
})

describe('a link', () => {
  it.each(['http://msf.es', 'www.msf.es', 'https://msf', 'https://msf.es/a b'])('is broken as %s', link =>
    expect(linkVerdict(link)).toMatch(/broken/),
  )

  it('of another site over https is accepted', () => expect(linkVerdict('https://www.msf.es/')).toBe(true))

  it('inside a text may lead to a page of the site', () => {
    expect(targetVerdict('/intro')).toBe(true)
    expect(targetVerdict('intro')).toMatch(/broken/)
  })
})

describe('the name of a campaign', () => {
  it.each(['', undefined, 'a b', 'ñandú', '-x'])('is refused as %s', code =>
    expect(codeVerdict(code)).toEqual(expect.any(String)),
  )

  it.each(['intro', 'FR', 'poll', 'share'])('is refused as %s, which the site uses itself', code =>
    expect(codeVerdict(code)).toMatch(/site itself/),
  )

  it('is accepted as one segment of an address', () => expect(codeVerdict('AdGirlEs1')).toBe(true))

  it('is refused when another campaign has it, whatever its capitals', () => {
    expect(uniqueCodeVerdict('GIFT-seed', ['gift-seed'])).toMatch(/Another campaign/)
    expect(uniqueCodeVerdict('gift-seed', ['gift-chain'])).toBe(true)
  })
})

describe('a yearly list', () => {
  const row = (key: string, ref?: string) => ({ _key: key, _ref: ref })

  it('names the rows that repeat an organisation, not the first of them', () => {
    const rows = [row('a', 'ngo-1'), row('b', 'ngo-2'), row('c', 'ngo-1'), row('d'), row('e')]
    expect(repeatedRows(rows)).toEqual([row('c', 'ngo-1')])
  })

  it('names the rows without an organisation', () => {
    expect(emptyRows([row('a', 'ngo-1'), row('b')])).toEqual([row('b')])
  })

  it('names who asked not to be listed', () => {
    const ngos = [
      { id: '1', title: 'One', consent: 'declined' },
      { id: '2', title: 'Two', consent: 'given' },
    ]
    expect(consentVerdict(ngos)).toMatch(/One\./)
    expect(consentVerdict(ngos.slice(1))).toBe(true)
  })

  it('names whose consent is not on record', () => {
    const ngos = [
      { id: '1', title: 'One', consent: 'notAsked' },
      { id: '2', title: 'Two', consent: 'asked' },
      { id: '3', title: 'Three', consent: null },
      { id: '4', title: 'Four', consent: 'given' },
    ]
    expect(consentVerdict(ngos)).toMatch(/: One, Two, Three\.$/)
  })

  it('names who was not reviewed since it was started', () => {
    const ngos = [
      { id: '1', title: 'One', reviewedAt: '2026-11-16' },
      { id: '2', title: 'Two', reviewedAt: '2026-11-21' },
      { id: '3', title: 'Three' },
    ]
    expect(unreviewedVerdict(ngos, '2026-11-21')).toMatch(/: One, Three\./)
    expect(unreviewedVerdict(ngos, undefined)).toBe(true)
  })
})

describe('the stock of a campaign', () => {
  it('is warned of where the campaign runs with nothing to give', () => {
    expect(stockVerdict(0, true)).toMatch(/no card to give/)
    for (const [stock, runs] of [
      [0, false],
      [0, undefined],
      [1, true],
      [undefined, true],
    ])
      expect(stockVerdict(stock, runs)).toBe(true)
  })
})

describe('a review', () => {
  it('lasts a year', () => {
    expect(reviewState(undefined, '2026-11-21')).toEqual({ kind: 'never' })
    expect(reviewState('2025-11-20', '2026-11-21')).toEqual({ kind: 'due', last: '2025-11-20' })
    expect(reviewState('2025-11-21', '2026-11-21')).toEqual({ kind: 'done', last: '2025-11-21' })
  })

  it('no longer counts once a list was started after it', () => {
    expect(reviewLimit('2026-11-21', '2026-11-01')).toBe('2026-11-01')
    expect(reviewLimit('2026-11-21', '2024-11-01')).toBe('2025-11-21')
    expect(reviewLimit('2026-11-21', undefined)).toBe('2025-11-21')
  })
})

describe('a day', () => {
  it('is the one where the operator is', () => expect(dayOf(new Date(2027, 0, 5, 23, 59))).toBe('2027-01-05'))

  it('a year before 29 February is 28 February', () => {
    expect(yearBefore('2028-02-29')).toBe('2027-02-28')
    expect(yearBefore('2027-03-01')).toBe('2026-03-01')
  })
})

describe('a package', () => {
  it('is sold under a name of its own that addresses can hold', () => {
    expect([packageIdVerdict('their schools'), packageIdVerdict('their-schools')]).toEqual([true, true])
    for (const name of ['', 'Their schools', 'their  schools', ' schools', '__proto__', 'escuelas ñ', 7])
      expect(packageIdVerdict(name), String(name)).toMatch(/such as “their schools”/)
    expect(uniquePackageIdVerdict('their food', ['their food'])).toMatch(/already/)
    expect(uniquePackageIdVerdict('their food', ['their water'])).toBe(true)
  })

  it('costs whole units, and no more than may be charged', () => {
    for (const amount of [0, -5, 20.5, 100_001, '20', null, undefined, Number.NaN])
      expect(amountVerdict(amount), String(amount)).toMatch(/whole number/i)
    expect([amountVerdict(1), amountVerdict(100_000)]).toEqual([true, true])
  })

  it('asks for no more support than it costs, and lets the slider reach no further than can be paid', () => {
    expect([supportVerdict(0, 20), supportVerdict(20, 20)]).toEqual([true, true])
    for (const support of [21, -1, 2.5, undefined])
      expect(supportVerdict(support, 20), String(support)).toMatch(/from 0 to the amount/)
    for (const reach of [0, 0.05, 41, 1.234, '2'])
      expect(reachVerdict(reach), String(reach)).toMatch(/from 0\.1 to 40/)
    const dear = { EUR: { amount: 100_000, support: 100_000 } }
    expect(totalVerdict(dear, 40)).toMatch(/above 999,999/)
    expect(totalVerdict({ EUR: { amount: 20, support: 7 } }, 2)).toBe(true)
    expect(totalVerdict(undefined, 2)).toBe(true)
  })
})

describe('a theme', () => {
  it('has a word that styles and addresses can hold, of its own, which stays', () => {
    expect([wordVerdict('sea'), wordVerdict('mar-2027')]).toEqual([true, true])
    for (const word of ['', 'Sea', 'the sea', 'a', 'x'.repeat(41), undefined])
      expect(wordVerdict(word)).toMatch(/such as “sea”/)
    expect(uniqueWordVerdict('sea', ['SEA'])).toMatch(/already/)
    expect(keptWordVerdict('land', 'sea')).toMatch(/under the word “sea”: it stays/)
    expect([keptWordVerdict('sea', 'sea'), keptWordVerdict('sea', null)]).toEqual([true, true])
  })

  it('can be read, its small print too, and says by how much it cannot', () => {
    expect(contrastVerdict({ paper: '#fff7d1', ink: '#10316b' })).toBe(true)
    expect(contrastVerdict({ paper: '#ffffff', ink: '#777777' })).toMatch(
      /stand out by 2\.\d : 1 only.*ink darker/,
    )
    expect(contrastVerdict({ paper: '#10316b', ink: '#fff7d1' })).toMatch(/lighter than the ink/)
    expect(contrastVerdict({ paper: '#fff7d1' })).toBe(true)
  })

  it('has colours and a pattern that there are', () => {
    expect(colourVerdict('blue')).toMatch(/#10316b/)
    expect(colourVerdict('')).toMatch(/missing/)
    expect([colourVerdict('#FFF7D1'), motifVerdict('snow')]).toEqual([true, true])
    expect(motifVerdict('stars')).toMatch(/flap/)
  })

  it('leaves one on offer, and stands in a place of its own', () => {
    expect(offeredVerdict(false, 0)).toMatch(/No theme/)
    expect([offeredVerdict(false, 1), offeredVerdict(true, 0), placeVerdict(0)]).toEqual([true, true, true])
    expect(placeVerdict(1)).toMatch(/15 between 10 and 20/)
  })
})

describe('the last package', () => {
  it('stays, and so does one of which nobody knows whether it is', () => {
    expect(lastPackageReason(true, 0)).toMatch(/the last package/)
    expect(lastPackageReason(true, undefined)).toMatch(/One moment/)
    expect(lastPackageReason(true, 1)).toBeUndefined()
    expect(lastPackageReason(false, 0)).toBeUndefined()
  })
})

describe('what counts for the buyers of a market', () => {
  it.each([12, 18, 120])('a card may wait %i months', months => expect(monthsVerdict(months)).toBe(true))

  it.each([11, 0, -12, 12.5, 121, Number.NaN])('a card may not wait %d months', months =>
    expect(monthsVerdict(months)).toMatch(/from 12 to 120/),
  )

  it.each([[[30, 7]], [[7, 30]], [[2]], [[180, 90, 30, 2]]])('reminders on %j', days =>
    expect(reminderDaysVerdict(days)).toBe(true),
  )

  it.each([[[]], [[1]], [[181]], [[7, 7]], [[7.5]], [[90, 60, 30, 14, 7]]])('no reminders on %j', days =>
    expect(reminderDaysVerdict(days)).toMatch(/One to 4 different whole numbers from 2 to 180/),
  )

  it('a tax in whole percent, VAT with two decimals at most, and an amount to identify from', () => {
    expect([taxShareVerdict(21), vatRateVerdict(5.5), identityFromVerdict(100)]).toEqual([true, true, true])
    expect(taxShareVerdict(5.5)).toBe('Whole percent from 0 to 100.')
    expect(vatRateVerdict(51)).toMatch(/from 0 to 50/)
    for (const wrong of [0, -1, 99.5, Number.NaN])
      expect(identityFromVerdict(wrong)).toMatch(/at least 1, or nothing/)
  })

  it('certificates of our own with words in every language alone', () => {
    const words = inLanguages({ es: 'Ley 49/2002', en: 'Law 49/2002', fr: 'Loi 49/2002' })
    expect(certificateWordsVerdict(words, 'own')).toBe(true)
    expect(certificateWordsVerdict(undefined, 'none')).toBe(true)
    for (const wrong of [undefined, { ...words, fr: ' ' }, { ...words, en: 'x'.repeat(601) }])
      expect(certificateWordsVerdict(wrong, 'own')).toMatch(/in each language, in at most 600/)
  })

  it.each([
    ['Give it until {{date}}.', true],
    ['Give it soon.', /Write {{date}} once/],
    ['Give it until {{ date }}.', /Write {{date}} once/],
    ['{{name}} has until {{date}}.', /Only {{date}} is filled in/],
    ['It expires on {{date}}.', /Nothing expires/],
    [`{{date}} ${'x'.repeat(140)}`, /At most 140/],
  ] as const)('words for the last day: %s', (words, verdict) => {
    const said = lastDayWordsVerdict(words)
    if (verdict === true) expect(said).toBe(true)
    else expect(said).toMatch(verdict)
  })
})
