import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '#domain/languages.ts'
import { DEFAULT_MARKET } from '#domain/market.ts'
import { money } from '#domain/money/money.ts'
import { INTRODUCTION_SCREENS, type IntroductionScreen } from '#domain/receiver/introductions.ts'
import { THEMES } from '#domain/themes.ts'
import type { ContentSnapshot } from '#server/modules/content/snapshot.ts'
import type { CardUse, CardView } from '#server/modules/gifts/interface.ts'
import { browserTitleOf, introductionOf, usedOf } from '#server/modules/story/presentation.ts'

const snapshot = {
  knownNgos: [{ id: 'ngo-msf', title: { es: 'Médicos', en: 'Doctors', fr: 'Médecins' } }],
} as unknown as ContentSnapshot

const viewOf = (use: CardUse | null): CardView => ({
  authority: 'full',
  createdAt: 0,
  autoDonateAt: 1,
  credit: money(5_000, 'EUR'),
  senderName: null,
  message: null,
  theme: THEMES.ukraine,
  consumed: use !== null,
  free: false,
  use,
})
const AT = Date.parse('2027-03-10T22:30:00Z')

const market = DEFAULT_MARKET

describe('what a used card says', () => {
  it('is that and when its recipient used it, and nothing else', () => {
    expect(usedOf(viewOf({ by: 'recipient', at: AT }), snapshot, 'en')).toEqual({
      title: 'This card was consumed.',
      lead: 'It was used on March\u00a010, 2027.',
    })
  })

  it('is never that somebody used it when its year went by, but where it went', () => {
    const view = viewOf({ by: 'auto-donation', at: AT, ngoIds: ['ngo-msf'] })
    const said = { es: ['Médicos', '50 €'], en: ['Doctors', '€50'], fr: ['Médecins', '50 €'] } as const
    for (const [language, words] of Object.entries(said)) {
      const { title, lead } = usedOf(view, snapshot, language as keyof typeof said)!
      const used = usedOf(viewOf({ by: 'recipient', at: AT }), snapshot, language as keyof typeof said)!
      expect(title).not.toBe(used.title)
      for (const word of [...words, '10', '2027']) expect(lead.replace(/\s/g, ' ')).toContain(word)
    }
  })

  it('reads as one sentence, to its commas', () => {
    const view = viewOf({ by: 'auto-donation', at: AT, ngoIds: ['ngo-msf'] })
    expect(usedOf(view, snapshot, 'en')?.lead).toBe('So on March\u00a010, 2027, its €50 went to Doctors.')
  })

  it('names an organisation as people say it in a sentence', () => {
    const cerf = {
      id: 'ngo-cerf',
      title: { es: 'Fondo Central (CERF)', en: 'Central Fund (CERF)', fr: 'Fonds central (CERF)' },
      article: { es: 'el', fr: 'le' },
    }
    const known = { knownNgos: [cerf] } as unknown as ContentSnapshot
    const view = viewOf({ by: 'auto-donation', at: AT, ngoIds: ['ngo-cerf'] })
    expect(usedOf(view, known, 'es')?.lead).toMatch(/fueron al CERF\.$/)
    expect(usedOf(view, known, 'en')?.lead).toMatch(/went to CERF\.$/)
    expect(usedOf(view, known, 'fr')?.lead).toMatch(/allés au CERF\.$/)
  })

  it('is nothing while the card is there to be used', () => {
    expect(usedOf(viewOf(null), snapshot, 'es')).toBeUndefined()
  })
})

const shown = (screen: IntroductionScreen, view: Partial<CardView> = {}, isTry = false) =>
  introductionOf(
    { giftCardId: 'k', screen, mode: 'final', isTry, view: { ...viewOf(null), ...view } },
    'en',
    market,
  )!

describe('a screen of the story', () => {
  it('says the amount once, and of whose money it is', () => {
    const fourth = (view: Partial<CardView>, isTry = false): [string | undefined, string] => {
      const { amount, title } = shown('introduction-4', view, isTry)
      return [amount, title]
    }
    expect(fourth({})).toEqual(['€50', 'Already paid for.'])
    expect(fourth({ senderName: 'Zoë' })).toEqual(['€50', 'Already paid for.'])
    expect(fourth({ credit: money(3_333, 'EUR') })[0]).toBe('€33.33')
    expect(fourth({ free: true })[1]).toBe('A gift for you, paid for by a campaign.')
    expect(fourth({ free: true, senderName: 'Zoë' })[1]).toBe('A gift from Zoë, paid for by a campaign.')
    expect(fourth({}, true)[1]).toBe('Only a try. Nothing is given.')
    for (const screen of INTRODUCTION_SCREENS.filter(each => each !== 'introduction-4'))
      expect(shown(screen).amount).toBeUndefined()
  })

  it('says whom the envelope is from, else whom it is for', () => {
    expect(shown('introduction-1', { senderName: 'Zoë' }).envelope?.words).toBe('From Zoë')
    expect(shown('introduction-1').envelope).toEqual({ words: 'For you', wordsWithName: undefined })
    expect(shown('introduction-1', {}, true).envelope?.wordsWithName).toBe('From {{name}}')
    expect(shown('introduction-2').envelope).toBeUndefined()
  })

  it('says until when at its end, to the day that the year ends in Madrid', () => {
    // The evening before in universal time.
    const autoDonateAt = Date.parse('2027-11-22T23:00:00Z')
    for (const screen of ['introduction-7', 'introduction-9'] as const)
      expect(shown(screen, { autoDonateAt }).until).toBe('You can give it until November\u00a022, 2027.')
    expect(shown('introduction-6', { autoDonateAt }).until).toBeUndefined()
    expect(shown('introduction-7', { autoDonateAt }, true).until).toBeUndefined()
  })

  it.each(LANGUAGES)('has a title of its own in %s, without a name or an amount', language => {
    const titles = INTRODUCTION_SCREENS.map(screen => browserTitleOf(screen, false, language))
    for (const title of titles) expect(title).not.toMatch(/\{\{|\d/)
    expect(new Set(titles).size).toBe(titles.length)
    for (const screen of ['thanks', 'consumed', 'doesnt-exist'])
      expect(titles).not.toContain(browserTitleOf(screen, false, language))
  })
})
