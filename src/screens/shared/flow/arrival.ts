import { TIMINGS } from '#domain/timings.ts'
import { isCalm } from './calm.ts'

/**
 * Lets parts of a screen fade in, each after its wait in ms. They are in the page from the start (only their opacity
 * moves, from 0.01), so a screen reader never waits; the first touch, key or scroll shows everything at once. A tap on
 * a part whose wait was not over shows it and does nothing else: nobody chooses what they have not seen. A key shows
 * before it acts, and a press without a pointer (detail 0: a key, a program that helps) counts from the start.
 */
export function appear(parts: readonly (readonly [Element | null, number])[]): void {
  if (isCalm()) return
  const fades = parts.flatMap(([part, delay]) => {
    const frames = [{ opacity: 0.01 }, { opacity: 1 }]
    const timing = { delay, duration: TIMINGS.routeFade, fill: 'backwards' } as const
    return part ? [{ part, delay, fade: part.animate(frames, timing) }] : []
  })
  let unseen: Element[] = []
  const showAll = (): void => {
    for (const { fade } of fades) fade.finish()
  }
  const touch = (): void => {
    unseen = fades.filter(({ fade, delay }) => Number(fade.currentTime) < delay).map(({ part }) => part)
    showAll()
  }
  addEventListener('pointerdown', touch, { capture: true, passive: true })
  for (const event of ['keydown', 'scroll']) addEventListener(event, showAll, { passive: true, once: true })
  const holdBack = (event: MouseEvent): void => {
    if (event.detail === 0 || !unseen.some(part => part.contains(event.target as Node))) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  addEventListener('click', holdBack, { capture: true })
}
