/**
 * Every failure the product expects, with its HTTP status (product.md#calls).
 * Screens map the code to a sentence: locale key `problem-<code>`.
 */
export const PROBLEMS = {
  'payment-not-completed': 409,
  'payment-not-found': 404,
  /** The card's links are not shown any more; its mail and the page for lost links give them. */
  'links-by-mail': 410,
  'card-not-found': 404,
  'card-consumed': 409,
  /** The recipient has already sent the giver another answer. */
  'already-answered': 409,
  /** The giver of this card cannot be told anything, or not any more. */
  'answer-closed': 410,
  /** A receipt was brought to another card than the one whose use it is of. */
  'receipt-of-another-card': 409,
  /** The mail with this gift's link has gone, or was changed as often as it can be. */
  'sending-closed': 409,
  'ngo-not-listed': 422,
  'mission-not-listed': 422,
  /** The operator has not written the terms yet: nothing can be bought. */
  'terms-missing': 503,
  /** Other terms have come since the buyer's page was made. */
  'terms-changed': 409,
  /** What the buyer's page asks or offers has changed since it was made: made anew, it asks and offers the right thing. */
  'summary-changed': 409,
  'invalid-campaign': 422,
  'finished-campaign-offer': 410,
  'email-already-used': 409,
  'too-many-requests': 429,
  'unsupported-content-type': 415,
  'foreign-origin': 403,
  'body-too-large': 413,
  'invalid-fields': 422,
  'invalid-signature': 400,
  'operator-only': 401,
  /** An operator's act cannot be done: the field's rule says why (domain/desk/acts.ts). */
  'act-refused': 409,
  /** A partner's call without `Authorization: Bearer` and its key. */
  'partner-key-missing': 401,
  /** A partner's key that there is not, or not any more. */
  'partner-key-unknown': 401,
  /** A key of the sandbox that was brought to the real site. */
  'partner-key-of-sandbox': 401,
  /** A key of the real site that was brought to the sandbox. */
  'partner-key-of-real-site': 401,
  /** A partner's key that is not for this call. */
  'scope-missing': 403,
  /** A partner's call that would be carried out twice if it came twice. */
  'idempotency-key-missing': 400,
  'price-not-listed': 422,
  'not-found': 404,
  'method-not-allowed': 405,
  'provider-unavailable': 502,
  'temporarily-unavailable': 503,
  /** So many wait for a payment that nobody more would come in within the hour. */
  'line-full': 503,
  'something-went-wrong': 500,
} as const

export type ProblemCode = keyof typeof PROBLEMS

/** One refused field: a JSON-pointer-like path (`selection.0.points`) and the rule it broke. */
export interface FieldProblem {
  readonly path: string
  readonly rule: string
}

export interface ProblemDetails {
  /** Refused fields, for `invalid-fields` and its kin. */
  readonly fields?: readonly FieldProblem[]
  /** Seconds until another try makes sense (`too-many-requests`, `temporarily-unavailable`, `line-full`). */
  readonly retryAfterSeconds?: number
  /** Where the links were mailed, as only its owner recognises it (`links-by-mail`). */
  readonly maskedAddress?: string
  /** What the key would have to be for (`scope-missing`). */
  readonly scope?: string
}

/** An expected failure. Never carries a key, a whole address or the visitor's input. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly status: number
  readonly details: ProblemDetails

  constructor(code: ProblemCode, details: ProblemDetails = {}) {
    super(code)
    this.code = code
    this.status = PROBLEMS[code]
    this.details = details
  }
}

/**
 * Is this an expected failure? Decided by shape, not by class: the site's bundle and the server that
 * carries it each have their own copy of the class.
 */
export function isProblem(error: unknown): error is Problem {
  return error instanceof Error && error.name === 'Problem' && 'code' in error && 'status' in error
}
