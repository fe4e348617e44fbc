import Stripe from 'stripe'

export interface StripeClientOptions {
  readonly secretKey: string
  /** Answers in the provider's place (the local double); without it requests go to the provider. */
  readonly fetch?: typeof fetch
}

/** Below the browser's own patience of 20 s, with a retry inside it. */
const TIMEOUT_MS = 12_000
const RETRIES = 2

/** The one client of the payment provider. Its API version is the one its types were made for. */
export function createStripeClient({ secretKey, fetch }: StripeClientOptions): Stripe {
  return new Stripe(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    ...(fetch && { httpClient: Stripe.createFetchHttpClient(fetch) }),
  })
}
