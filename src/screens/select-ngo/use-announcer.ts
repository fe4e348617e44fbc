import { useEffect, useRef, useState } from 'react'

/** What follows within so many ms belongs to the same move: taps in a row, a button that is held. */
const SETTLED_AFTER_MS = 400

/**
 * The words of a status line. What is told with `settled` is said once nothing more has come for a moment, so that
 * ten quick taps are read out as one sentence, the last.
 */
export function useAnnouncer(first: string) {
  const [said, setSaid] = useState(first)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const say = (words: string): void => {
    clearTimeout(timer.current)
    setSaid(words)
  }
  const settled = (words: string): void => {
    clearTimeout(timer.current)
    timer.current = setTimeout(setSaid, SETTLED_AFTER_MS, words)
  }
  return { said, say, settled }
}
