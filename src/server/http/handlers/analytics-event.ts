import type { IncomingHttpHeaders } from 'node:http'
import { costOfEvent } from '#domain/analytics/events.ts'
import type { Language } from '#domain/languages.ts'
import { isProblem, Problem } from '#domain/problems.ts'
import type { App } from '#server/http/app.ts'
import { admit } from '#server/http/pipeline/admit.ts'
import { parseJson } from '#server/http/pipeline/parse.ts'
import { problemResponse } from '#server/http/pipeline/problem-response.ts'
import { ANALYTICS_BODY_BYTES, newEvent } from '#wire/analytics.ts'
import { NEW_EVENT_PATH } from '#wire/api-paths.ts'
import { analyticsCaller } from './analytics-caller.ts'

/** The largest body that is read of an event. */
export const EVENT_BODY_BYTES = ANALYTICS_BODY_BYTES

export interface EventCall {
  readonly name: string
  readonly headers: IncomingHttpHeaders
  /** undefined when it was larger than the limit. */
  readonly body: Buffer | undefined
  readonly address: string
  readonly language: Language
}

export interface EventAnswer {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

const PREFIX = NEW_EVENT_PATH.replace('{eventName}', '')

/** The event that a path tells of, undefined for every other path. */
export function eventOf(path: string): string | undefined {
  return path.startsWith(PREFIX) && !path.includes('/', PREFIX.length) ? path.slice(PREFIX.length) : undefined
}

const ACCEPTED: EventAnswer = {
  status: 200,
  headers: [
    ['Content-Type', 'application/json'],
    ['Cache-Control', 'no-store'],
  ],
  body: '{"status":"accepted"}',
}

/**
 * Takes an event at the front, without Astro. Every visitor makes this call several times a second, and here it costs
 * a fifth of what it costs through Astro. Guards, limits and answers are those of `endpoint()`.
 */
export async function acceptEvent(app: App, call: EventCall): Promise<EventAnswer> {
  const { address, body, name, language } = call
  const headers = { get: (header: string) => textOf(call.headers[header.toLowerCase()]) }
  try {
    const cost = costOfEvent(body?.length ?? EVENT_BODY_BYTES)
    admit(app, { limit: 'analytics-event', changes: true, type: 'json', cost }, { address, headers })
    if (!body) throw new Problem('body-too-large')
    const event = parseJson(newEvent.request, body.toString())
    await app.analytics.newEvent({ ...event, name }, analyticsCaller({ address, headers, language }))
    return ACCEPTED
  } catch (error) {
    const problem = isProblem(error) ? error : new Problem('something-went-wrong')
    if (problem !== error) app.log.error('endpoint-failed', error, { method: 'POST', path: NEW_EVENT_PATH })
    const response = problemResponse(problem, newEvent.fieldWords)
    return { status: response.status, headers: [...response.headers], body: await response.text() }
  }
}

const textOf = (value: string | string[] | undefined): string | null =>
  value === undefined ? null : String(value)
