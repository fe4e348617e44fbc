import { isProblem } from '#domain/problems.ts'

/** Whether a wrong key was one too many of this visitor's: seconds until the next try counts; undefined while not. */
export function secondsToWait(error: unknown): number | undefined {
  if (!isProblem(error) || error.code !== 'too-many-requests') return undefined
  return error.details.retryAfterSeconds ?? 1
}
