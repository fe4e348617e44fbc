import { useEffect } from 'react'

/** Two presses within so many ms and px are one gesture, as browsers count a double click. */
const MOST_MS = 500
const MOST_PX = 24

/** A press that has led to a view: where and when, as the browser says it of a click. */
export interface Opener {
  readonly clientX: number
  readonly clientY: number
  readonly timeStamp: number
}

/**
 * Drops the second tap of two, which was meant for what stood at that place before the view that the first has opened. The
 * browser's own count of clicks does not do: by touch each is the first.
 */
export function useSecondTap(opener: Opener | undefined): void {
  useEffect(() => {
    if (!opener) return
    const drop = (event: MouseEvent): void => {
      const { detail, clientX, clientY, timeStamp } = event
      const apart = Math.hypot(clientX - opener.clientX, clientY - opener.clientY)
      if (detail === 0 || timeStamp - opener.timeStamp > MOST_MS || apart > MOST_PX) return
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    // The first press after it alone: a hand that has been elsewhere since means what it meets.
    addEventListener('click', drop, { capture: true, once: true })
    return () => removeEventListener('click', drop, { capture: true })
  }, [opener])
}
