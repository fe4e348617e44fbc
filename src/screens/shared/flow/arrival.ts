import { TIMINGS } from '#domain/timings.ts'
import { isCalm } from './calm.ts'

/**
 * Lets parts of a screen fade in, each after its wait in ms. The parts are in the page from the start, and only their
 * opacity changes, from 0.01: a screen reader never waits. The first touch, key or scroll shows everything at once. A
 * tap on a part before its wait is over only shows the part: nobody chooses what they have not seen. A key shows the
 * parts and then acts. A press without a pointer (detail 0: a key, an assistive program) counts from the start.
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
