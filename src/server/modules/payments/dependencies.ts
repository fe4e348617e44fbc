import type Stripe from 'stripe'
import type { CardTerm } from '#domain/card/term.ts'
import type { Currency } from '#domain/money/currency.ts'
import type { Mission } from '#server/modules/content/snapshot.ts'
import type { Themes } from '#server/modules/content/theme-releases.ts'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import type { Terms } from '#server/modules/legal/legal.ts'
import type { Offers } from '#server/modules/offers/offers.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'

/** The dependencies of the payments. */
export interface PaymentsDependencies {
  readonly db: Database
  readonly clock: Clock
  readonly stripe: Stripe
  /** A client with shorter time-outs for what an event makes us ask; the same one when missing. */
  readonly eventStripe?: Stripe
  /** The client for whoever names a session, which gives way to events; the same one when missing. */
  readonly returningStripe?: Stripe
  /** The client for payments that are opened, which give way to those that were made; the same one when missing. */
  readonly openingStripe?: Stripe
  /** Signs the provider's events. */
  readonly webhookSecret: string
  readonly keys: CardKeys
  /** Origin of the site, without a trailing slash. */
  readonly siteUrl: string
  readonly log: Log
  /** The terms that a buyer may accept. */
  readonly terms: Terms
  /** For how long the cards of a market wait to be used; the product's own term when missing. */
  readonly termOf?: (currency: Currency) => CardTerm
  /** From which amount on, in whole units, whoever gives says who they are; never when missing, or null. */
  readonly identityFrom?: (currency: Currency) => number | null
  /** Which organisations a buyer may name for an unused card; none when missing. */
  readonly listedNgoIds?: () => readonly string[]
  /** Which themes a card may have. */
  readonly themes: Themes
  /** The prices that a buyer may pay. */
  readonly offers: Offers
  /** What a volunteering card may invite to now. */
  readonly missions?: () => readonly Mission[]
  /** Called when a mail has been queued, so that it need not wait for the next look. */
  readonly onQueued?: () => void
  /** Resolves once what was written would outlast the machine, where the site sees to that. */
  readonly outlasting?: (() => Promise<void>) | undefined
  /** The waits between looks at what became of a mail that was asked for, ms; none: whoever asks is not kept waiting. */
  readonly outcomeWaitsMs?: readonly number[]
}
