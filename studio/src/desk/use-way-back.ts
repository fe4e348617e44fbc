import { useState } from 'react'

/**
 * Closes a form, and gives the focus back to what opened it.
 * @param close what closes it
 */
export function useWayBack(close: () => void): () => void {
  const [opener] = useState(() => document.activeElement)
  return () => {
    close()
    if (opener instanceof HTMLElement) opener.focus()
  }
}
