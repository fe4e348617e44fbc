import type { ListedNgo } from './ngo-list.ts'

/** A yearly list, as far as copying it needs. */
export interface YearlyList {
  readonly year?: number | undefined
  readonly ngos?: readonly (ListedNgo & Readonly<Record<string, unknown>>)[] | undefined
}

/** The list that follows: the same organisations in the same order, reviewed by nobody yet. */
export interface NextList {
  readonly _id: string
  readonly _type: 'ngoList'
  readonly year: number
  /** `YYYY-MM-DD`; reviews before it do not count for this list. */
  readonly startedOn: string
  readonly ngos: YearlyList['ngos']
}

/** The id that a year's list gets here, without `drafts.`. */
export const listId = (year: number): string => `ngoList-${year}`

/**
 * @param today `YYYY-MM-DD`
 * @returns a draft, so that the list on the site stays until the operator publishes the new one
 */
export function nextList(
  { year, ngos = [] }: YearlyList & { readonly year: number },
  today: string,
): NextList {
  return { _id: `drafts.${listId(year + 1)}`, _type: 'ngoList', year: year + 1, startedOn: today, ngos }
}
