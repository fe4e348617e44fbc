import { entryFor, perLanguage } from '#domain/languages.ts'
import { CURRENCIES } from '#domain/money/currency.ts'
import type { Citation, GiftPackage, Offer, Price, Prices } from '#domain/pricing/offer.ts'
import { type FirstPackageId, PACKAGE_IDS, PACKAGES } from '#domain/pricing/packages.ts'
import { entryOf } from '#domain/pricing/strategies.ts'
import { STRATEGY_IDS } from '#domain/pricing/strategy-ids.ts'
import { INAUGURATION_PACKAGE } from '#domain/volunteering/package.ts'
import { getT, type TextKey } from '#i18n/index.ts'
import type { PerLanguage } from './snapshot.ts'

/**
 * The offer of a site whose content has none. Content from before packages were the operator's uses it. The seed
 * holds the same.
 */
export function firstOffer(): Offer {
  const { packageId, title, benefits, ngoAmount, supportAmount, multiplier } = INAUGURATION_PACKAGE
  return {
    gifts: PACKAGE_IDS.map(giftOf),
    invitation: {
      id: packageId,
      title: said(title),
      benefits: benefits.map(said),
      prices: inEveryCurrency({ ngoAmount, supportAmount, multiplier }),
    },
  }
}

/** What a card of the buyer's own amount is called. */
export const ownTitle = (): PerLanguage<string> => said('package-own-title')

function giftOf(id: FirstPackageId): GiftPackage {
  const { title, subtitleStart, subtitleKeep, description, citation } = PACKAGES[id]
  return {
    id,
    title: said(title),
    subtitleStart: said(subtitleStart),
    subtitleKeep: said(subtitleKeep),
    description: said(description),
    citation: citation && citationOf(citation),
    prices: Object.fromEntries(
      STRATEGY_IDS.map(strategy => {
        const { ngoAmount, supportAmount, multiplier } = entryOf(strategy, id)
        return [strategy, inEveryCurrency({ ngoAmount, supportAmount, multiplier })]
      }),
    ) as GiftPackage['prices'],
  }
}

const citationOf = ({
  title,
  place,
  links,
}: NonNullable<(typeof PACKAGES)[FirstPackageId]['citation']>): Citation => ({
  title: said(title),
  place: said(place),
  links: perLanguage(language => entryFor(links, language)),
})

const said = (key: TextKey): PerLanguage<string> => perLanguage(language => getT(language)(key))

const inEveryCurrency = (price: Price): Prices =>
  Object.fromEntries(CURRENCIES.map(currency => [currency, price])) as Record<
    (typeof CURRENCIES)[number],
    Price
  >
