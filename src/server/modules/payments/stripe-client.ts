import Stripe from 'stripe'

export interface StripeClientOptions {
  readonly secretKey: string
  /** Answers in the provider's place (the local double); without it requests go to the provider. */
  readonly fetch?: typeof fetch
}

export interface StripeClients {
  /** For what a visitor waits for. */
  readonly stripe: Stripe
  /** For what the provider itself waits for, having sent an event. */
  readonly eventStripe: Stripe
}

/** Every try and the pauses between them (1.5 s at most) end before the browser's own time-out of 20 s does. */
const VISITOR = { timeout: 6_000, maxNetworkRetries: 2 }
/** The provider takes an event for undelivered after 10 s; told so sooner, it sends it again. */
const EVENT = { timeout: 4_000, maxNetworkRetries: 1 }

/** The only clients of the payment provider. They use the API version that their types were made for. */
export function createStripeClients({ secretKey, fetch }: StripeClientOptions): StripeClients {
  const client = (timeouts: typeof VISITOR): Stripe =>
    new Stripe(secretKey, {
      ...timeouts,
      telemetry: false,
      ...(fetch && { httpClient: Stripe.createFetchHttpClient(fetch) }),
    })
  return { stripe: client(VISITOR), eventStripe: client(EVENT) }
}
