import { cleanTestStorage, getTestStorage, useTestStorageEngine } from '@nanostores/persistent'
import { beforeEach, describe, expect, it } from 'vitest'
import { isCurrency } from '#domain/money/currency.ts'
import { FLAG, oneOf, persisted, tabNameStorage, usableStorage } from '#stores/persisted.ts'

describe('a stored choice', () => {
  beforeEach(() => {
    useTestStorageEngine()
    cleanTestStorage()
  })

  const currency = () => persisted('gift:test', undefined, oneOf(isCurrency))

  it('comes back as it was written', () => {
    currency().set('GBP')
    expect(currency().get()).toBe('GBP')
  })

  it('is the default where somebody wrote something else', () => {
    getTestStorage()['gift:test'] = '"><script>'
    expect(currency().get()).toBeUndefined()
  })

  it('leaves no entry once it is taken back', () => {
    const store = currency()
    store.set('GBP')
    store.set(undefined)
    expect(getTestStorage()).not.toHaveProperty('gift:test')
  })

  it('knows a flag only by its own word', () => {
    getTestStorage()['gift:test'] = 'true'
    expect(persisted('gift:test', false, FLAG).get()).toBe(false)
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

  it('carries choices to the next page in the name of the tab', () => {
    const tab = { name: '' }
    tabNameStorage(tab)['gift:package'] = 'their water'
    const onNextPage = tabNameStorage(tab)
    expect(onNextPage['gift:package']).toBe('their water')
    delete onNextPage['gift:package']
    expect('gift:package' in tabNameStorage(tab)).toBe(false)
  })

  it.each([
    'somebody else’s',
    'gift-choices:{broken',
    'gift-choices:null',
    'gift-choices:5',
    'gift-choices:["a"]',
    'gift-choices:{"gift:package":1}',
  ])('starts empty in a tab named %s', name => {
    expect(Object.keys(tabNameStorage({ name }))).toEqual([])
  })
})
