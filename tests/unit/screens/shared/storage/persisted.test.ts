import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isCurrency } from '#domain/money/currency.ts'
import { tabNameStorage, usableStorage } from '#screens/shared/storage/persisted.ts'
import { type Browser, openTab } from '../../browser.ts'

describe('a stored value', () => {
  let browser: Browser
  beforeEach(() => {
    browser = { persistentStorage: new Map() }
  })
  afterEach(() => vi.unstubAllGlobals())

  const currency = async () => {
    const { load } = openTab(browser)
    const { oneOf, persisted } = await load(() => import('#screens/shared/storage/persisted.ts'))
    return persisted('gift:test', undefined, oneOf(isCurrency))
  }

  it('comes back as it was written', async () => {
    ;(await currency()).set('GBP')
    expect((await currency()).get()).toBe('GBP')
  })

  it('is the default where somebody wrote something else', async () => {
    browser.persistentStorage.set('gift:test', '"><script>')
    expect((await currency()).get()).toBeUndefined()
  })

  it('leaves no entry once it is taken back', async () => {
    const store = await currency()
    store.set('GBP')
    store.set(undefined)
    expect(browser.persistentStorage.has('gift:test')).toBe(false)
  })

  it('knows a flag only by its own word', async () => {
    browser.persistentStorage.set('gift:test', 'true')
    const { load } = openTab(browser)
    const { FLAG, persisted } = await load(() => import('#screens/shared/storage/persisted.ts'))
    expect(persisted('gift:test', false, FLAG).get()).toBe(false)
  })

  it('follows what another tab writes, and what was written while the page rested in memory', async () => {
    const { load, tell } = openTab(browser)
    const { oneOf, persisted } = await load(() => import('#screens/shared/storage/persisted.ts'))
    const store = persisted('gift:test', undefined, oneOf(isCurrency))
    browser.persistentStorage.set('gift:test', 'CAD')
    tell('storage', { key: 'gift:other' })
    expect(store.get()).toBeUndefined()
    tell('storage', { key: 'gift:test' })
    expect(store.get()).toBe('CAD')
    browser.persistentStorage.set('gift:test', 'EUR')
    tell('pageshow', { persisted: true })
    expect(store.get()).toBe('EUR')
  })
})

describe('where storage is blocked', () => {
  it('is found out before anything is lost', () => {
    const blocked = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    const full = () => ({ setItem: blocked }) as unknown as Storage
    expect(usableStorage(blocked)).toBeUndefined()
    expect(usableStorage(full)).toBeUndefined()
  })

  it('two scripts of a page, each with a copy of its own, keep what the other noted', () => {
    const tab = { name: '' }
    const [one, other] = [tabNameStorage(tab), tabNameStorage(tab)]
    one.setItem('gift:sender', 'Íñigo')
    other.setItem('gift:ngo-list-visited', 'yes')
    other.removeItem('gift:theme')
    expect(other.getItem('gift:sender')).toBe('Íñigo')
    expect(one.getItem('gift:ngo-list-visited')).toBe('yes')
    other.removeItem('gift:sender')
    expect(one.getItem('gift:sender')).toBeNull()
  })

  it('carries choices to the next page in the name of the tab', () => {
    const tab = { name: '' }
    tabNameStorage(tab).setItem('gift:package', 'their water')
    const onNextPage = tabNameStorage(tab)
    expect(onNextPage.getItem('gift:package')).toBe('their water')
    onNextPage.removeItem('gift:package')
    expect(tabNameStorage(tab).getItem('gift:package')).toBeNull()
  })

  it.each([
    'somebody else’s',
    'gift-choices:{broken',
    'gift-choices:null',
    'gift-choices:5',
    'gift-choices:["a"]',
    'gift-choices:{"gift:package":1}',
  ])('starts empty in a tab named %s', name => {
    expect(tabNameStorage({ name }).getItem('gift:package')).toBeNull()
  })
})
