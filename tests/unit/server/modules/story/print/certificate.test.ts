import { expect, it } from 'vitest'
import { LANGUAGES } from '#domain/languages.ts'
import { getT } from '#i18n/index.ts'
import { certificateSheet } from '#server/modules/story/print/certificate.ts'
import { readPdf } from '#tests/support/read-pdf.ts'

const FACTS = {
  number: '2026-000017-7QK3',
  name: 'Íñigo Łódź 🎁',
  document: '12345678Z',
  address: 'Carrer Major 1, 08001 Barcelona',
  amount: { amount: 5_000, currency: 'EUR' },
  paidAt: Date.parse('2026-11-21T12:00:00Z'),
  madeAt: Date.parse('2026-12-10T12:00:00Z'),
  orderId: '01890a5d-ac96-774b-bcce-b302099a8057',
  donee: 'Mantén la cadena · G12345678 · Calle Mayor 1, Madrid',
  words: 'Ley 49/2002, artículo 16. '.repeat(20),
} as const

it.each([
  ['es', 'Certificado para tus impuestos', '50,00 €', '21 de noviembre de 2026', 'irrevocable'],
  ['en', 'Certificate for your taxes', '€50.00', 'November 21, 2026', 'irrevocable'],
  ['fr', 'Reçu fiscal', '50,00 €', '21 novembre 2026', 'irrévocable'],
] as const)(
  'a certificate says in %s who gave what to whom, when, and by which law',
  async (language, title, amount, paid, forEver) => {
    const facts = { ...FACTS, language }
    const { text, pages } = readPdf(await certificateSheet(facts))
    const plain = text.replace(/[\u00a0\u202f\s]+/g, ' ')
    expect(pages).toBe(1)
    for (const words of [title, facts.number, 'Íñigo Łódź', facts.document, facts.address, amount, paid])
      expect(plain).toContain(words)
    for (const words of [facts.donee, facts.orderId, forEver, 'Ley 49/2002, artículo 16.'])
      expect(plain).toContain(words)
    expect(plain).not.toContain('🎁')
  },
)

it.each(LANGUAGES)(
  'a certificate of a sandbox says in %s that it counts nowhere, and confirms nothing',
  async language => {
    const { text } = readPdf(await certificateSheet({ ...FACTS, language }, { sandbox: true }))
    const plain = text.replace(/\s+/g, ' ')
    expect(plain).toContain(getT(language)('sandbox-on-certificate').replace(/\s+/g, ' '))
    expect(plain).not.toContain('Ley 49/2002')
    expect(plain).not.toMatch(/irrevocable|irrévocable/)
  },
)
