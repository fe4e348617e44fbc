import { describe, expect, it } from 'vitest'
import { money } from '#domain/money/money.ts'
import type { ContentSnapshot } from '#server/modules/content/snapshot.ts'
import type { CardUse, CardView } from '#server/modules/gifts/interface.ts'
import { usedOf } from '#server/modules/story/presentation.ts'

const snapshot = {
  knownNgos: [{ id: 'ngo-msf', title: { es: 'Médicos', en: 'Doctors', fr: 'Médecins' } }],
} as unknown as ContentSnapshot

const viewOf = (use: CardUse | null): CardView => ({
  authority: 'full',
  createdAt: 0,
  credit: money(5_000, 'EUR'),
  senderName: null,
  themeId: 'ukraine',
  consumed: use !== null,
  free: false,
  use,
})
const AT = Date.parse('2027-03-10T22:30:00Z')

describe('what a used card says', () => {
  it('is that and when its recipient used it, and nothing else', () => {
    expect(usedOf(viewOf({ by: 'recipient', at: AT }), snapshot, 'en')).toEqual({
      title: 'This card was consumed.',
      lead: 'It was used on 10 March 2027.',
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

  it('is nothing while the card is there to be used', () => {
    expect(usedOf(viewOf(null), snapshot, 'es')).toBeUndefined()
  })
})
