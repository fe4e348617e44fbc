import { beforeEach, describe, expect, it } from 'vitest'
import { perMarket } from '#domain/market.ts'
import { DEFAULT_TAX_RATES } from '#domain/money/tax.ts'
import { type PriceLists, type Prices, priceLists } from '#domain/pricing/offer.ts'
import { PACKAGE_IDS } from '#domain/pricing/packages.ts'
import { entryOf, STRATEGIES, STRATEGY_IDS } from '#domain/pricing/strategies.ts'
import type { StrategyId } from '#domain/pricing/strategy-ids.ts'
import { reachableSupports } from '#domain/support/slider.ts'
import { $currency, currencyFor } from '#screens/shared/choices/currency.store.ts'
import { $fallback, endOrder, forgetUnlisted } from '#screens/shared/choices/fallback.store.ts'
import { $package, choosePackage as choose } from '#screens/shared/choices/gift-package.store.ts'
import { missingStep } from '#screens/shared/choices/missing-step.ts'
import { chosenEntry, forgetUnsold, priceOf, supportAt } from '#screens/shared/choices/price.ts'
import { $sender, NO_SENDER, senderOf } from '#screens/shared/choices/sender.store.ts'
import { $giftPrices } from '#screens/shared/choices/shown-prices.store.ts'
import { $strategy, strategyFor } from '#screens/shared/choices/strategy.store.ts'
import { $supportPosition } from '#screens/shared/choices/support.store.ts'
import { firstOffer } from '#server/modules/content/first-offer.ts'

const LISTS = priceLists(firstOffer())
const choosePackage = (id: string, strategy: StrategyId, lists: PriceLists = LISTS) =>
  choose(id, strategy, lists[strategy][id]!)

beforeEach(() => {
  $giftPrices.set(undefined)
  $package.set(undefined)
  $strategy.set(undefined)
  $supportPosition.set(undefined)
  $currency.set(undefined)
  $sender.set(NO_SENDER)
})

describe('choosing a package', () => {
  it('keeps its price when the page’s language changes', () => {
    choosePackage('their water', strategyFor('es'))
    expect(chosenEntry(LISTS, 'en', 'EUR')?.ngoAmount).toBe(5_000)
  })

  it('follows the language until then', () => {
    expect([strategyFor('es'), strategyFor('en'), strategyFor('fr')]).toEqual([
      'tiktok-sp',
      'tiktok-usa',
      'tiktok-fr',
    ])
  })

  it('asks for the support again, since the same place of the slider costs another amount', () => {
    choosePackage('their food', 'tiktok-sp')
    $supportPosition.set(50)
    choosePackage('their food', 'tiktok-sp')
    expect($supportPosition.get()).toBe(50)
    choosePackage('their lifes', 'tiktok-sp')
    expect($supportPosition.get()).toBeUndefined()
  })

  it('keeps the support of a choice from before any price list was settled', () => {
    $package.set('their food')
    $supportPosition.set(50)
    choosePackage('their food', 'tiktok-sp')
    expect($supportPosition.get()).toBe(50)
  })
})

describe('a price that changes while somebody buys', () => {
  const dearer = (offer = firstOffer()): PriceLists => {
    const [chain, ...rest] = offer.gifts
    const raised = Object.fromEntries(
      Object.entries(chain!.prices['tiktok-sp']).map(([currency, price]) => [
        currency,
        { ...price, ngoAmount: price.ngoAmount + 100 },
      ]),
    ) as Prices
    return priceLists({ gifts: [{ ...chain!, prices: { ...chain!.prices, 'tiktok-sp': raised } }, ...rest] })
  }
  const price = (lists: PriceLists) => chosenEntry(lists, 'es', 'EUR')?.ngoAmount

  it('stays for whoever chose at the earlier one, on pages that came since', () => {
    choosePackage('keep the chain', 'tiktok-sp')
    expect(price(dearer())).toBe(200)
  })

  it('is the new one as soon as they see it, and the support is asked again', () => {
    choosePackage('keep the chain', 'tiktok-sp')
    $supportPosition.set(50)
    choosePackage('keep the chain', 'tiktok-sp', dearer())
    expect(price(LISTS)).toBe(300)
    expect($supportPosition.get()).toBeUndefined()
  })

  it('is the page’s where a tab from before knows the package alone', () => {
    $package.set('keep the chain')
    expect(price(dearer())).toBe(300)
  })

  it('lets go of a package that nobody sells any more, unless its price was shown', () => {
    $package.set('their yachts')
    forgetUnsold(LISTS, 'es')
    expect($package.get()).toBeUndefined()
    choosePackage('their homes', 'tiktok-sp')
    const { gifts } = firstOffer()
    forgetUnsold(priceLists({ gifts: gifts.filter(({ id }) => id !== 'their homes') }), 'es')
    expect($package.get()).toBe('their homes')
  })
})

describe('the guard of a screen', () => {
  it('leads to the first step that is missing, and lets through when none is', () => {
    expect(missingStep('donation-prepayment')).toBe('packages-donation')
    choosePackage('their food', 'tiktok-sp')
    expect(missingStep('donation-prepayment')).toBe('donation-sender-name')
    $sender.set({ kind: 'own', name: ' \u200b ' })
    expect(missingStep('donation-prepayment')).toBe('donation-sender-name')
    $sender.set({ kind: 'anonymous', name: '' })
    expect(missingStep('donation-prepayment')).toBe('donation-packages-support-amount')
    $supportPosition.set(0)
    expect(missingStep('donation-prepayment')).toBeUndefined()
    expect(missingStep('packages-donation')).toBeUndefined()
  })
})

describe('the organisation for an unused card', () => {
  it('is chance again for the next order, once this one is paid', () => {
    $fallback.set('cerf')
    endOrder()
    expect($fallback.get()).toBeUndefined()
  })
})

describe('the price', () => {
  it('is one that the tables list, wherever a tampered slider stands', () => {
    for (const strategy of STRATEGY_IDS)
      for (const id of PACKAGE_IDS) {
        const entry = entryOf(strategy, id)
        for (let position = -1; position <= 101; position++)
          expect(reachableSupports(entry)).toContain(supportAt(entry, position))
      }
  })

  it('sums what everybody receives', () => {
    const [entry] = STRATEGIES['tiktok-sp'].filter(({ ngoAmount }) => ngoAmount === 5_000)
    const { ngo, net, tax, total } = priceOf(
      entry!,
      30,
      'EUR',
      perMarket(() => ({ ...DEFAULT_TAX_RATES, taxShare: 21 })),
    )
    expect([ngo, net, tax, total].map(({ amount }) => amount)).toEqual([5_000, 1_185, 315, 6_500])
  })

  it('is in the currency chosen, else in the one the browser suggests', () => {
    expect(currencyFor(['fr-CA', 'en'])).toBe('CAD')
    $currency.set('GBP')
    expect(currencyFor(['fr-CA', 'en'])).toBe('GBP')
  })
})

describe('the sender', () => {
  it('keeps the name typed while the option changes', () => {
    const choice = { kind: 'anonymous', name: 'Íñigo' } as const
    expect(senderOf(choice)).toEqual({ kind: 'anonymous' })
    expect(senderOf({ ...choice, kind: 'own' })).toEqual({ kind: 'own', name: 'Íñigo' })
    expect(senderOf(NO_SENDER)).toBeUndefined()
  })
})

describe('an organisation named for an unused card', () => {
  it('is taken back once it is not on the list, and only then', () => {
    $fallback.set('ngo-cerf')
    forgetUnlisted([{ id: 'ngo-msf' }, { id: 'ngo-cerf' }])
    expect($fallback.get()).toBe('ngo-cerf')
    forgetUnlisted([{ id: 'ngo-msf' }])
    expect($fallback.get()).toBeUndefined()
  })
})
