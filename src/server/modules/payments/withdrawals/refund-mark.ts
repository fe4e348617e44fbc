import type Stripe from 'stripe'
import type { WithdrawalNews } from '#domain/withdrawal/withdrawal.ts'
import type { Withdrawal } from './stored.ts'

/** A refund that a withdrawal asked for, as the provider keeps it. */
export interface WithdrawalRefund {
  readonly orderId: string
  readonly attempt: string
  readonly isFailed: boolean
}

/** What of a withdrawal its refund carries, by which it is known again. */
export const refundMark = ({ order_id, attempt }: Pick<Withdrawal, 'order_id' | 'attempt'>) => ({
  withdrawal: order_id,
  attempt: String(attempt),
})

/** The same refund is asked for under the same key, however often, and by whomever. */
export const refundKey = ({ order_id, attempt }: Pick<Withdrawal, 'order_id' | 'attempt'>): string =>
  `withdrawal:${order_id}:${attempt}`

/** Of all refunds of a charge those that a withdrawal asked for. */
export function withdrawalRefunds(refunds: readonly Stripe.Refund[]): readonly WithdrawalRefund[] {
  return refunds.flatMap(({ metadata, status }) =>
    metadata?.withdrawal === undefined
      ? []
      : [
          {
            orderId: metadata.withdrawal,
            attempt: metadata.attempt ?? '',
            isFailed: status === 'failed' || status === 'canceled',
          },
        ],
  )
}

/** The state of the newest refund of a withdrawal. */
export function refundOf(
  withdrawal: Pick<Withdrawal, 'order_id' | 'attempt'>,
  refunds: readonly WithdrawalRefund[],
): WithdrawalNews['refund'] {
  const { withdrawal: orderId, attempt } = refundMark(withdrawal)
  const own = refunds.filter(refund => refund.orderId === orderId && refund.attempt === attempt)
  if (own.some(({ isFailed }) => !isFailed)) return 'made'
  return own.length > 0 ? 'failed' : 'none'
}
