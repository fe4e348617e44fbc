import type { WritableAtom } from 'nanostores'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { perMarket } from '#domain/market.ts'
import { type Browser, openTab } from '../../browser.ts'

const PRICE = [5_000, 0, 1] as const
const PRICES = perMarket(() => PRICE)

let browser: Browser
beforeEach(() => {
  browser = { persistentStorage: new Map() }
})
afterEach(() => vi.unstubAllGlobals())

/** The choices as a page of this tab sees them. */
const pageOf = async (tab: ReturnType<typeof openTab>) => {
  const { $package, $supportPosition, choosePackage } = await tab.load(async () => ({
    ...(await import('#screens/shared/choices/gift-package.store.ts')),
    ...(await import('#screens/shared/choices/support.store.ts')),
  }))
  return { $package, $supportPosition, choosePackage }
}

describe('two tabs', () => {
  it('each keep their own order, on every page', async () => {
    const [one, other] = [openTab(browser), openTab(browser)]
    ;(await pageOf(one)).$package.set('their water')
    ;(await pageOf(other)).$package.set('their food')
    expect((await pageOf(one)).$package.get()).toBe('their water')
    expect((await pageOf(other)).$package.get()).toBe('their food')
  })

  /** Every part of an order, of either kind of gift: two values that a visitor can choose. */
  const PARTS = {
    $theme: ['ukraine', 'christmas'],
    $giftKind: ['donation', 'volunteering'],
    $currency: ['EUR', 'CAD'],
    $package: ['their water', 'their food'],
    $sender: [
      { kind: 'own', name: 'Ana' },
      { kind: 'own', name: 'Berta' },
    ],
    $supportPosition: [0, 30],
    $mission: [
      { kind: 'decide-later', text: '' },
      { kind: 'other', text: 'A Saturday' },
    ],
    $volunteeringSender: ['Ana', 'Berta'],
    $volunteeringSupport: [0, 30],
  } as const

  it.each(Object.entries(PARTS))('share no part of an order: %s', async (part, [mine, theirs]) => {
    const [one, other] = [openTab(browser), openTab(browser)]
    const partIn = async (tab: typeof one) => {
      const stores: Record<string, unknown> = await tab.load(async () => ({
        ...(await import('#screens/shared/choices/theme.store.ts')),
        ...(await import('#screens/shared/choices/gift-kind.store.ts')),
        ...(await import('#screens/shared/choices/currency.store.ts')),
        ...(await import('#screens/shared/choices/gift-package.store.ts')),
        ...(await import('#screens/shared/choices/sender.store.ts')),
        ...(await import('#screens/shared/choices/support.store.ts')),
        ...(await import('#screens/shared/choices/volunteering.store.ts')),
      }))
      return stores[part] as WritableAtom<unknown>
    }
    const shown = await partIn(one)
    shown.set(mine)
    ;(await partIn(other)).set(theirs)
    one.tell('storage', { key: null })
    expect(shown.get()).toEqual(mine)
    expect((await partIn(one)).get()).toEqual(mine)
    expect((await partIn(other)).get()).toEqual(theirs)
  })

  it('begin where the last one stands', async () => {
    ;(await pageOf(openTab(browser))).$package.set('their water')
    ;(await pageOf(openTab(browser))).$package.set('their food')
    expect((await pageOf(openTab(browser))).$package.get()).toBe('their food')
  })

  it('stay where they began, whatever is chosen elsewhere', async () => {
    browser.persistentStorage.set('gift:package', 'their water')
    const one = openTab(browser)
    const page = await pageOf(one)
    ;(await pageOf(openTab(browser))).$package.set('their food')
    one.tell('storage', { key: 'gift:package' })
    expect(page.$package.get()).toBe('their water')
    expect((await pageOf(one)).$package.get()).toBe('their water')
  })

  it('do not hand each other the support of another package', async () => {
    const one = openTab(browser)
    ;(await pageOf(one)).choosePackage('their water', 'tiktok-sp', PRICES)
    const elsewhere = await pageOf(openTab(browser))
    elsewhere.choosePackage('their food', 'tiktok-sp', PRICES)
    elsewhere.$supportPosition.set(30)
    expect((await pageOf(one)).$supportPosition.get()).toBeUndefined()
  })
})

describe('one tab', () => {
  it('shows on a page out of the browser’s memory what was chosen since', async () => {
    const tab = openTab(browser)
    const page = await pageOf(tab)
    page.$package.set('their water')
    tab.session.set('gift:package', 'their homes')
    tab.tell('pageshow', { persisted: true })
    expect(page.$package.get()).toBe('their homes')
  })

  it('asks again where somebody wrote nonsense into it', async () => {
    browser.persistentStorage.set('gift:package', 'THEIR YACHTS')
    expect((await pageOf(openTab(browser))).$package.get()).toBeUndefined()
    const tab = openTab(browser, new Map([['gift:package', 'THEIR YACHTS']]))
    browser.persistentStorage.set('gift:package', 'their water')
    expect((await pageOf(tab)).$package.get()).toBeUndefined()
  })
})
