import type { Currency } from '#domain/money/currency.ts'
import type { TaxRates } from '#domain/money/tax.ts'
import { type BriefPrices, isBriefPrices, type PriceLists } from '#domain/pricing/offer.ts'
import { isPackageId } from '#domain/pricing/packages.ts'
import { isStrategyId, type StrategyId } from '#domain/pricing/strategy-ids.ts'
import type { Codec } from '#screens/shared/storage/persisted.ts'
import { INVITATION_PRICES_KEY, PRICES_KEY } from '#wire/browser-names.ts'
import { choice } from './choice.ts'

/** What a package cost when it was chosen: a publish meanwhile changes nothing for whoever chose it (product.md#packages). */
export interface ShownPrices {
  readonly id: string
  readonly prices: BriefPrices
}

/** The same of a gift card, which has a price in each price list. */
export interface ShownGiftPrices extends ShownPrices {
  readonly strategy: StrategyId
}

/** How the support is told apart in each market. */
export type TaxesOf = Readonly<Record<Currency, TaxRates>>

/** What a page says is on sale. */
export interface OnSale {
  readonly gifts: PriceLists
  readonly invitation: ShownPrices
  readonly taxes: TaxesOf
}

function asJson<T extends ShownPrices>(isWhole: (value: T) => boolean): Codec<T | undefined> {
  return {
    read: text => {
      try {
        const value = JSON.parse(text) as T | null
        return value && isPackageId(value.id) && isBriefPrices(value.prices) && isWhole(value)
          ? value
          : undefined
      } catch {
        return undefined
      }
    },
    write: value => value && JSON.stringify(value),
  }
}

/** Of the gift card that was chosen last. */
export const $giftPrices = choice<ShownGiftPrices | undefined>(
  PRICES_KEY,
  undefined,
  asJson(({ strategy }) => isStrategyId(strategy)),
)

/** Of the invitation, from its package's screen on. */
export const $invitationPrices = choice<ShownPrices | undefined>(
  INVITATION_PRICES_KEY,
  undefined,
  asJson(() => true),
)
