import { afterEach, describe, expect, it, vi } from 'vitest'
import { inLanguages } from '#tests/builders/domain.ts'

/** A browser's session storage, and the modules as a page would load them. */
async function aPage(entries: Map<string, string>) {
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, text: string) => entries.set(key, text),
    removeItem: (key: string) => entries.delete(key),
  })
  vi.resetModules()
  return {
    ...(await import('#screens/shared/choices/card-order.store.ts')),
    ...(await import('#screens/shared/payment/paid-gifts.store.ts')),
  }
}

const visitor = { origin: 'other', campaign: false } as const
const told = {
  checkWord: 'BCDF-GHJK-MNPQ',
  sendingKey: 'a-sending-key',
  cardId: 'card',
  email: 'buyer@example.org',
  senderName: null,
  isConfirmationEmailSent: false,
  packageId: 'their water',
  packageTitle: inLanguages({ es: 'Su agua', en: 'Their water', fr: 'Leur eau' }),
  price: { amount: 5_000, currency: 'EUR' },
} as const
const gift = { ...told, privateKey: 'private', publicKey: 'public', autoDonateAt: 1 }
const invitation = { ...told, key: 'key' }

describe('what lives as long as the tab', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('is the order of the cards, drawn once', async () => {
    const entries = new Map<string, string>()
    const first = (await aPage(entries)).cardOrder(visitor, () => 0)
    expect((await aPage(entries)).cardOrder(visitor, () => 0.99)).toEqual(first)
  })

  it('is drawn anew where somebody wrote nonsense', async () => {
    const { cardOrder } = await aPage(new Map([['gift:card-order', '["gold"]']]))
    expect(cardOrder(visitor, () => 0)).toContain('chain')
  })

  it('is the last gift of each kind, whole or not at all', async () => {
    const entries = new Map<string, string>()
    const { paidGifts } = await aPage(entries)
    paidGifts.donation.last.set(gift)
    paidGifts.volunteering.last.set(invitation)
    const reloaded = (await aPage(entries)).paidGifts
    expect(reloaded.donation.last.get()).toEqual(gift)
    expect(reloaded.volunteering.last.get()).toEqual(invitation)
    entries.set('gift:last-card', JSON.stringify({ ...gift, privateKey: undefined }))
    entries.set('gift:last-invitation', JSON.stringify({ ...invitation, key: undefined }))
    const broken = (await aPage(entries)).paidGifts
    expect(broken.donation.last.get()).toBeUndefined()
    expect(broken.volunteering.last.get()).toBeUndefined()
  })

  it('is forgotten when it is taken back', async () => {
    const entries = new Map<string, string>()
    const { pending } = (await aPage(entries)).paidGifts.donation
    pending.set('cs_1')
    pending.set(undefined)
    expect(entries.size).toBe(0)
    expect(pending.get()).toBeUndefined()
  })

  it('lasts for the page where storage is blocked', async () => {
    vi.stubGlobal('sessionStorage', undefined)
    vi.resetModules()
    const { paidGifts } = await import('#screens/shared/payment/paid-gifts.store.ts')
    paidGifts.donation.last.set(gift)
    expect(paidGifts.donation.last.get()).toEqual(gift)
  })
})
