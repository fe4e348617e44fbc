import { describe, expect, it } from 'vitest'
import { groupedKey, readKey } from '#domain/card/keys.ts'
import { ENVELOPE } from '#domain/envelope.ts'
import { LANGUAGES } from '#domain/languages.ts'
import { DEFAULT_MARKET } from '#domain/market.ts'
import { contrastRatio, type SeedThemeId, THEMES } from '#domain/themes.ts'
import { getT } from '#i18n/index.ts'
import { qrModules } from '#server/modules/story/print/qr.ts'
import { cardSheet, type SheetFacts, softInk } from '#server/modules/story/print/sheet.ts'
import { drawnModules } from '#tests/support/drawn-modules.ts'
import { readPdf } from '#tests/support/read-pdf.ts'

const KEY = 'savn23pzrvsoap5deviqlzshmmlzem7g'
const LINK = `https://gifts.example.org/g/palestine/es#${KEY}`
const CHECK_WORD = 'BCDF-GHJK-MNPQ'
const ADDRESS = 'gifts.example.org/g#'

const someFacts: SheetFacts = {
  link: LINK,
  address: ADDRESS,
  key: groupedKey(KEY),
  check: { word: CHECK_WORD, address: 'gifts.example.org/is-this-real' },
  credit: { amount: 5_000, currency: 'EUR' },
  recipientName: null,
  senderName: 'Íñigo Łódź',
  message: null,
  theme: THEMES.palestine,
  language: 'es',
  autoDonateAt: Date.parse('2027-11-21T23:00:00Z'),
  market: DEFAULT_MARKET,
  siteName: 'Mantén la cadena',
  sandbox: false,
}
const print = async (changes: Partial<SheetFacts> = {}) =>
  readPdf(await cardSheet({ ...someFacts, ...changes }))

describe('a card on paper', () => {
  it.each([
    ['es', '50 €', 'De parte de Íñigo Łódź', '21 de noviembre de 2027'],
    ['en', '€50', 'From Íñigo Łódź', 'November 21, 2027'],
    ['fr', '50 €', 'De la part d’Íñigo Łódź', '21 novembre 2027'],
  ] as const)('says in %s who gives, how much, until when and where', async (language, amount, from, day) => {
    const { text, pages, source } = await print({ language })
    expect(pages).toBe(1)
    const plain = text.replace(/[\u00a0\u202f]/g, ' ')
    for (const words of [
      amount,
      from,
      day,
      ADDRESS,
      'savn-23pz-rvso-ap5d-eviq-lzsh-mmlz-em7g',
      'gifts.example.org/is-this-real',
      CHECK_WORD,
      'Mantén la cadena',
    ])
      expect(plain).toContain(words)
    expect(text).not.toContain('\ufffd')
    expect(source).toContain(`/Lang (${language})`)
  })

  it.each([
    ['a sentence', 'Feliz cumpleaños, abuela: que lo repartas bien.'],
    ['the widest words', 'W'.repeat(300)],
    ['Hebrew', 'שלום לך'],
    ['Cyrillic and Greek', 'Счастья тебе, Μαρία'],
  ])('has the giver’s own words on its inner page, with room for all of them: %s', async (_, message) => {
    const { text, pages } = await print({ message })
    expect(pages).toBe(1)
    // Whichever way they are written, every letter is there.
    const letters = (of: string) => of.replace(/\s/g, '').split('').sort().join('')
    const without = await print()
    expect(letters(text)).toBe(letters(without.text + message))
  })

  it.each(LANGUAGES)('says in %s of a sandbox’s card that it is worth nothing', async language => {
    const { text } = await print({ language, sandbox: true })
    expect(text).toContain(getT(language)('sandbox-on-paper'))
    expect(text).not.toContain(getT(language)('print-amount'))
    expect((await print({ language })).text).not.toContain(getT(language)('sandbox-on-paper'))
  })

  it('asks for no check word where the card has none', async () => {
    const { text } = await print({ check: { ...someFacts.check, word: null } })
    expect(text).not.toContain('is-this-real')
  })

  it('shows exactly the code of its link, light around it', async () => {
    const sheet = await print()
    expect(drawnModules(sheet.figures[0]!)).toEqual(qrModules(LINK).map(row => [...row]))
    expect(drawnModules(sheet.figures[0]!)).not.toEqual(qrModules(`${LINK}s`).map(row => [...row]))
  })

  it('is heard in the order of a card that is opened: cover, inside, back', async () => {
    const { tagged, source } = await print()
    expect(tagged.map(({ tag }) => tag)).toEqual([
      'Artifact',
      'Artifact',
      'H1',
      'P',
      'H2',
      'P',
      'H2',
      'P',
      'Figure',
      'P',
      'P',
      'P',
      'P',
      'P',
      'P',
      'P',
      'P',
    ])
    expect(source).toContain('/Marked true')
    expect(source).toContain('/DisplayDocTitle true')
    expect(source).toContain('pdfuaid:part>1<')
    const alternative = /\/Alt \(þÿ([\s\S]*?)\)\n/.exec(source)?.[1]?.replaceAll('\0', '')
    expect(alternative).toContain(LINK)
  })

  it('brings its letters along, the display face first, and no font of anybody else', async () => {
    const { source } = await print()
    const fonts = [...source.matchAll(/\/BaseFont \/(?:\w{6}\+)?([\w-]+)/g)].map(([, name]) => name)
    expect(new Set(fonts)).toEqual(new Set(['NotoSerifDisplay-Medium', 'DejaVuSans', 'DejaVuSansMono']))
    // The display face comes in parts; this name needs two of them.
    expect(source.match(/\/FontFile2 /g)).toHaveLength(4)
    const plain = await print({ senderName: 'Aina' })
    expect(plain.source.match(/\/FontFile2 /g)).toHaveLength(3)
  })

  it('writes names of other scripts, too, in a face that has their letters', async () => {
    const sheet = await print({ senderName: 'Ελένη Олена' })
    expect(sheet.text).toContain('De parte de Ελένη Олена')
    expect(sheet.source).toMatch(/\/BaseFont \/\w{6}\+DejaVuSerif\b/)
  })

  it.each(LANGUAGES)('sets nothing smaller than 10 points (%s)', async language => {
    for (const senderName of [null, 'Íñigo', 'Maximiliane '.repeat(6).trim()]) {
      const sheet = await print({ language, senderName })
      expect(sheet.sizes.length).toBeGreaterThan(10)
      expect(Math.min(...sheet.sizes)).toBe(10)
    }
  })

  it('shows a key that is read as the card’s own, however it is typed', async () => {
    const { text } = await print()
    const shown = text.split('\n').find(line => line.startsWith('savn'))!
    expect(shown.split('-').map(group => group.length)).toEqual(Array(8).fill(4))
    for (const typed of [shown, shown.toUpperCase(), shown.replaceAll('-', ' '), `${shown}.`])
      expect(readKey(typed)).toBe(KEY)
  })

  it('has the envelope on its cover', async () => {
    const { source } = await print()
    // The tip of the flap, as the one drawing has it.
    expect(ENVELOPE.flap).toContain('Q140 104')
    expect(source).toContain('149 98 m'.replace('m', 'l'))
  })

  it('leaves out what no font can write, and names nobody when nothing is left', async () => {
    expect((await print({ senderName: 'Aina 🎁 好' })).text).toContain('De parte de Aina\n')
    for (const senderName of ['🎁', null]) {
      const { text } = await print({ senderName })
      expect(text).toContain('Alguien ha pensado en ti.')
      expect(text).not.toContain('De parte de')
    }
  })

  it('stays one page for the longest name', async () => {
    for (const senderName of ['W'.repeat(80), 'Maximiliane '.repeat(6).trim()])
      expect((await print({ senderName })).pages).toBe(1)
  })

  it.each(Object.keys(THEMES) as SeedThemeId[])('of %s reads well, its small print too', async themeId => {
    const { background, text } = THEMES[themeId]
    expect(contrastRatio(softInk(THEMES[themeId]), background)).toBeGreaterThanOrEqual(4.5)
    const { source } = await print({ theme: THEMES[themeId], language: LANGUAGES[0] })
    for (const colour of [background, text, softInk(THEMES[themeId])])
      expect(source).toContain(`${colour.map(part => part / 255).join(' ')} scn`)
  })
})
