import type { PricingEntry } from '../pricing/strategies.ts'
import { VOLUNTEERING_MULTIPLIER } from '../support/slider.ts'

/** The volunteering packages, by the id that they are stored, sent and sold under (product.md#packages). */
export const VOLUNTEERING_PACKAGE_IDS = ['inauguration package'] as const

export type VolunteeringPackageId = (typeof VOLUNTEERING_PACKAGE_IDS)[number]

/** What a volunteering package is called, says and costs; texts are locale keys. */
export interface VolunteeringPackage extends PricingEntry<VolunteeringPackageId> {
  readonly title: string
  readonly benefits: readonly string[]
}

/** The one package there is: 100 in each currency, of which nothing is a donation; `ngoAmount` is its price. */
export const INAUGURATION_PACKAGE = {
  packageId: 'inauguration package',
  title: 'volunteering-package-inauguration-title',
  benefits: [
    'volunteering-package-inauguration-invitation',
    'volunteering-package-inauguration-memorial',
    'volunteering-package-inauguration-book',
    'volunteering-package-inauguration-answer',
  ],
  ngoAmount: 10_000,
  supportAmount: 0,
  multiplier: VOLUNTEERING_MULTIPLIER,
} as const satisfies VolunteeringPackage
