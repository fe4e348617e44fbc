import { isProblem } from '#domain/problems.ts'
import type { PaymentsDependencies } from './dependencies.ts'
import { asking } from './provider.ts'

/**
 * Asks the payment provider which order a payment intent is of: the database does not keep intents. undefined where
 * the provider does not know it, or it is of another sale. Problem provider-unavailable.
 */
export async function orderOfIntent(
  { stripe, log }: Pick<PaymentsDependencies, 'stripe' | 'log'>,
  intentId: string,
): Promise<string | undefined> {
  try {
    const intent = await asking(log, () => stripe.paymentIntents.retrieve(intentId))
    return intent.metadata.order_id
  } catch (error) {
    if (isProblem(error) && error.code === 'payment-not-found') return undefined
    throw error
  }
}
