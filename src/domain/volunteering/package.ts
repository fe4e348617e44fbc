import type { PricingEntry } from '../pricing/strategies.ts'
import { VOLUNTEERING_MULTIPLIER } from '../support/slider.ts'

/** What a volunteering package of the first offer is called, says and costs; texts are locale keys. */
interface VolunteeringPackage extends PricingEntry {
  readonly title: string
  readonly benefits: readonly string[]
}

/** The package that a site begins with: 100 in each currency, of which nothing is a donation; `ngoAmount` is its price. */
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
