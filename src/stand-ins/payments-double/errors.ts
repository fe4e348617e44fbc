/** What every refused request is answered with: `{ error: { type, message, code?, param?, … } }`. */
export interface ErrorBody {
  readonly type: 'invalid_request_error' | 'idempotency_error' | 'api_error'
  readonly message: string
  readonly code?: string
  readonly param?: string
}

export class ApiError extends Error {
  readonly status: number
  readonly body: ErrorBody

  constructor(status: number, body: ErrorBody) {
    super(body.message)
    this.status = status
    this.body = body
  }
}

/** A request the API refuses: 400, with the parameter and the code where there are any. */
export function refuse(message: string, param?: string, code?: string): never {
  throw new ApiError(400, {
    type: 'invalid_request_error',
    message,
    ...(code !== undefined && { code }),
    ...(param !== undefined && { param }),
  })
}

/** Valid for the real API, but outside of what the double imitates; said aloud rather than silently ignored. */
export function refuseUnmodelled(param: string): never {
  refuse(`The local payments double does not imitate "${param}".`, param)
}

/** 404 for an object that is not there. */
export function missing(kind: string, id: string, param = 'id'): never {
  throw new ApiError(404, {
    type: 'invalid_request_error',
    message: `No such ${kind}: '${id}'`,
    code: 'resource_missing',
    param,
  })
}
