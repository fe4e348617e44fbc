import { type Points, pointsLeft, pointsOf } from './points.ts'

/** The text that a recipient typed for each organisation, unchanged. */
export type TypedPoints = Readonly<Record<string, string>>

/** Why a split that was written by hand cannot be given yet. */
export interface SplitFaults {
  /** Organisations whose text is no whole number of points. */
  readonly unreadable: readonly string[]
  /** How many points more than the credit has. */
  readonly tooMany: number
  /** No organisation has a point. */
  readonly empty: boolean
  /** Points were written for an organisation that is not on the list any more. */
  readonly listChanged: boolean
}

export interface ReadSplit {
  /** The texts of the listed organisations, to show them again. */
  readonly typed: TypedPoints
  readonly points: Points
  /** undefined when the split can be given. */
  readonly faults: SplitFaults | undefined
}

const WHOLE = /^\d{1,7}$/

/**
 * Reads a split from a form (product.md#split: without scripts too). It corrects nothing in silence, unlike a number
 * typed into the list itself. It reports what does not fit, and keeps every text. An empty text is no point; repeats
 * of an organisation are summed.
 * @param written pairs in the form's order; an organisation may come twice
 * @param listedNgoIds the current list
 * @param credit how many points there are
 */
export function readTypedPoints(
  written: readonly (readonly [ngoId: string, text: string])[],
  listedNgoIds: readonly string[],
  credit: number,
): ReadSplit {
  const listed = new Set(listedNgoIds)
  const typed: Record<string, string> = {}
  const points: Record<string, number> = {}
  const unreadable = new Set<string>()
  let listChanged = false
  for (const [ngoId, raw] of written) {
    const text = raw.trim()
    if (text === '') continue
    if (!listed.has(ngoId)) {
      listChanged ||= text !== '0'
      continue
    }
    if (!WHOLE.test(text)) {
      unreadable.add(ngoId)
      typed[ngoId] = text
      continue
    }
    const given = pointsOf(points, ngoId) + Number(text)
    if (given > 0) points[ngoId] = given
    if (!unreadable.has(ngoId)) typed[ngoId] = String(given)
  }
  const tooMany = Math.max(0, -pointsLeft(points, credit))
  const empty = unreadable.size === 0 && Object.keys(points).length === 0
  const fits = unreadable.size === 0 && tooMany === 0 && !empty && !listChanged
  return {
    typed,
    points,
    faults: fits ? undefined : { unreadable: [...unreadable], tooMany, empty, listChanged },
  }
}
