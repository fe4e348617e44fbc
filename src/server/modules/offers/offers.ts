import type { Market } from '#domain/market.ts'
import type { TaxRates } from '#domain/money/tax.ts'
import { entryIn, giftEntries, type Offer } from '#domain/pricing/offer.ts'
import { OWN_PACKAGE, ownEntries, ownRange } from '#domain/pricing/own-amount.ts'
import { type Quote, type QuoteRequest, quote } from '#domain/pricing/quote.ts'
import type { PricingEntry } from '#domain/pricing/strategies.ts'
import { isProblem, Problem } from '#domain/problems.ts'
import { acceptedReleases } from '#domain/releases.ts'
import type { ContentSnapshot } from '#server/modules/content/snapshot.ts'
import { createKeeper } from '#server/modules/releases/keeper.ts'
import {
  contentsOf,
  keepVersion,
  releasesOf,
  type Version,
  versionOf,
} from '#server/modules/releases/versions.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database, Writer } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'
import { graceEndedAt } from './grace.ts'

/** A price that may be paid, and the offer that it stood in. */
export interface Quoted {
  readonly quote: Quote
  /** The offer that the order was bought from; it is kept for ever. */
  readonly offerVersion: string
}

/** The prices of purchases. Payments ask for them within the transaction that writes the order. */
export interface Offers {
  /**
   * Quotes a gift card from the published offer, or from one that was replaced less than an hour ago.
   * @throws Problem price-not-listed for what was not
   */
  quoteGift(trx: Writer, request: QuoteRequest): Promise<Quoted>
  /** Quotes an invitation in the same way. Its price stands in the place of the organisations' amount. */
  quoteInvitation(trx: Writer, request: QuoteRequest): Promise<Quoted>
}

export interface OffersRoom extends Offers {
  /**
   * Writes down the offer that is published now. Never rejects: if it fails, the next order writes the offer down.
   */
  keep(): Promise<void>
}

interface Dependencies {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly content: () => Pick<ContentSnapshot, 'offer' | 'markets'>
}

/** The prices of an offer that a request may be for. */
type Entries = (offer: Offer, request: QuoteRequest, market: Market) => readonly PricingEntry[]

const GIFTS: Entries = (offer, { packageId, ngoAmount, currency }, { mostOwn }) =>
  packageId === OWN_PACKAGE
    ? ownEntries(ngoAmount, ownRange(offer, currency, mostOwn))
    : giftEntries(offer, currency)
const INVITATION: Entries = ({ invitation: { id, prices } }, { currency }) => [entryIn(prices, id, currency)]

/** Makes the offers: they quote prices of today, and for an hour those before. */
export function createOffers({ db, clock, log, content }: Dependencies): OffersRoom {
  const keeper = createKeeper({
    db,
    log,
    failure: 'offer-not-kept',
    write: trx => keepVersion(trx, 'offer', versionedOffer(content().offer), clock()),
  })

  async function quoteFrom(entries: Entries, trx: Writer, request: QuoteRequest): Promise<Quoted> {
    const current = versionedOffer(content().offer)
    const market = content().markets[request.currency]
    const price = quoteIn(entries(content().offer, request, market), request, market)
    const bringBack = () => keeper.bringBack(trx, 'offer', current.version, () => current.content, clock())
    if (price && (await bringBack())) return { quote: price, offerVersion: current.version }
    for (const { version, content: kept } of await acceptedOffers(trx, clock())) {
      const earlier = quoteIn(entries(JSON.parse(kept) as Offer, request, market), request, market)
      if (earlier) return { quote: earlier, offerVersion: version }
    }
    throw new Problem('price-not-listed')
  }

  return {
    quoteGift: (trx, request) => quoteFrom(GIFTS, trx, request),
    quoteInvitation: (trx, request) => quoteFrom(INVITATION, trx, request),
    keep: keeper.keep,
  }
}

/** By the offer: it is the same one for every order until another is published. */
const versioned = new WeakMap<Offer, Version>()

/** An offer and what it is called: what is kept of it. */
export function versionedOffer(offer: Offer): Version {
  const known = versioned.get(offer)
  if (known !== undefined) return known
  const content = JSON.stringify(offer)
  const version = { version: versionOf('offer', content), content }
  versioned.set(offer, version)
  return version
}

/** undefined where these entries do not sell it. */
function quoteIn(
  entries: readonly PricingEntry[],
  request: QuoteRequest,
  rates: TaxRates,
): Quote | undefined {
  try {
    return quote(entries, request, rates)
  } catch (error) {
    if (isProblem(error) && error.code === 'price-not-listed') return undefined
    throw error
  }
}

/** The offers that are still accepted, the newest first. */
async function acceptedOffers(trx: Writer, now: number): Promise<readonly Version[]> {
  const ended = await graceEndedAt(trx)
  const accepted = acceptedReleases(await releasesOf(trx, 'offer'), now, ended)
  const versions = [...new Set(accepted.map(({ version }) => version))]
  const kept = await contentsOf(trx, 'offer', versions)
  return versions.flatMap(version => kept.find(each => each.version === version) ?? [])
}
