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

/** The entry of an announcement has its id behind this. */
export const ANNOUNCEMENT = 'announcement:'

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
  const announced = await announcedNonces(
    trx,
    sets.flatMap(({ cause, cardId }) => (cause === 'auto-donation' && cardId !== null ? [cardId] : [])),
  )
  const nonces = sets.flatMap(({ id, cause, cardId, orderId }) => {
    const known = cause === 'auto-donation' && cardId !== null ? announced.get(cardId) : undefined
    const nonce = known === undefined ? randomBytes(NONCE_BYTES).toString('hex') : known
    return nonce === null ? [] : [{ entry_id: id, card_id: cardId, order_id: orderId, nonce }]
  })
  if (nonces.length > 0) await trx.insertInto('ledger_nonces').values(nonces).execute()
}

/**
 * The nonces of cards that were announced, since their lines show what was announced. Null for one whose buyer is forgotten:
 * nobody can show any more whose line it is.
 */
async function announcedNonces(
  trx: Writer,
  cardIds: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  if (cardIds.length === 0) return new Map()
  const rows = await trx
    .selectFrom('draw_cards')
    .select(['card_id', 'nonce'])
    .where('card_id', 'in', cardIds)
    .where('attempt', '=', 1)
    .execute()
  return new Map(rows.map(({ card_id, nonce }) => [card_id, nonce]))
}

/** Enters an announcement of unused cards. It moves nothing, so that its currency says nothing. @param at epoch ms UTC */
export async function enterAnnouncement(trx: Writer, id: string, at: number): Promise<void> {
  await trx
    .insertInto('public_entries')
    .values({ id: ANNOUNCEMENT + id, day: dayInUtc(at), cause: 'announced', currency: 'EUR', amounts: '[]' })
    .execute()
}
