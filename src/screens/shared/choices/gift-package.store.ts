import type { BriefPrices } from '#domain/pricing/offer.ts'
import { isPackageId } from '#domain/pricing/packages.ts'
import type { StrategyId } from '#domain/pricing/strategy-ids.ts'
import { oneOf } from '#screens/shared/storage/persisted.ts'
import { PACKAGE_KEY } from '#wire/browser-names.ts'
import { choice } from './choice.ts'
import { $giftPrices } from './shown-prices.store.ts'
import { $strategy } from './strategy.store.ts'
import { $supportPosition } from './support.store.ts'

/** How a package is kept. */
export const PACKAGE = oneOf(isPackageId)

/** The package the visitor chose. */
export const $package = choice<string | undefined>(PACKAGE_KEY, undefined, PACKAGE)

/**
 * Chooses a package at the prices that it was shown with. These prices stay, also in another language and after a
 * publish. Support is asked again for another package or price: the same position of the slider would cost another
 * amount.
 */
export function choosePackage(id: string, strategy: StrategyId, prices: BriefPrices): void {
  const isAsBefore =
    id === $package.get() &&
    strategy === ($strategy.get() ?? strategy) &&
    JSON.stringify($giftPrices.get()?.prices ?? prices) === JSON.stringify(prices)
  if (!isAsBefore) $supportPosition.set(undefined)
  $strategy.set(strategy)
  $giftPrices.set({ id, strategy, prices })
  $package.set(id)
}
