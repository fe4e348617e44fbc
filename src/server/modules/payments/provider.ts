import Stripe from 'stripe'
import { isProblem, Problem, type ProblemCode } from '#domain/problems.ts'
import type { Log } from '#server/platform/log.ts'

/** The id of an object that the provider names alone or sends whole. @returns null where it names none */
export const providerIdOf = (named: string | { readonly id: string } | null | undefined): string | null =>
  typeof named === 'string' ? named : (named?.id ?? null)

/** The provider answered, and refuses what was asked. To a visitor that is no different from a provider that is away. */
class ProviderRefused extends Problem {
  constructor() {
    super('provider-unavailable')
  }
}

/**
 * Runs a question to the payment provider. If the provider does not know the object, that becomes Problem `missing`;
 * where it may not be asked so soon (platform/pace/pace.ts), Problem temporarily-unavailable. Every other failure becomes
 * Problem `provider-unavailable`. Only its kind is logged, since messages may quote what was sent.
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
    // Our own pace refused it, or the database that keeps the pace is away: the provider was not asked.
    if (isProblem(error.detail)) throw error.detail
    if (error.code === 'resource_missing') throw new Problem(missing)
    log.error('payment-provider-failed', new Error(error.type), {
      code: error.code ?? null,
      status: error.statusCode ?? null,
      request: error.requestId ?? null,
    })
    throw error instanceof Stripe.errors.StripePermissionError || isRefusal(error)
      ? new ProviderRefused()
      : new Problem('provider-unavailable')
  }
}

/**
 * Is nobody there to ask, whatever is asked about: the provider, the database, or a turn at the provider? Where the provider
 * refuses to answer about one thing, it may well answer about the next.
 */
export const isNobodyThere = (error: unknown): boolean =>
  !(error instanceof ProviderRefused) &&
  isProblem(error) &&
  (error.code === 'provider-unavailable' || error.code === 'temporarily-unavailable')

/**
 * Did the provider say no, so that there is certainly no refund? Not where another request under the same key is still on
 * its way: that one may give the money back.
 */
export const isRefusal = (error: unknown): error is Stripe.errors.StripeInvalidRequestError =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode !== 409

/**
 * Does the provider keep, under the key of this request, its answer to another one? That one is over then, since of one that is on
 * its way it says 409.
 */
export const isKeptForAnother = (error: unknown): error is Stripe.errors.StripeIdempotencyError =>
  error instanceof Stripe.errors.StripeIdempotencyError && error.statusCode === 400
