import { DAY_MS } from '#domain/durations.ts'
import type { Reader, Writer } from '#server/platform/db/database.ts'

/** A movement of an order's payment that the provider says it has not made yet: a refund that waits for its balance, say. */
export interface AwaitedMovement {
  readonly orderId: string
  /** The provider's id of the charge, refund or dispute. */
  readonly sourceId: string
  readonly isOfDispute: boolean
  /** In the currency of the payment, minor units: negative where money is to leave. */
  readonly amount: number
}

/** Those of an order, with when the first of them was seen. */
export interface AwaitedOfOrder {
  readonly paid: number
  readonly disputed: number
  /** Epoch ms UTC. */
  readonly since: number
}

/** So long a movement may be on its way: a refund waits for a balance, a failed one or a dispute that was won for a bank. */
export const AWAITED_FOR_MS = 14 * DAY_MS

/** The beginning of the sightings' names. */
const AWAITED = 'movement-awaited'

const nameOf = ({ orderId, sourceId, isOfDispute, amount }: AwaitedMovement): string =>
  [AWAITED, orderId, sourceId, isOfDispute ? 'dispute' : 'payment', amount].join(':')

/** Everything that is awaited, by order. */
export async function awaitedMovements(db: Reader): Promise<ReadonlyMap<string, AwaitedOfOrder>> {
  const rows = await db
    .selectFrom('sightings')
    .select(['name', 'at'])
    .where('name', 'like', `${AWAITED}:%`)
    .execute()
  const found = new Map<string, AwaitedOfOrder>()
  for (const { name, at } of rows) {
    const [, orderId = '', , of, digits] = name.split(':')
    const amount = Number(digits)
    const sum = found.get(orderId) ?? { paid: 0, disputed: 0, since: at }
    found.set(orderId, {
      paid: sum.paid + (of === 'payment' ? amount : 0),
      disputed: sum.disputed + (of === 'dispute' ? amount : 0),
      since: Math.min(sum.since, at),
    })
  }
  return found
}

/**
 * Keeps what is awaited of an order, in the place of what was. Of what was awaited before it stays known since when.
 * @param now epoch ms UTC
 */
export async function keepAwaited(
  trx: Writer,
  orderId: string,
  awaited: readonly AwaitedMovement[],
  now: number,
): Promise<void> {
  const names = awaited.map(nameOf)
  await trx
    .deleteFrom('sightings')
    .where('name', 'like', `${AWAITED}:${orderId}:%`)
    .$if(names.length > 0, query => query.where('name', 'not in', names))
    .execute()
  if (names.length === 0) return
  await trx
    .insertInto('sightings')
    .values(names.map(name => ({ name, at: now })))
    .onConflict(conflict => conflict.column('name').doNothing())
    .execute()
}
