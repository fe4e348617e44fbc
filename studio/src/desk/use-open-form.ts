import { useState } from 'react'

/** The figures that a section shows, and the way to newer ones. */
export interface Read {
  /** What was read: another object after each reading. */
  readonly read: object
  /** Reads the figures again. */
  readonly lookAgain: () => void
}

/**
 * Which form of a section is open, one at most, and what those that were sent have done since the figures were read.
 * Until they are read again, or where they cannot be, `changes` says what of them is no longer so.
 */
export function useOpenForm<Open, Change = never>({ read, lookAgain }: Read) {
  const [open, setOpen] = useState<Open>()
  const [said, setSaid] = useState('')
  const [since, setSince] = useState<{ read: object; changes: readonly Change[] }>()
  const changes: readonly Change[] = since?.read === read ? since.changes : []
  const close = () => setOpen(undefined)
  return {
    open,
    said,
    changes,
    close,
    done(says: string, ...changed: readonly Change[]) {
      close()
      setSaid(says)
      setSince({ read, changes: [...changes, ...changed] })
      lookAgain()
    },
    /** Opens a form, or closes it where it is open. */
    choose(next: Open) {
      setSaid('')
      setOpen(JSON.stringify(open) === JSON.stringify(next) ? undefined : next)
    },
  }
}
