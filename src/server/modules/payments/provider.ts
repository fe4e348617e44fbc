import Stripe from 'stripe'
import { Problem, type ProblemCode } from '#domain/problems.ts'
import type { Log } from '#server/platform/log.ts'

/**
 * Runs a question to the payment provider. What it does not know becomes Problem `missing`; every other failure
 * is logged by its kind alone (messages may quote what was sent) and becomes Problem `provider-unavailable`.
 */
export async function asking<T>(
  log: Log,
  question: () => Promise<T>,
  missing: ProblemCode = 'payment-not-found',
): Promise<T> {
  try {
    return await question()
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    if (error.code === 'resource_missing') throw new Problem(missing)
    log.error('payment-provider-failed', new Error(error.type), {
      code: error.code ?? null,
      status: error.statusCode ?? null,
      request: error.requestId ?? null,
    })
    throw new Problem('provider-unavailable')
  }
}
