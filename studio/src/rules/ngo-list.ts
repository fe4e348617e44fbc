import type { Verdict } from './texts.ts'

/** One row of a yearly list, as the Studio holds it. */
export interface ListedNgo {
  readonly _key: string
  readonly _ref?: string | undefined
}

/** What the list's rule knows of a listed organisation. */
export interface NgoFacts {
  readonly id: string
  readonly title: string
  readonly consent?: string | null
  /** `YYYY-MM-DD` of its last review. */
  readonly reviewedAt?: string | null
}

/** The rows that name an organisation which an earlier row named already. */
export function repeatedRows(rows: readonly ListedNgo[]): ListedNgo[] {
  const seen = new Set<string>()
  return rows.filter(({ _ref }) => {
    if (_ref === undefined) return false
    if (seen.has(_ref)) return true
    seen.add(_ref)
    return false
  })
}

/** The rows in which no organisation was chosen. */
export const emptyRows = (rows: readonly ListedNgo[]): ListedNgo[] =>
  rows.filter(({ _ref }) => _ref === undefined)

/** Organisations without a recorded consent to being listed. */
export function consentVerdict(ngos: readonly NgoFacts[]): Verdict {
  const declined = ngos.filter(({ consent }) => consent === 'declined')
  if (declined.length > 0) return `Take out who asked not to be listed: ${namesOf(declined)}.`
  const unknown = ngos.filter(({ consent }) => consent !== 'given')
  return (
    unknown.length === 0 ||
    `Nobody is listed without their consent on record (“For the office”): ${namesOf(unknown)}.`
  )
}

/**
 * Whose review is older than the list itself: starting a list clears the reviews.
 * @param startedAt `YYYY-MM-DD`; undefined for a list that was not copied from another
 */
export function unreviewedVerdict(ngos: readonly NgoFacts[], startedAt: string | undefined): Verdict {
  if (startedAt === undefined) return true
  const due = ngos.filter(({ reviewedAt }) => !reviewedAt || reviewedAt < startedAt)
  return due.length === 0 || `Not reviewed since this list was started: ${namesOf(due)}.`
}

const namesOf = (ngos: readonly NgoFacts[]): string => ngos.map(({ title }) => title).join(', ')

/** A list is on the site from the moment it is published, so it must have been looked at as a whole. */
export const UNREVIEWED =
  'Nobody has reviewed this list. Read it once from top to bottom, then choose “Mark as reviewed”.'
