/**
 * The hint before the list is the page's own, and stays what was painted first: the island shows nothing until the
 * list opens.
 */
const hint = (): HTMLElement | null => document.querySelector('.split-hint')

/** Takes the hint away: once the list is open it does not come back. */
export function dropHint(): void {
  hint()?.remove()
}

/** The second tap of two comes within so many ms of the first, and within so many pixels. */
const DOUBLE_WITHIN_MS = 500
const DOUBLE_WITHIN_PX = 30

/**
 * A tap anywhere opens the list. So does the hint's own control: it was a link to the form, and is a button now that
 * the island has replaced the form. A press that selects words, or opens the link in another tab, does not open the
 * list.
 * @returns stops listening
 */
export function untilTapped(open: () => void): () => void {
  const main = document.querySelector('main')
  const control = hint()?.querySelector('[data-action="show-list"]')
  const tapped = (event: MouseEvent): void => {
    const { target } = event
    const isControl = target instanceof Node && control?.contains(target)
    const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
    if (!isPlain || (!isControl && String(getSelection()))) return
    event.preventDefault()
    ignoreSecond(event)
    open()
  }
  const pressed = (event: Event): void => {
    if (!(event instanceof KeyboardEvent) || event.key !== ' ') return
    // Or the page would scroll.
    event.preventDefault()
    if (!event.repeat) open()
  }
  main?.addEventListener('click', tapped)
  control?.addEventListener('keydown', pressed)
  control?.setAttribute('role', 'button')
  hint()?.toggleAttribute('data-live', true)
  return () => {
    main?.removeEventListener('click', tapped)
    control?.removeEventListener('keydown', pressed)
  }
}

/** The second of two taps was meant for the hint as well: it gives no point, and leaves the focus where it is. */
function ignoreSecond(first: MouseEvent): void {
  // A key's click has no second.
  if (first.detail === 0) return
  const ignore = (event: MouseEvent): void => {
    const isNear = Math.hypot(event.clientX - first.clientX, event.clientY - first.clientY) < DOUBLE_WITHIN_PX
    if (isNear && event.timeStamp - first.timeStamp <= DOUBLE_WITHIN_MS) {
      event.preventDefault()
      event.stopPropagation()
    } else stop()
  }
  const kinds = ['pointerdown', 'mousedown', 'click'] as const
  // Whoever does something else meanwhile is in the list already.
  const stop = (): void => {
    for (const kind of kinds) removeEventListener(kind, ignore, true)
    removeEventListener('input', stop, true)
  }
  for (const kind of kinds) addEventListener(kind, ignore, true)
  addEventListener('input', stop, true)
}
