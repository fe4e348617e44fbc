/**
 * The hint before the list is the page's own, and stays what was painted first: the island shows nothing until the
 * list opens.
 */
const hint = (): HTMLElement | null => document.querySelector('.split-hint')

/** Takes the hint away: once the list is open it does not come back. */
export function dropHint(): void {
  hint()?.remove()
}

/**
 * A tap anywhere opens the list; of the hint's link too, which led to the form that the island has taken over.
 * @returns stops listening
 */
export function untilTapped(open: () => void): () => void {
  const main = document.querySelector('main')
  const tapped = (event: Event): void => {
    event.preventDefault()
    open()
  }
  main?.addEventListener('click', tapped)
  hint()?.toggleAttribute('data-live', true)
  return () => main?.removeEventListener('click', tapped)
}
