import { createHmac } from 'node:crypto'
import type { ApiEvent } from './objects.ts'
import type { Store } from './store.ts'

/** How the double reaches our endpoint: `fetch`, or a stand-in of a test. */
export type Deliver = (url: string, init: RequestInit) => Promise<Response>

const ANSWER_TIMEOUT_MS = 10_000
/** Longer than an answer may take: only a process that died in between lets it lapse. */
const LEASE_MS = 30_000
const GIVE_UP_AFTER_MS = 3 * 24 * 60 * 60 * 1000

/** How long to wait after the n-th failed attempt: a second, then four times as long, up to twelve hours. */
export const retryDelayMs = (attempt: number) => Math.min(1000 * 4 ** (attempt - 1), 12 * 60 * 60 * 1000)

/** The `Stripe-Signature` header of a body, at this epoch second. */
export function signatureHeader(body: string, secret: string, timestamp: number): string {
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')
  return `t=${timestamp},v1=${signature}`
}

/** Sends queued events to the endpoint until it answers 2xx; a redirect counts as a failure. */
export function createDeliveries(options: {
  readonly store: Store
  readonly clock: () => number
  readonly webhookUrl: () => string
  readonly webhookSecret: string
  readonly deliver: Deliver
}) {
  const { store, clock } = options
  const underWay = new Set<Promise<void>>()

  const accepted = async (body: string): Promise<boolean> => {
    try {
      const response = await options.deliver(options.webhookUrl(), {
        method: 'POST',
        redirect: 'manual',
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': signatureHeader(body, options.webhookSecret, Math.floor(clock() / 1000)),
        },
        body,
      })
      return response.ok
    } catch {
      return false
    }
  }

  const attempt = async (id: string, count: number) => {
    const event = store.get<ApiEvent>('event', id)!
    if (await accepted(JSON.stringify(event))) {
      store.setNextDelivery(id, null)
      store.save({ ...event, pending_webhooks: 0 })
      return
    }
    const next = clock() + retryDelayMs(count)
    store.setNextDelivery(id, next > store.firstDeliveryAt(id) + GIVE_UP_AFTER_MS ? null : next)
  }

  return {
    /** One attempt for each event that is due; also waits for attempts already under way. Gives how many it made. */
    async deliverDue(): Promise<number> {
      const now = clock()
      const due = store.claimDeliveries(now, now + LEASE_MS)
      for (const { event, attempt: count } of due) {
        const running: Promise<void> = attempt(event, count).finally(() => underWay.delete(running))
        underWay.add(running)
      }
      await Promise.all(underWay)
      return due.length
    },
    /** Waits for attempts under way. */
    async idle(): Promise<void> {
      await Promise.all(underWay)
    },
  }
}
