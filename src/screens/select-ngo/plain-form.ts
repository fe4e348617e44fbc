import type { Points } from '#domain/redemption/points.ts'

/** What somebody has done with the page's own form before the island came. */
export interface TakenForm {
  /** Whole points by organisation; undefined when nothing was written. */
  readonly points: Points | undefined
  /** The organisation whose number has the focus. */
  readonly focused: string | undefined
}

/**
 * Reads the form that the island is about to replace, so that nothing written before its code arrived is lost.
 * @returns undefined when the form was not even opened: then the hint stands
 */
export function takeOverForm(): TakenForm | undefined {
  const rows = [...document.querySelectorAll<HTMLElement>('.plain-split [data-ngo]')]
  const points: Record<string, number> = {}
  let focused: string | undefined
  for (const row of rows) {
    const input = row.querySelector('input')
    const id = row.dataset.ngo
    if (!input || id === undefined) continue
    const written = Math.trunc(Number(input.value))
    if (written > 0) points[id] = written
    if (input === document.activeElement) focused = id
  }
  const written = Object.keys(points).length > 0
  if (!written && !document.querySelector('.plain-split:target')) return undefined
  return { points: written ? points : undefined, focused }
}

/** Puts the focus back where it was before the form gave way. */
export function focusPoints(ngoId: string | undefined): void {
  if (ngoId === undefined) return
  // The list's own answer to a focus, which selects the whole number, would swallow what is being typed.
  addEventListener('focusin', event => event.stopPropagation(), { capture: true, once: true })
  document.getElementById(`ngo-points-${ngoId}`)?.focus()
}
