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
  const lasting = new Map<string, string>()
  const tab = new Map<string, string>()
  const asked: { readonly userId: string; readonly kept: string | undefined }[] = []
  const forgotten: SessionAnswer[] = []
  const needs: VisitorNeeds = {
    lasting: storageOf(lasting),
    tab: storageOf(tab),
    isAllowed: () => true,
    newNumber: () => 'made here',
    open: async userId => {
      asked.push({ userId, kept: lasting.get(USER) })
      during()
      return { userId, sessionId: 's1' }
    },
    forget: answer => forgotten.push(answer),
    ...changes,
  }
  return { lasting, tab, asked, forgotten, visit: () => openAsVisitor(needs) }
}

describe('a visitor who has accepted everything', () => {
  it('has a number, kept before anybody hears of it, and one session in a tab', async () => {
    const { visit, asked, lasting, tab } = bench()
    const first = await visit()
    expect(asked).toEqual([{ userId: 'made here', kept: 'made here' }])
    expect(await visit()).toEqual(first)
    expect(asked).toHaveLength(1)
    expect([...lasting, ...tab]).toEqual([
      [USER, 'made here'],
      [SESSION, 's1'],
      [USER, 'made here'],
    ])
  })

  it('gets a new session in a tab that slept through a no and a new yes in another one', async () => {
    const { visit, asked, lasting, tab } = bench()
    await visit()
    lasting.set(USER, 'newer')
    tab.set(SESSION, 'dead')
    await visit()
    expect(asked.map(({ userId }) => userId)).toEqual(['made here', 'newer'])
    expect([tab.get(SESSION), lasting.get(USER)]).toEqual(['s1', 'newer'])
  })

  it('keeps the number when the answer never comes', async () => {
    const { visit, lasting, tab } = bench({ open: async () => undefined })
    expect(await visit()).toBeUndefined()
    expect([lasting.get(USER), tab.size]).toEqual(['made here', 0])
  })

  it('keeps nothing where the server does not want to know', async () => {
    const { visit, lasting, tab } = bench({ open: async () => ({ userId: '', sessionId: '' }) })
    await visit()
    expect([lasting.size, tab.size]).toEqual([0, 0])
  })

  it('who takes it back while the session is opened is forgotten once it is there', async () => {
    let isAllowed = true
    const { visit, lasting, tab, forgotten } = bench({
      isAllowed: () => isAllowed,
      during: () => {
        isAllowed = false
        lasting.delete(USER)
      },
    })
    await visit()
    expect(forgotten).toEqual([{ userId: 'made here', sessionId: 's1' }])
    expect([lasting.size, tab.size]).toEqual([0, 0])
  })

  it('and gets no number again by a try that was under way in another tab', async () => {
    const { visit, asked, lasting } = bench({ isAllowed: () => false })
    expect(await visit()).toBeUndefined()
    expect([asked.length, lasting.size]).toEqual([0, 0])
  })

  it('nor is the session kept of one who has another number by then', async () => {
    const { visit, lasting, tab, forgotten } = bench({ during: () => lasting.set(USER, 'newer') })
    expect(await visit()).toBeUndefined()
    expect(forgotten).toEqual([{ userId: 'made here', sessionId: 's1' }])
    expect([lasting.get(USER), tab.size]).toEqual(['newer', 0])
    expect(await visit()).toEqual({ userId: 'newer', sessionId: 's1' })
  })
})
