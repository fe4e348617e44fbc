import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Campaign } from '#domain/campaign/campaigns.ts'

const FREE: Campaign = { kind: 'free', code: 'gift-seed', source: 'instagram' }

/** A browser's two storages, and the modules as a page would load them. */
async function aPage(persistentStorage: Map<string, string>, session: Map<string, string>) {
  for (const [name, entries] of [
    ['localStorage', persistentStorage],
    ['sessionStorage', session],
  ] as const)
    vi.stubGlobal(
      name,
      new Proxy(
        {
          getItem: (key: string) => entries.get(key) ?? null,
          setItem: (key: string, text: string) => entries.set(key, text),
          removeItem: (key: string) => entries.delete(key),
        },
        {
          has: (target, key) => key in target || entries.has(String(key)),
          get: (target, key) => Reflect.get(target, key) ?? entries.get(String(key)),
          set: (_, key, text: string) => Boolean(entries.set(String(key), text)),
          deleteProperty: (_, key) => entries.delete(String(key)) || true,
        },
      ),
    )
  vi.stubGlobal('window', { name: '', addEventListener() {}, removeEventListener() {} })
  vi.resetModules()
  const [entry, facts, consent, strategy, visits, order] = await Promise.all([
    import('#screens/shared/visitor/entry.store.ts'),
    import('#screens/shared/visitor/entry-facts.store.ts'),
    import('#screens/shared/consent/consent.store.ts'),
    import('#screens/shared/choices/strategy.store.ts'),
    import('#screens/shared/visitor/visit-flags.store.ts'),
    import('#screens/shared/choices/card-order.store.ts'),
  ])
  return { ...entry, ...facts, ...consent, ...strategy, ...visits, ...order }
}

let persistentStorage: Map<string, string>
let session: Map<string, string>
beforeEach(() => {
  persistentStorage = new Map()
  session = new Map()
})
afterEach(() => vi.unstubAllGlobals())

describe('what the first link says', () => {
  it('waits in the tab until the question is answered, and is kept when the answer allows it', async () => {
    const page = await aPage(persistentStorage, session)
    page.noteEntry({ strategy: 'tiktok-fr', pollVisitor: true })
    page.noteEntry({ campaign: FREE })
    expect([...persistentStorage.keys()]).toEqual([])
    const later = await aPage(persistentStorage, session)
    expect(later.entryFacts()).toEqual({ strategy: 'tiktok-fr', pollVisitor: true, campaign: FREE })
    later.choose('reject-optional', 1)
    later.noteEntry({})
    expect(session.has('gift:entry')).toBe(false)
    expect(JSON.parse(persistentStorage.get('gift:visitor') ?? '')).toEqual(later.entryFacts())
    expect((await aPage(persistentStorage, new Map())).entryFacts().campaign).toEqual(FREE)
  })

  it('goes back to the tab alone after a plain no', async () => {
    const page = await aPage(persistentStorage, session)
    page.choose('all', 1)
    page.noteEntry({ referred: true })
    page.choose('reject', 2)
    page.noteEntry({})
    expect(persistentStorage.has('gift:visitor')).toBe(false)
    expect(page.entryFacts()).toEqual({ referred: true })
    expect((await aPage(persistentStorage, new Map())).entryFacts()).toEqual({})
  })

  it('drops what somebody wrote there by hand, and keeps the rest', async () => {
    for (const text of ['', 'null', '[1]', '7', '{"strategy":"free","pollVisitor":"yes","referred":1}'])
      expect((await aPage(new Map([['gift:visitor', text]]), session)).entryFacts()).toEqual({})
    const half = '{"strategy":"tiktok-sp","campaign":{"kind":"free","code":"<b>","source":"other"}}'
    expect((await aPage(persistentStorage, new Map([['gift:entry', half]]))).entryFacts()).toEqual({
      strategy: 'tiktok-sp',
    })
  })

  it('settles the strategy whose prices were seen first, for every language and link that follows', async () => {
    const page = await aPage(persistentStorage, session)
    page.settleStrategy(page.strategyFor('es'))
    const later = await aPage(persistentStorage, new Map())
    expect(later.strategyFor('en')).toBe('tiktok-sp')
    later.noteEntry({ strategy: 'tiktok-usa' })
    later.settleStrategy('tiktok-usa')
    expect(later.strategyFor('en')).toBe('tiktok-sp')
  })

  it('notes what was only seen in the tab alone after a plain no', async () => {
    const page = await aPage(persistentStorage, session)
    page.choose('reject', 1)
    page.settleStrategy('tiktok-fr')
    expect((await aPage(persistentStorage, session)).strategyFor('es')).toBe('tiktok-fr')
    expect(persistentStorage.has('gift:strategy')).toBe(false)
  })

  it('prices the page until a package settles the strategy', async () => {
    const page = await aPage(persistentStorage, session)
    expect(page.strategyFor('es')).toBe('tiktok-sp')
    page.noteEntry({ strategy: 'tiktok-usa' })
    expect(page.strategyFor('es')).toBe('tiktok-usa')
    page.$strategy.set('tiktok-fr')
    expect(page.strategyFor('es')).toBe('tiktok-fr')
  })
})

describe('the sessions', () => {
  it('are counted once each, up to two, and only when that may be kept', async () => {
    const page = await aPage(persistentStorage, session)
    page.noteEntry({})
    expect(page.$sessions.get()).toBe(0)
    page.choose('all', 1)
    for (let look = 0; look < 3; look++) page.noteEntry({})
    expect(page.$sessions.get()).toBe(1)
    for (const visits of [2, 2]) {
      const next = await aPage(persistentStorage, new Map())
      next.noteEntry({})
      expect(next.$sessions.get()).toBe(visits)
    }
  })

  it('are forgotten after a plain no', async () => {
    const page = await aPage(new Map([['gift:sessions', '2']]), session)
    page.choose('reject', 1)
    page.noteEntry({})
    expect(page.$sessions.get()).toBe(0)
  })

  it('begin at none where somebody wrote nonsense', async () => {
    for (const text of ['3', '-1', 'two'])
      expect((await aPage(new Map([['gift:sessions', text]]), session)).$sessions.get()).toBe(0)
  })
})

describe('the flags of a visit', () => {
  it('outlive the tab until a plain no, which leaves them to the tab', async () => {
    const page = await aPage(persistentStorage, session)
    page.packagesVisited.set(true)
    expect(persistentStorage.get('gift:packages-visited')).toBe('yes')
    page.choose('reject', 1)
    expect([...persistentStorage.keys()]).toEqual(['gift:consent'])
    const next = await aPage(persistentStorage, session)
    expect(next.packagesVisited.get()).toBe(true)
    next.ngoListVisited.set(true)
    expect([...persistentStorage.keys()]).toEqual(['gift:consent'])
    expect((await aPage(persistentStorage, session)).ngoListVisited.get()).toBe(true)
    expect((await aPage(persistentStorage, new Map())).ngoListVisited.get()).toBe(false)
  })
})

describe('the visitor', () => {
  it('comes from a receiver’s flow, a friend or elsewhere', async () => {
    const page = await aPage(persistentStorage, session)
    expect([page.visitorOrigin(), page.isShortVisitor()]).toEqual(['other', false])
    page.noteEntry({ campaign: FREE })
    expect([page.visitorOrigin(), page.isShortVisitor()]).toEqual(['other', true])
    page.noteEntry({ referred: true })
    expect([page.visitorOrigin(), page.isShortVisitor()]).toEqual(['receiver-or-referred', true])
    const receiver = await aPage(new Map([['gift:came-from-receiver', 'yes']]), new Map())
    expect([receiver.visitorOrigin(), receiver.isShortVisitor()]).toEqual(['receiver-or-referred', true])
  })

  it('asks the polls’ rules what the browser remembers of them', async () => {
    expect((await aPage(persistentStorage, session)).entryVisitor()).toEqual({
      consentAnswered: false,
      poll1Completed: false,
      wantsPoll2: undefined,
      poll2Completed: false,
    })
    persistentStorage.set('gift:poll-1-completed', 'yes')
    persistentStorage.set('gift:poll-2-wanted', 'no')
    expect((await aPage(persistentStorage, session)).entryVisitor()).toMatchObject({
      poll1Completed: true,
      wantsPoll2: false,
    })
  })

  it('sees the free card first once a free campaign is known, whatever was drawn before', async () => {
    const page = await aPage(persistentStorage, session)
    const before = page.cardOrder({ origin: 'other', campaign: false }, () => 0)
    expect(before).not.toContain('free')
    expect(page.cardOrder({ origin: 'other', campaign: true }, () => 0.99)).toEqual(['free', ...before])
    expect(page.cardOrder({ origin: 'other', campaign: false }, () => 0.99)).toEqual(before)
  })
})
