import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { Offer } from '#domain/pricing/offer.ts'
import { firstOffer } from './first-offer.ts'
import type { ContentSnapshot, PublishedTheme } from './snapshot.ts'
import { FIRST_THEMES } from './themes.ts'
import { BrokenContent } from './validate.ts'

const none = z.array(z.unknown()).length(0).nullish()
const withoutPackages = z.object({ offer: z.object({ gifts: none, invitation: z.null().optional() }) })
const withoutThemes = z.object({ themes: none })

/**
 * Content from before packages and themes were the operator's has the product's own. Once the operator has made some, the
 * loss of the last one does not bring those back: the site would sell at prices that nobody here has set.
 * @param answer of the content service
 * @param before what is published now
 * @throws BrokenContent
 */
export function refuseLastGone(
  answer: object,
  before: Pick<ContentSnapshot, 'offer' | 'themes'> | undefined,
): void {
  if (before === undefined) return
  const faults = [
    ...(withoutPackages.safeParse(answer).success && hasOwnPrices(before.offer)
      ? ['offer.gifts: the last package is gone; publish one, and the volunteering package']
      : []),
    ...(withoutThemes.safeParse(answer).success && hasOwnLooks(before.themes)
      ? ['themes: the last theme is gone; publish one, and offer it']
      : []),
  ]
  if (faults.length > 0) throw new BrokenContent(faults.join('\n'))
}

const hasOwnPrices = (offer: Offer): boolean => !isDeepStrictEqual(pricesOf(offer), pricesOf(firstOffer()))

/** What is sold for how much: a new version of the product may say it in other words. */
const pricesOf = ({ gifts, invitation }: Offer) =>
  [...gifts, invitation].map(({ id, prices }) => ({ id, prices }))

const hasOwnLooks = (themes: readonly PublishedTheme[]): boolean =>
  !isDeepStrictEqual(themes.map(lookOf), FIRST_THEMES.map(lookOf))

const lookOf = ({ names: _, ...look }: PublishedTheme) => look
