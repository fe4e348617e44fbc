const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  413: 'Request Entity Too Large',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
  507: 'Insufficient Storage',
}

/** A refusal: thrown anywhere below the router, answered there in the hosted API's shape. */
export class LakeError extends Error {
  override readonly name = 'LakeError'
  readonly status: number
  readonly body: object
  readonly headers: Readonly<Record<string, string>>

  constructor(status: number, message: string, body: object, headers: Readonly<Record<string, string>> = {}) {
    super(message)
    this.status = status
    this.body = body
    this.headers = headers
  }
}

/** The API's shape for everything but queries, mutations and actions. */
export function refusal(status: number, message: string, more: object = {}): LakeError {
  return new LakeError(status, message, { statusCode: status, error: REASONS[status], message, ...more })
}

/** Why one mutation cannot be: a type of the hosted API, and a sentence that the Studio shows to the operator. */
export interface MutationProblem {
  readonly type: string
  readonly description: string
  readonly id?: string
  readonly [detail: string]: unknown
}

/** Refuses a whole transaction because of its mutation number `index`. */
export function mutationRefused(problem: MutationProblem, index = 0, status = 409): LakeError {
  const description = `The mutation(s) failed: ${problem.description}`
  return new LakeError(status, description, {
    error: { type: 'mutationError', description, items: [{ index, error: problem }] },
  })
}

/** The same refusal in the shape of the actions endpoint. */
export function asActionError(refused: LakeError): LakeError {
  const { error } = refused.body as { error?: { type?: string; description?: string } | string }
  if (typeof error !== 'object' || error.type !== 'mutationError') return refused
  const description = (error.description ?? '').replace('The mutation(s) failed', 'The action failed')
  return new LakeError(refused.status, description, {
    error: { ...error, type: 'actionError', description },
  })
}

/** Refuses a mutation that the API could not read, whatever the documents are. */
export const malformed = (description: string, index = 0): LakeError =>
  mutationRefused({ type: 'validationError', description }, index, 400)
