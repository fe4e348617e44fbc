import { useState } from 'react'

/**
 * Closes a form, and gives the focus back to what opened it.
 * @param close what closes it
 */
export function useWayBack(close: () => void): () => void {
  const [opener] = useState(() => document.activeElement)
  return () => {
    // Before it is closed: a form within a form is closed by the outer one, whose opener stays.
    if (opener instanceof HTMLElement) opener.focus()
    close()
  }
}
