import type Stripe from 'stripe'
import type { CardKeys } from '#server/modules/gifts/cards/keys.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { Log } from '#server/platform/log.ts'

/** What the treasury needs of the world. */
export interface TreasuryDependencies {
  readonly db: Database
  readonly clock: Clock
  readonly stripe: Stripe
  readonly keys: CardKeys
  readonly log: Log
}
