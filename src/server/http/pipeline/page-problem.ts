import type { Problem } from '#domain/problems.ts'

/** Sets a page's status, and where it has one its Retry-After, by what went wrong with the form that was sent. */
export function showProblem(
  response: { status?: number; readonly headers: Headers },
  { status, details }: Problem,
): void {
  response.status = status
  if (details.retryAfterSeconds !== undefined)
    response.headers.set('Retry-After', String(Math.ceil(details.retryAfterSeconds)))
}
