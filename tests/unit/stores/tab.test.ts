import { afterEach, describe, expect, it, vi } from 'vitest'

/** A browser's session storage, and the modules as a page would load them. */
async function aPage(entries: Map<string, string>) {
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, text: string) => entries.set(key, text),
    removeItem: (key: string) => entries.delete(key),
  })
  vi.resetModules()
  return {
    ...(await import('#stores/card-order.ts')),
    ...(await import('#stores/last-gift.ts')),
  }
}

const visitor = { origin: 'other', campaign: false } as const
const gift = {
  cardId: 'card',
  privateKey: 'private',
  publicKey: 'public',
  email: 'buyer@example.org',
  senderName: null,
  isConfirmationEmailSent: false,
}

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

  it('is the last gift, whole or not at all', async () => {
    const entries = new Map<string, string>()
    ;(await aPage(entries)).lastGift.set(gift)
    expect((await aPage(entries)).lastGift.get()).toEqual(gift)
    entries.set('gift:last-card', JSON.stringify({ ...gift, privateKey: undefined }))
    expect((await aPage(entries)).lastGift.get()).toBeUndefined()
  })

  it('is forgotten when it is taken back', async () => {
    const entries = new Map<string, string>()
    const { pendingSession } = await aPage(entries)
    pendingSession.set('cs_1')
    pendingSession.set(undefined)
    expect(entries.size).toBe(0)
    expect(pendingSession.get()).toBeUndefined()
  })

  it('lasts for the page where storage is blocked', async () => {
    vi.stubGlobal('sessionStorage', undefined)
    vi.resetModules()
    const { lastGift } = await import('#stores/last-gift.ts')
    lastGift.set(gift)
    expect(lastGift.get()).toEqual(gift)
  })
})
