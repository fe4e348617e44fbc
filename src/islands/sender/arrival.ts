import { TIMINGS } from '#domain/timings.ts'
import { isCalm } from './calm.ts'

/**
 * Lets parts of a screen fade in, each after its wait in ms. They are in the page and can be used from the start
 * (only their opacity moves, from 0.01); the first touch, key or scroll shows everything at once.
 */
export function appear(parts: readonly (readonly [Element | null, number])[]): void {
  if (isCalm()) return
  const fades = parts.map(([part, delay]) =>
    part?.animate([{ opacity: 0.01 }, { opacity: 1 }], {
      delay,
      duration: TIMINGS.routeFade,
      fill: 'backwards',
    }),
  )
  const showAll = (): void => {
    for (const fade of fades) fade?.finish()
    for (const event of ['pointerdown', 'keydown', 'scroll']) removeEventListener(event, showAll)
  }
  for (const event of ['pointerdown', 'keydown', 'scroll'])
    addEventListener(event, showAll, { passive: true })
}
