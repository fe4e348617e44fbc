import { askForPasskey, OPERATOR_PATHS } from '../product.ts'

/**
 * Why the site gave no answer. `session-over`: the operator has to sign in (again). `elsewhere`: this Studio does
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
  /** A treasurer confirms this press with a passkey. */
  readonly needsPasskey?: true
}

type Fetch = (path: string, init: RequestInit) => Promise<Response>

/** Longer than any answer takes, the payment provider's included. */
const LONGEST_MS = 25_000

/**
 * Asks the site with the session that the browser has. Never throws.
 * @param fetch the browser's own
 */
export async function ask<T>(fetch: Fetch, question: Question, signal: AbortSignal): Promise<Asked<T>> {
  if (!question.needsPasskey) return send(fetch, question, signal)
  const press = question.attemptKey ?? ''
  const asked = await askForPasskey((path, init) => fetch(path, { ...init, signal }), { for: 'press', press })
  switch (asked.kind) {
    case 'answer':
      return send(fetch, { ...question, body: { ...question.body, passkey: asked.answer } }, signal)
    case 'none':
      return send(fetch, question, signal)
    case 'refused':
      return refused(asked.code, asked.rule)
    case 'unreachable':
      return { kind: 'no-answer', why: 'unreachable' }
    default:
      return { kind: 'refused', code: 'act-refused', rule: asked.kind }
  }
}

async function send<T>(
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
  return code === undefined ? { kind: 'no-answer', why: byStatus(status) } : refused(code, rule)
}

function refused(code: string, rule: string | undefined): Asked<never> {
  const why = COMMON[code]
  if (why !== undefined) return { kind: 'no-answer', why }
  return { kind: 'refused', code, ...(rule !== undefined && { rule }) }
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
