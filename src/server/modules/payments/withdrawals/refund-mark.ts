import type Stripe from 'stripe'
import type { WithdrawalNews } from '#domain/withdrawal/withdrawal.ts'
import { nameCards } from '#server/modules/payments/named-cards.ts'
import type { Withdrawal } from './stored.ts'

/** The first withdrawal of an order writes no number: there was one alone before there could be several. */
const FIRST = '1'

/** A refund that a withdrawal asked for, as the provider keeps it. */
export interface WithdrawalRefund {
  readonly orderId: string
  /** Which withdrawal of its order, as it is written there. */
  readonly number: string
  readonly attempt: string
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

/** The same refund is asked for under the same key, however often, and by whomever. */
export const refundKey = ({ order_id, number, attempt }: Omit<Marked, 'cards'>): string =>
  ['withdrawal', order_id, ...(number > 1 ? [number] : []), attempt].join(':')

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
            isFailed: status === 'failed' || status === 'canceled',
          },
        ],
  )
}

/** The state of the newest refund of a withdrawal. */
export function refundOf(
  { order_id: orderId, number, attempt }: Omit<Marked, 'cards'>,
  refunds: readonly WithdrawalRefund[],
): WithdrawalNews['refund'] {
  const own = refunds.filter(
    refund =>
      refund.orderId === orderId && refund.number === String(number) && refund.attempt === String(attempt),
  )
  if (own.some(({ isFailed }) => !isFailed)) return 'made'
  return own.length > 0 ? 'failed' : 'none'
}
