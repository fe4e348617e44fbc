import { OPERATOR_PATHS } from '../product.ts'

/**
 * Why the site gave no answer. `session-over`: the operator has to give the token (again). `elsewhere`: this Studio does
 * not come from the site. `too-often`: in a few minutes again. `unreachable`: the site did not answer in time.
 * `broken`: it answered with a failure.
 */
export type NoAnswer = 'session-over' | 'elsewhere' | 'too-often' | 'unreachable' | 'broken'

export type Asked<T> =
  | { readonly kind: 'answer'; readonly answer: T }
  /** The site understood, and says no: the code of its problem, and of the field that it refuses. */
  | { readonly kind: 'refused'; readonly code: string; readonly rule?: string }
  | { readonly kind: 'no-answer'; readonly why: NoAnswer }

export interface Question {
  /** The last part of the path: `find`. */
  readonly path: string
  readonly body: object
  /** One key for each press: the same request again has the same key. */
  readonly attemptKey?: string
}

type Fetch = (path: string, init: RequestInit) => Promise<Response>

/** Longer than any answer takes, the payment provider's included. */
const LONGEST_MS = 25_000

/**
 * Asks the site with the session that the browser has. Never throws.
 * @param fetch the browser's own
 */
export async function ask<T>(
  fetch: Fetch,
  { path, body, attemptKey }: Question,
  signal: AbortSignal,
): Promise<Asked<T>> {
  try {
    const response = await fetch(OPERATOR_PATHS + path, {
      method: 'POST',
      signal: AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]),
      headers: {
        Accept: 'application/json',
        'Content-Type': 'application/json',
        ...(attemptKey !== undefined && { 'Idempotency-Key': attemptKey }),
      },
      body: JSON.stringify(body),
    })
    const isJson = /\bjson\b/.test(response.headers.get('Content-Type') ?? '')
    const data = isJson ? ((await response.json()) as unknown) : undefined
    if (response.ok && data !== undefined) return { kind: 'answer', answer: data as T }
    return said(response.status, data)
  } catch {
    return { kind: 'no-answer', why: 'unreachable' }
  }
}

/** Answers that do not depend on the question. */
const COMMON: Readonly<Record<string, NoAnswer>> = {
  'operator-only': 'session-over',
  'too-many-requests': 'too-often',
  'foreign-origin': 'elsewhere',
  'not-found': 'elsewhere',
  'something-went-wrong': 'broken',
}

function said(status: number, data: unknown): Asked<never> {
  const code = isProblem(data) ? data.code : undefined
  const rule = isProblem(data) ? data.fields?.[0]?.rule : undefined
  if (code !== undefined && !(code in COMMON))
    return { kind: 'refused', code, ...(rule !== undefined && { rule }) }
  const why = code === undefined ? byStatus(status) : COMMON[code]!
  return { kind: 'no-answer', why }
}

function byStatus(status: number): NoAnswer {
  if (status === 401) return 'session-over'
  if (status === 429) return 'too-often'
  return status >= 500 ? 'broken' : 'elsewhere'
}

const isProblem = (
  data: unknown,
): data is { readonly code: string; readonly fields?: readonly { readonly rule: string }[] } =>
  typeof data === 'object' && data !== null && 'code' in data && typeof data.code === 'string'
