import type { z } from 'zod'
import type { forget, newEvent, newSession } from './analytics.ts'
import { FORGET_PATH, NEW_EVENT_PATH, NEW_SESSION_PATH } from './api-paths.ts'

/**
 * The browser's side of statistics. Apart from the other calls: it never says that a call failed to whoever would
 * tell statistics of it, and what is under way when the page goes still arrives.
 */

export type SessionAnswer = z.output<typeof newSession.response>

/** The clocks of this browser, as every call tells them. */
const clocks = () => ({ browserDateNow: Date.now(), browserPerformanceNow: performance.now() })

/** Opens a session; undefined when that failed. */
export function openSession(
  asked: Pick<z.input<typeof newSession.request>, 'deviceAttrs' | 'localStorageId' | 'isAnonymous'>,
): Promise<SessionAnswer | undefined> {
  const body: z.input<typeof newSession.request> = {
    ...asked,
    ...clocks(),
    browserTimezoneOffset: new Date().getTimezoneOffset(),
  }
  return post<SessionAnswer>(NEW_SESSION_PATH, body)
}

export interface SentEvent {
  readonly name: string
  readonly sessionId: string
  /** A route, never an address. */
  readonly currentUrl: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly isAnonymous: boolean
}

/** Keeps an event. @returns whether it was taken */
export async function saveEvent({ name, ...event }: SentEvent): Promise<boolean> {
  const body: z.input<typeof newEvent.request> = { ...event, ...clocks() }
  return (await post(NEW_EVENT_PATH.replace('{eventName}', name), body)) !== undefined
}

/** The outcome of a call that must not be lost: taken, refused for good, or to be tried again. */
export type Delivery = 'taken' | 'refused' | 'failed'

/** A visitor who waits to go on waits no longer for an answer; what was sent may have arrived all the same. */
const DELIVERY_WAIT_MS = 3_000

/** Sends a poll that somebody submitted: without a session, and no more than what was answered. */
export async function deliverPoll(metadata: SentEvent['metadata']): Promise<Delivery> {
  const event = { sessionId: '', currentUrl: location.pathname, metadata, isAnonymous: true }
  const body: z.input<typeof newEvent.request> = { ...event, ...clocks() }
  const path = NEW_EVENT_PATH.replace('{eventName}', 'poll-submitted')
  const late = new Promise<undefined>(resolve => setTimeout(resolve, DELIVERY_WAIT_MS))
  const response = await Promise.race([send(path, body).catch(() => undefined), late])
  if (response?.ok) return 'taken'
  console.warn('Unable to save event')
  return response && response.status < 500 && response.status !== 429 ? 'refused' : 'failed'
}

/** Takes the identifiers back, on the server too. */
export async function forgetVisitor(known: z.input<typeof forget.request>): Promise<void> {
  await post(FORGET_PATH, known)
}

async function post<Answer>(path: string, body: unknown): Promise<Answer | undefined> {
  try {
    const response = await send(path, body)
    return response.ok ? ((await response.json()) as Answer) : undefined
  } catch {
    return undefined
  }
}

function send(path: string, body: unknown): Promise<Response> {
  return fetch(path, {
    method: 'POST',
    keepalive: true,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
}
