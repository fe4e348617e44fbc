import { useCallback, useEffect, useRef, useState } from 'react'
import { useClient } from 'sanity'
import { dayOf } from '../rules/days.ts'
import { REVIEW_DUE, REVIEWED_TYPES, reviewLimit } from '../rules/review.ts'
import { type Figures, readFigures, type Trouble } from './read-figures.ts'

const API_VERSION = '2026-05-04'

export interface Looking {
  /** The last that were read; they stay in sight while new ones are read, and when those cannot be had. */
  readonly figures: Figures | undefined
  readonly trouble: Trouble | undefined
  /** Documents whose review is due; undefined until the content has answered, or where it does not. */
  readonly reviewsDue: number | undefined
  readonly isReading: boolean
  lookAgain(): void
}

/** Reads the figures when the tool opens, and whenever the operator asks. */
export function useFigures(): Looking {
  const client = useClient({ apiVersion: API_VERSION })
  const [turn, setTurn] = useState(0)
  const [isReading, setReading] = useState(true)
  const [figures, setFigures] = useState<Figures>()
  const [trouble, setTrouble] = useState<Trouble>()
  const [reviewsDue, setReviewsDue] = useState<number>()
  const reading = useRef<AbortController>(undefined)

  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn reads again
  useEffect(() => {
    const leaving = new AbortController()
    reading.current = leaving
    const { signal } = leaving
    void client
      .fetch<string | null>(NEWEST_START, {}, { signal, perspective: 'drafts' })
      .then(startedOn =>
        client.fetch<number>(
          `count(*[${REVIEW_DUE}])`,
          { types: REVIEWED_TYPES, limit: reviewLimit(dayOf(new Date()), startedOn ?? undefined) },
          { signal, perspective: 'drafts' },
        ),
      )
      .catch(() => undefined)
      .then(due => signal.aborted || setReviewsDue(due))
    // The figures wait for no content: it lies elsewhere, and may be slow or away.
    void readFigures((path, init) => fetch(path, init), signal).then(reading => {
      if (signal.aborted) return
      if (reading.kind === 'figures') setFigures(reading.figures)
      setTrouble(reading.kind === 'trouble' ? reading.trouble : undefined)
      setReading(false)
    })
    return () => leaving.abort()
  }, [client, turn])

  const lookAgain = useCallback(() => {
    // At once: what is on its way is from before, and would be shown as if it were newer.
    reading.current?.abort()
    setReading(true)
    setTurn(last => last + 1)
  }, [])
  return { figures, trouble, reviewsDue, isReading, lookAgain }
}

const NEWEST_START = '*[_type == "ngoList"] | order(year desc)[0].startedOn'
