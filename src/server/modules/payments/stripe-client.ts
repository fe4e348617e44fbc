import Stripe from 'stripe'

export interface StripeClientOptions {
  readonly secretKey: string
  /** Answers in the provider's place (the local double); without it requests go to the provider. */
  readonly fetch?: typeof fetch
  /** Waited for before each request, a repeated one too; without it there is no pace. Rejects where it would take too long. */
  readonly turn?: ((patienceMs: number) => Promise<void>) | undefined
}

export interface StripeClients {
  /** For jobs and the desk. */
  readonly stripe: Stripe
  /** For what the provider itself waits for, having sent an event. */
  readonly eventStripe: Stripe
  /** For whoever names a session: it gives way to events, which make the same card and which nobody can make up. */
  readonly returningStripe: Stripe
  /** For a payment that is opened: it gives way to those that were made, whose buyers wait for a card. */
  readonly openingStripe: Stripe
}

/** Every try and the pauses between them (1.5 s at most) end before the browser's own time-out of 20 s does. */
const VISITOR = { timeout: 6_000, maxNetworkRetries: 2 }
const JOB = { ...VISITOR, patience: 5_000 }
/** The provider takes an event for undelivered after 10 s, turn and answer together; told so sooner, it sends it again. */
const EVENT = { timeout: 4_000, maxNetworkRetries: 1, patience: 5_000 }
/** Less than an event's: whatever is asked by address, some turns are left for events. */
const RETURNING = { ...VISITOR, patience: 4_000 }
const OPENING = { ...VISITOR, patience: 2_000 }

/** The only clients of the payment provider. They use the API version that their types were made for. */
export function createStripeClients({ secretKey, fetch, turn }: StripeClientOptions): StripeClients {
  const client = ({ patience, ...timeouts }: typeof JOB): Stripe => {
    const http = (fetch ? Stripe.createFetchHttpClient(fetch) : Stripe.createNodeHttpClient()) as HttpClient
    return new Stripe(secretKey, {
      ...timeouts,
      telemetry: false,
      httpClient: turn ? new PacedHttpClient(http, () => turn(patience)) : http,
    })
  }
  return {
    stripe: client(JOB),
    eventStripe: client(EVENT),
    returningStripe: client(RETURNING),
    openingStripe: client(OPENING),
  }
}

type HttpClient = InstanceType<typeof Stripe.HttpClient>

/** Sends each request in its turn. The time-out of a request begins when it is sent. */
class PacedHttpClient extends Stripe.HttpClient {
  readonly #client: HttpClient
  readonly #turn: () => Promise<void>

  constructor(client: HttpClient, turn: () => Promise<void>) {
    super()
    this.#client = client
    this.#turn = turn
  }

  override getClientName(): string {
    return this.#client.getClientName()
  }

  override async makeRequest(...request: Parameters<HttpClient['makeRequest']>) {
    await this.#turn()
    return this.#client.makeRequest(...request)
  }
}
