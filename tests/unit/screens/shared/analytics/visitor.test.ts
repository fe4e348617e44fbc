import { describe, expect, it } from 'vitest'
import { openAsVisitor, type VisitorNeeds } from '#screens/shared/analytics/visitor.ts'
import type { SessionAnswer } from '#wire/analytics-client.ts'

const USER = 'gift:analytics-user'
const SESSION = 'gift:analytics-session'

const storageOf = (entries: Map<string, string>) => ({
  getItem: (key: string) => entries.get(key) ?? null,
  setItem: (key: string, text: string) => void entries.set(key, text),
  removeItem: (key: string) => void entries.delete(key),
})

/** A visitor's browser; `during` happens while the server is asked. */
function bench({ during = () => {}, ...changes }: Partial<VisitorNeeds> & { during?: () => void } = {}) {
  const persistentStorage = new Map<string, string>()
  const tab = new Map<string, string>()
  const asked: { readonly userId: string; readonly kept: string | undefined }[] = []
  const forgotten: SessionAnswer[] = []
  const needs: VisitorNeeds = {
    persistentStorage: storageOf(persistentStorage),
    tab: storageOf(tab),
    isAllowed: () => true,
    newNumber: () => 'made here',
    open: async userId => {
      asked.push({ userId, kept: persistentStorage.get(USER) })
      during()
      return { userId, sessionId: 's1' }
    },
    forget: answer => forgotten.push(answer),
    ...changes,
  }
  return { persistentStorage, tab, asked, forgotten, visit: () => openAsVisitor(needs) }
}

describe('a visitor who has accepted everything', () => {
  it('has a number, kept before anybody hears of it, and one session in a tab', async () => {
    const { visit, asked, persistentStorage, tab } = bench()
    const first = await visit()
    expect(asked).toEqual([{ userId: 'made here', kept: 'made here' }])
    expect(await visit()).toEqual(first)
    expect(asked).toHaveLength(1)
    expect([...persistentStorage, ...tab]).toEqual([
      [USER, 'made here'],
      [SESSION, 's1'],
      [USER, 'made here'],
    ])
  })

  it('gets a new session in a tab that slept through a no and a new yes in another one', async () => {
    const { visit, asked, persistentStorage, tab } = bench()
    await visit()
    persistentStorage.set(USER, 'newer')
    tab.set(SESSION, 'dead')
    await visit()
    expect(asked.map(({ userId }) => userId)).toEqual(['made here', 'newer'])
    expect([tab.get(SESSION), persistentStorage.get(USER)]).toEqual(['s1', 'newer'])
  })

  it('keeps the number when the answer never comes', async () => {
    const { visit, persistentStorage, tab } = bench({ open: async () => undefined })
    expect(await visit()).toBeUndefined()
    expect([persistentStorage.get(USER), tab.size]).toEqual(['made here', 0])
  })

  it('keeps nothing where the server does not want to know', async () => {
    const { visit, persistentStorage, tab } = bench({ open: async () => ({ userId: '', sessionId: '' }) })
    await visit()
    expect([persistentStorage.size, tab.size]).toEqual([0, 0])
  })

  it('who takes it back while the session is opened is forgotten once it is there', async () => {
    let isAllowed = true
    const { visit, persistentStorage, tab, forgotten } = bench({
      isAllowed: () => isAllowed,
      during: () => {
        isAllowed = false
        persistentStorage.delete(USER)
      },
    })
    await visit()
    expect(forgotten).toEqual([{ userId: 'made here', sessionId: 's1' }])
    expect([persistentStorage.size, tab.size]).toEqual([0, 0])
  })

  it('and gets no number again by a try that was under way in another tab', async () => {
    const { visit, asked, persistentStorage } = bench({ isAllowed: () => false })
    expect(await visit()).toBeUndefined()
    expect([asked.length, persistentStorage.size]).toEqual([0, 0])
  })

  it('nor is the session kept of one who has another number by then', async () => {
    const { visit, persistentStorage, tab, forgotten } = bench({
      during: () => persistentStorage.set(USER, 'newer'),
    })
    expect(await visit()).toBeUndefined()
    expect(forgotten).toEqual([{ userId: 'made here', sessionId: 's1' }])
    expect([persistentStorage.get(USER), tab.size]).toEqual(['newer', 0])
    expect(await visit()).toEqual({ userId: 'newer', sessionId: 's1' })
  })
})
