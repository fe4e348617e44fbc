import type { Reader } from '#server/platform/db/database.ts'
import { sight, sightedAt } from '#server/platform/db/sightings.ts'
import type { PaymentsDependencies } from './dependencies.ts'

const NAME = 'payment-event'
const NOTED_EVERY_MS = 60_000

/** When the last event of the payment provider came, to the minute, epoch ms UTC; undefined where none ever did. */
export const lastEventAt = (db: Reader): Promise<number | undefined> => sightedAt(db, NAME)

/** Notes that events come, so that the operator can be told when they do not. */
export async function noteEvent({ db, clock }: Pick<PaymentsDependencies, 'db' | 'clock'>): Promise<void> {
  const at = clock()
  const last = await db.read(lastEventAt)
  if (last !== undefined && at - last < NOTED_EVERY_MS) return
  await db.transaction(trx => sight(trx, NAME, at))
}
