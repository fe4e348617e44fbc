import { z } from 'zod'
import { isBoundedMetadata } from '#domain/analytics/events.ts'
import { FORGET_PATH, NEW_EVENT_PATH, NEW_SESSION_PATH } from './api-paths.ts'
import { defineContract } from './contract.ts'

/** The largest body of these calls, bytes: an event is a few words. */
export const ANALYTICS_BODY_BYTES = 16 * 1024

const metadata = z.unknown().refine(isBoundedMetadata, { params: { rule: 'bounds' } })
/** Our own ids, and whatever else a browser may have kept: looked up, never shown. */
const identifier = z.string().max(64)
/** A browser's clocks say what they like: they are never what an event is dated by. */
const clock = z.number()

/** Opens a session. `localStorageId` is the visitor's number, where an earlier visit got one. */
export const newSession = defineContract({
  method: 'POST',
  path: NEW_SESSION_PATH,
  request: z
    .object({
      deviceAttrs: metadata,
      browserTimezoneOffset: z.number(),
      browserDateNow: clock,
      browserPerformanceNow: clock,
      localStorageId: identifier.nullish(),
      isAnonymous: z.boolean(),
    })
    .transform(wire => ({
      device: wire.deviceAttrs,
      timezoneOffset: wire.browserTimezoneOffset,
      userId: wire.localStorageId ?? '',
      isAnonymous: wire.isAnonymous,
    })),
  response: z.object({ sessionId: z.string(), userId: z.string() }),
})

/** Keeps one event. */
export const newEvent = defineContract({
  method: 'POST',
  path: NEW_EVENT_PATH,
  fieldWords: { name: 'eventName' },
  request: z
    .object({
      sessionId: identifier.nullish(),
      browserDateNow: clock,
      browserPerformanceNow: clock,
      currentUrl: z.string().max(4096),
      metadata,
      isAnonymous: z.boolean(),
    })
    .transform(wire => ({
      sessionId: wire.sessionId ?? '',
      address: wire.currentUrl,
      metadata: wire.metadata,
      isAnonymous: wire.isAnonymous,
    })),
  response: z.object({ status: z.literal('accepted') }),
})

/** Takes back what "accept all" had allowed: the identifiers go, here as in the browser. */
export const forget = defineContract({
  method: 'POST',
  path: FORGET_PATH,
  request: z
    .object({ userId: identifier.nullish(), sessionId: identifier.nullish() })
    .refine(wire => Boolean(wire.userId || wire.sessionId), { params: { rule: 'required' } })
    .transform(wire => ({ userId: wire.userId ?? '', sessionId: wire.sessionId ?? '' })),
  response: z.object({ status: z.literal('forgotten') }),
})
