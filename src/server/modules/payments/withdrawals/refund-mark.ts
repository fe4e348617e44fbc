import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import type { WithdrawalNews } from '#domain/withdrawal/withdrawal.ts'
import { nameCards, namedCards } from '#server/modules/payments/named-cards.ts'
import type { Withdrawal } from './stored.ts'

/** The first withdrawal of an order writes no number: there was one alone before there could be several. */
const FIRST = '1'

/** A refund that a withdrawal asked for, as the provider keeps it. */
export interface WithdrawalRefund {
  readonly orderId: string
  /** Which withdrawal of its order, as it is written there. */
  readonly number: string
  readonly attempt: string
  /** The cards that it names; null where it is from all of its order. */
  readonly cards: string | null
  readonly isFailed: boolean
}

/** What of a withdrawal its refund carries, by which it is known again. */
export const refundMark = ({ order_id, number, attempt, cards }: Marked) => ({
  withdrawal: order_id,
  ...(number > 1 && { number: String(number) }),
  attempt: String(attempt),
  ...(cards !== null && nameCards(cards)),
})

type Marked = Pick<Withdrawal, 'order_id' | 'number' | 'attempt' | 'cards'>

/**
 * The same refund is asked for under the same key, however often, and by whomever. The cards are part of it: a backup that
 * was brought back may lack a withdrawal, and the next one, of other cards, has its number again.
 */
export const refundKey = ({ order_id, number, attempt, cards }: Marked): string =>
  ['withdrawal', order_id, ...(number > 1 ? [number] : []), attempt, ...digested(cards)].join(':')

/** The numbers of hundreds of cards are longer than such a key may be. */
const digested = (cards: string | null): readonly string[] =>
  cards === null ? [] : [createHash('sha256').update(cards).digest('hex').slice(0, 32)]

/** Of all refunds of a charge those that a withdrawal asked for. */
export function withdrawalRefunds(refunds: readonly Stripe.Refund[]): readonly WithdrawalRefund[] {
  return refunds.flatMap(({ metadata, status }) =>
    metadata?.withdrawal === undefined
      ? []
      : [
          {
            orderId: metadata.withdrawal,
            number: metadata.number ?? FIRST,
            attempt: metadata.attempt ?? '',
            cards: namedCards(metadata) ?? null,
            isFailed: status === 'failed' || status === 'canceled',
          },
        ],
  )
}

/** The state of the newest refund of a withdrawal. */
export function refundOf(
  { order_id: orderId, number, attempt, cards }: Marked,
  refunds: readonly WithdrawalRefund[],
): WithdrawalNews['refund'] {
  const own = refunds.filter(
    refund =>
      refund.orderId === orderId &&
      refund.number === String(number) &&
      refund.attempt === String(attempt) &&
      refund.cards === cards,
  )
  if (own.some(({ isFailed }) => !isFailed)) return 'made'
  return own.length > 0 ? 'failed' : 'none'
}
