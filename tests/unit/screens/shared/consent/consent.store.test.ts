import { beforeEach, describe, expect, it, vi } from 'vitest'
import { IDENTIFIER_KEYS } from '#wire/browser-names.ts'

/** As much of a browser's storage as the store touches. */
function fakeStorage() {
  const entries = new Map<string, string>()
  return { entries, removeItem: (key: string) => void entries.delete(key) }
}

describe('a choice', () => {
  const local = fakeStorage()
  const tab = fakeStorage()
  beforeEach(() => {
    vi.stubGlobal('localStorage', local)
    vi.stubGlobal('sessionStorage', tab)
    for (const key of IDENTIFIER_KEYS) for (const { entries } of [local, tab]) entries.set(key, 'x')
    return () => vi.unstubAllGlobals()
  })

  it.each(['reject', 'reject-optional'] as const)(
    'of %s is recorded and deletes every identifier',
    async choice => {
      const { $consent, choose } = await import('#screens/shared/consent/consent.store.ts')
      choose(choice, 7)
      expect($consent.get()).toEqual({ choice, version: 1, at: 7 })
      expect([...local.entries.keys(), ...tab.entries.keys()]).toEqual([])
    },
  )

  it('of everything keeps them', async () => {
    const { $consent, choose } = await import('#screens/shared/consent/consent.store.ts')
    choose('all', 8)
    expect($consent.get()).toEqual({ choice: 'all', version: 1, at: 8 })
    expect([...local.entries.keys()]).toEqual([...IDENTIFIER_KEYS])
  })

  it('is recorded for this page also where storage is blocked', async () => {
    const { $consent, choose } = await import('#screens/shared/consent/consent.store.ts')
    const blocked = {
      removeItem: () => {
        throw new DOMException('blocked', 'SecurityError')
      },
    }
    vi.stubGlobal('localStorage', blocked)
    vi.stubGlobal('sessionStorage', blocked)
    choose('reject', 9)
    expect($consent.get()?.choice).toBe('reject')
  })
})
