import { randomBytes } from 'node:crypto'
import { dayInUtc } from '#domain/days.ts'
import type { Money } from '#domain/money/money.ts'
import { publicCauseOf } from '#domain/public-ledger/entries.ts'
import { summed } from '#domain/public-ledger/leaf.ts'
import type { Writer } from '#server/platform/db/database.ts'

/** A set of the books, as it was just booked. */
export interface BookedSet {
  readonly id: string
  readonly cause: string
  readonly cardId: string | null
  readonly orderId: string | null
  /** Epoch ms UTC. */
  readonly at: number
  /** At least one. Amounts of 0 count for nothing. */
  readonly entries: readonly (readonly [account: string, amount: Money])[]
}

const NONCE_BYTES = 32

/**
 * Enters booked sets into the public ledger, within the transaction that books them: a set that is booked is published,
 * and nothing else is.
 * @throws Error for a set of two currencies, or of a cause that nobody has decided about
 */
export async function enter(trx: Writer, sets: readonly BookedSet[]): Promise<void> {
  if (sets.length === 0) return
  await trx
    .insertInto('public_entries')
    .values(
      sets.map(({ id, cause, at, entries }) => {
        const accounts = entries.map(([account, { amount }]) => [account, amount] as const)
        const [currency, ...others] = new Set(entries.map(([, each]) => each.currency))
        if (currency === undefined || others.length > 0)
          throw new Error(`The set ${id} is not of one currency.`)
        const amounts = summed(accounts)
        return {
          id,
          day: dayInUtc(at),
          cause: publicCauseOf(
            cause,
            amounts.map(([account]) => account),
          ),
          currency,
          amounts: JSON.stringify(amounts),
        }
      }),
    )
    .execute()
  await trx
    .insertInto('ledger_nonces')
    .values(
      sets.map(({ id, cardId, orderId }) => ({
        entry_id: id,
        card_id: cardId,
        order_id: orderId,
        nonce: randomBytes(NONCE_BYTES).toString('hex'),
      })),
    )
    .execute()
}
