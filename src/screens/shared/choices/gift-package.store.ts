import { isPackageId, type PackageId } from '#domain/pricing/packages.ts'
import type { StrategyId } from '#domain/pricing/strategies.ts'
import { oneOf } from '#screens/shared/storage/persisted.ts'
import { PACKAGE_KEY } from '#wire/browser-names.ts'
import { choice } from './choice.ts'
import { $strategy } from './strategy.store.ts'
import { $supportPosition } from './support.store.ts'

/** The package the visitor chose. */
export const $package = choice<PackageId | undefined>(PACKAGE_KEY, undefined, oneOf(isPackageId))

/**
 * Chooses a package at the price it was shown with: from now on the strategy stays, in whatever language. Support
 * is asked again for another package, since the same place of the slider would cost another amount.
 */
export function choosePackage(id: PackageId, strategy: StrategyId): void {
  if (id !== $package.get() || strategy !== $strategy.get()) $supportPosition.set(undefined)
  $strategy.set(strategy)
  $package.set(id)
}
