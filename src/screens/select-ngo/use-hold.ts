import { useEffect, useRef } from 'react'

const FIRST_REPEAT_AFTER = 450
const REPEAT_EVERY = 90

/**
 * A press does something once; a held press repeats it. Returns the handlers of a button. The click that ends
 * a hold counts for nothing, and a keyboard's click (no pointer before it) counts once.
 */
export function useHold(act: () => void) {
  const latest = useRef(act)
  latest.current = act
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const repeated = useRef(false)

  const stop = (): void => {
    clearTimeout(timer.current)
    timer.current = undefined
  }
  const repeat = (): void => {
    repeated.current = true
    latest.current()
    timer.current = setTimeout(repeat, REPEAT_EVERY)
  }
  useEffect(() => () => clearTimeout(timer.current), [])

  return {
    onPointerDown: (event: { button: number }) => {
      if (event.button !== 0) return
      repeated.current = false
      timer.current = setTimeout(repeat, FIRST_REPEAT_AFTER)
    },
    onPointerUp: stop,
    onPointerLeave: stop,
    onPointerCancel: stop,
    onClick: () => {
      stop()
      if (repeated.current) repeated.current = false
      else latest.current()
    },
    // A long press on a phone must repeat, not open a menu.
    onContextMenu: (event: { preventDefault(): void }) => event.preventDefault(),
  }
}
