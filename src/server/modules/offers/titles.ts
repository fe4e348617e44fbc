import { perLanguage } from '#domain/languages.ts'
import { type Offer, titleIn } from '#domain/pricing/offer.ts'
import { OWN_PACKAGE } from '#domain/pricing/own-amount.ts'
import { firstOffer, ownTitle } from '#server/modules/content/first-offer.ts'
import type { PerLanguage } from '#server/modules/content/snapshot.ts'
import { contentsOf } from '#server/modules/releases/versions.ts'
import type { Reader } from '#server/platform/db/database.ts'

/** The columns of an order that name the package. */
interface Bought {
  readonly package_id: string
  /** The offer that it was bought from. Older orders, from before offers were kept, name an empty one. */
  readonly offer_version: string
}

/** The title of a package at the time of its purchase. Later changes of the offer do not change it. */
export async function titleOfBought(
  db: Reader,
  { package_id: id, offer_version: version }: Bought,
): Promise<PerLanguage<string>> {
  if (id === OWN_PACKAGE) return ownTitle()
  const [kept] = await contentsOf(db, 'offer', [version])
  const offer = kept ? (JSON.parse(kept.content) as Partial<Offer>) : {}
  const title = isOffer(offer) ? titleIn(offer, id) : undefined
  return title ?? titleIn(firstOffer(), id) ?? perLanguage(() => id)
}

const isOffer = (offer: Partial<Offer>): offer is Offer =>
  offer.gifts !== undefined && offer.invitation !== undefined
