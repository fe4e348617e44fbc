import Stripe from 'stripe'

/** The secret of the cards of the payments' tests, also for processes that they start. */
export const FIXTURE_SECRET = 'a secret of forty characters, or nearly so'

export type Fetch = (request: Request) => Promise<Response>

/** The product's client without the retries, which would wait. */
export function clientOf(ask: Fetch): Stripe {
  return new Stripe('sk_test_local', {
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient((url: string | URL | Request, init?: RequestInit) =>
      ask(new Request(url, init)),
    ),
  })
}
