import { describe, expect, it } from 'vitest'
import { groupedKey } from '#domain/card/keys.ts'
import { LANGUAGES } from '#domain/languages.ts'
import { MOST_MESSAGE } from '#domain/sender/message.ts'
import { THEMES } from '#domain/themes.ts'
import { getT } from '#i18n/index.ts'
import type { ManySheetsFacts, PaperCard } from '#server/modules/story/print/many-job.ts'
import { createSheetsProcess, MOST_WAITING } from '#server/modules/story/print/many-process.ts'
import { manySheets } from '#server/modules/story/print/many-sheets.ts'
import { qrModules } from '#server/modules/story/print/qr.ts'
import { drawnModules } from '#tests/support/drawn-modules.ts'
import { readPdf } from '#tests/support/read-pdf.ts'

const keyOf = (n: number): string => `abcdefghijklmnopqrstuvwxyz2345${'abcdefgh'[n % 8]}${'abcdefgh'[n >> 3]}`
const aCard = (n: number, changes: Partial<PaperCard> = {}): PaperCard => ({
  number: n + 1,
  name: null,
  words: null,
  link: `https://gifts.example.org/g/ukraine/es#${keyOf(n)}`,
  key: groupedKey(keyOf(n)),
  word: 'BCDF-GHJK-MNPQ',
  ...changes,
})
const cardsOf = (count: number) => Array.from({ length: count }, (_, n) => aCard(n))
const someFacts: ManySheetsFacts = {
  language: 'es',
  theme: THEMES.ukraine,
  siteName: 'Mantén la cadena',
  sandbox: false,
  senderName: 'Íñigo Łódź',
  credit: { amount: 5_000, currency: 'EUR' },
  until: 'Tienes hasta el 21 de noviembre de 2027.',
  address: 'gifts.example.org/g#',
  checkAddress: 'gifts.example.org/is-this-real',
  cards: cardsOf(1),
}
const print = async (changes: Partial<ManySheetsFacts>) =>
  readPdf(await manySheets({ ...someFacts, ...changes }))
const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ')
const together = (text: string): string => plain(text).replace(/\s+/g, '')

describe('sheets of many cards', () => {
  it('hold four cards each, in their order, each with a code that is its own link', async () => {
    const cards = cardsOf(9)
    const { pages, texts, figures, alts, isTagged } = await print({ cards })
    expect([pages, isTagged]).toEqual([3, true])
    for (const [n, { key }] of cards.entries()) expect(texts[Math.floor(n / 4)]).toContain(key)
    expect(alts).toHaveLength(cards.length)
    for (const [n, { link }] of cards.entries()) {
      expect(alts[n]).toContain(link)
      expect(drawnModules(figures[n]!)).toEqual(qrModules(link).map(row => [...row]))
    }
  })

  it('say of a sandbox’s cards that they are worth nothing', async () => {
    const language = 'fr'
    const { text } = await print({ language, sandbox: true })
    expect(together(text)).toContain(together(getT(language)('sandbox-on-paper')))
    expect(together(text)).not.toContain(together(getT(language)('print-amount')))
  })

  it.each(LANGUAGES)(
    'say in %s how much, from whom, for whom, until when, and how to see that it is real',
    async language => {
      const { text, language: told } = await print({ language, cards: [aCard(0, { name: 'Łucja Peña' })] })
      expect(told).toBe(language)
      for (const words of [
        '50',
        'Íñigo Łódź',
        'Łucja Peña',
        someFacts.until,
        someFacts.address,
        'BCDF-GHJK-MNPQ',
      ])
        expect(together(text)).toContain(together(words))
      expect(text).not.toContain('\ufffd')
    },
  )

  it.each([
    ['a sentence', 'Gracias por este año juntos.'],
    ['the widest words', 'W'.repeat(MOST_MESSAGE)],
    ['many short ones', 'a b '.repeat(75).trim()],
  ])('lose nothing of %s, beside the longest name', async (_, words) => {
    const name = 'Maximiliana '.repeat(6).trim()
    const { text, sizes } = await print({ cards: [aCard(0, { words, name })] })
    expect(together(text)).toContain(together(words))
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(6)
  })

  it('leave out what nobody wrote', async () => {
    const { text } = await print({ senderName: null })
    expect(text).not.toMatch(/De parte de|Un regalo para/)
  })
})

describe('the process that draws them', () => {
  it('gives the same sheets, one order after the other', async () => {
    const sheets = createSheetsProcess()
    const both = await Promise.all([1, 5].map(count => sheets.draw({ ...someFacts, cards: cardsOf(count) })))
    expect(both.map(pdf => readPdf(pdf).pages)).toEqual([1, 2])
  }, 60_000)

  it('sends whoever comes while too many wait away, to come back', async () => {
    const sheets = createSheetsProcess()
    const waiting = Array.from({ length: MOST_WAITING }, () => sheets.draw(someFacts))
    await expect(sheets.draw(someFacts)).rejects.toMatchObject({ code: 'temporarily-unavailable' })
    await expect(Promise.all(waiting)).resolves.toHaveLength(MOST_WAITING)
    await expect(sheets.draw(someFacts)).resolves.toBeInstanceOf(Buffer)
  }, 120_000)
})
