import { useState } from 'react'

/**
 * Which form of a section is open, one at most, and what the last one that was sent has done.
 * @param lookAgain reads the figures again
 */
export function useOpenForm<Open>(lookAgain: () => void) {
  const [open, setOpen] = useState<Open>()
  const [said, setSaid] = useState('')
  const close = () => setOpen(undefined)
  return {
    open,
    said,
    close,
    done(says: string) {
      close()
      setSaid(says)
      lookAgain()
    },
    /** Opens a form, or closes it where it is open. */
    choose(next: Open) {
      setSaid('')
      setOpen(JSON.stringify(open) === JSON.stringify(next) ? undefined : next)
    },
  }
}
