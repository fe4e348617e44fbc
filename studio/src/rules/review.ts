import { yearBefore } from './days.ts'

/** The documents that are looked at once a year. */
export const REVIEWED_TYPES: readonly string[] = ['ngo', 'ngoList', 'volunteeringOrganisation']

export type ReviewState =
  | { readonly kind: 'never' }
  | { readonly kind: 'due'; readonly last: string }
  | { readonly kind: 'done'; readonly last: string }

/** A review lasts a year. `today` and the answer's day are `YYYY-MM-DD`. */
export function reviewState(reviewedAt: unknown, today: string): ReviewState {
  if (typeof reviewedAt !== 'string') return { kind: 'never' }
  return { kind: reviewedAt < yearBefore(today) ? 'due' : 'done', last: reviewedAt }
}

/**
 * Reviews before this day no longer count: a year ago, or the day on which the newest list was started, since
 * starting one clears the reviews.
 */
export function reviewLimit(today: string, startedOn: string | undefined): string {
  const yearAgo = yearBefore(today)
  return startedOn !== undefined && startedOn > yearAgo ? startedOn : yearAgo
}

/** Whatever is to be reviewed now; `$types` and `$limit` are its parameters. */
export const REVIEW_DUE =
  '_type in $types && (!defined(reviewedAt) || (_type != "ngoList" && reviewedAt < $limit))'
