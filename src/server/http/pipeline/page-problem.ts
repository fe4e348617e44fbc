import type { Problem } from '#domain/problems.ts'

/** Says by a page's status, and by the time to come back, what went wrong with the form it was sent. */
export function showProblem(
  response: { status?: number; readonly headers: Headers },
  { status, details }: Problem,
): void {
  response.status = status
  if (details.retryAfterSeconds !== undefined)
    response.headers.set('Retry-After', String(Math.ceil(details.retryAfterSeconds)))
}
